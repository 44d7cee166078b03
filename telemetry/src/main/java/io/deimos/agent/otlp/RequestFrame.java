// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.sdk.resources.Resource;
import java.io.ByteArrayOutputStream;

/**
 * The bytes around the spans of every request: the resource and the scope, encoded once by the SDK.
 * Immutable.
 */
final class RequestFrame {
  static final int RESOURCE_SPANS = 1;
  static final int SCOPE_SPANS = 2;
  static final int SPANS = 2;

  private final byte[] resource;
  private final byte[] scope;

  RequestFrame(Resource resource) {
    SdkBytes sdk = new SdkBytes();
    sdk.request(new RecordedSpan(new SpanView(), resource));
    byte[] request = sdk.bytes();
    ProtoFields top = sdk.fields();
    if (!top.find(RESOURCE_SPANS)) {
      throw new IllegalStateException("the SDK's request has no resource");
    }
    this.resource = without(SCOPE_SPANS, top.inside(), request);
    ProtoFields inside = top.inside();
    if (!inside.find(SCOPE_SPANS)) {
      throw new IllegalStateException("the SDK's request has no scope");
    }
    this.scope = without(SPANS, inside.inside(), request);
  }

  private static byte[] without(int field, ProtoFields fields, byte[] bytes) {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    while (fields.next()) {
      if (!fields.isMessage(field)) {
        rest.write(bytes, fields.start(), fields.end() - fields.start());
      }
    }
    return rest.toByteArray();
  }

  /** How much room a batch needs in front of its spans. */
  int headBytes() {
    return 2 + 2 * Proto.MAX_LENGTH_BYTES + resource.length + scope.length;
  }

  /** Makes a whole request of a batch. */
  void seal(Batch batch) {
    int scopeBytes = scope.length + batch.bodyBytes();
    int lengthBytes = Proto.varintBytes(scopeBytes);
    int resourceBytes = resource.length + 1 + lengthBytes + scopeBytes;
    int head =
        1 + Proto.varintBytes(resourceBytes) + resource.length + 1 + lengthBytes + scope.length;
    int start = batch.bodyStart() - head;
    byte[] to = batch.bytes;
    to[start] = (byte) Proto.tag(RESOURCE_SPANS, Proto.LENGTH_DELIMITED);
    int at = Proto.varint(to, start + 1, resourceBytes);
    System.arraycopy(resource, 0, to, at, resource.length);
    at += resource.length;
    to[at] = (byte) Proto.tag(SCOPE_SPANS, Proto.LENGTH_DELIMITED);
    at = Proto.varint(to, at + 1, scopeBytes);
    System.arraycopy(scope, 0, to, at, scope.length);
    batch.startAt(start);
  }
}
