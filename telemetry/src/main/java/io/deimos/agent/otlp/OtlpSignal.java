// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The signals that may come over OTLP: where, how much of it there is, and how it is answered. */
public enum OtlpSignal {
  TRACES("/v1/traces", "trace.v1.TraceService", "rejectedSpans"),
  METRICS("/v1/metrics", "metrics.v1.MetricsService", "rejectedDataPoints"),
  LOGS("/v1/logs", "logs.v1.LogsService", "rejectedLogRecords");

  private static final int[] DATA = {5, 7, 9, 10, 11};

  private final String path;
  private final String call;
  private final String rejectedName;

  OtlpSignal(String path, String service, String rejectedName) {
    this.path = path;
    this.call = "/opentelemetry.proto.collector." + service + "/Export";
    this.rejectedName = rejectedName;
  }

  /** The signal that comes to this path; null if none does. */
  public static @Nullable OtlpSignal at(String path) {
    for (OtlpSignal signal : values()) {
      if (signal.path.equals(path)) {
        return signal;
      }
    }
    return null;
  }

  /** The signal that comes by this call of gRPC; null if none does. */
  public static @Nullable OtlpSignal ofCall(String call) {
    for (OtlpSignal signal : values()) {
      if (signal.call.equals(call)) {
        return signal;
      }
    }
    return null;
  }

  /**
   * A request in JSON as the same one in protobuf.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static byte[] toProtobuf(byte[] json) {
    return OtlpJson.toProtobuf(json);
  }

  /**
   * How many spans, points or records a request has.
   *
   * @throws IllegalArgumentException if it is none
   */
  public long count(byte[] request) {
    long count = 0;
    ProtoFields top = new ProtoFields(request, 0, request.length);
    while (top.find(1)) {
      ProtoFields scopes = top.inside();
      while (scopes.find(2)) {
        ProtoFields items = scopes.inside();
        while (items.find(2)) {
          count += this == METRICS ? points(items.inside()) : 1;
        }
      }
    }
    return count;
  }

  private static long points(ProtoFields metric) {
    long count = 0;
    while (metric.next()) {
      for (int data : DATA) {
        if (metric.isMessage(data)) {
          ProtoFields points = metric.inside();
          while (points.find(1)) {
            count++;
          }
        }
      }
    }
    return count;
  }

  /**
   * The answer to a request that was taken.
   *
   * @param rejected how much of it is not kept
   * @param why in words; not sent if nothing was rejected
   */
  public byte[] answer(boolean json, long rejected, String why) {
    if (json) {
      return Json.bytes(answer -> write(answer, rejected, why));
    }
    if (rejected == 0) {
      return new byte[0];
    }
    ByteArrayOutputStream partial = new ByteArrayOutputStream();
    partial.write(Proto.tag(1, Proto.VARINT));
    long left = rejected;
    for (; left > 0x7f; left >>>= 7) {
      partial.write((int) (left & 0x7f) | 0x80);
    }
    partial.write((int) left);
    partial.writeBytes(Proto.field(2, why));
    return Proto.field(1, partial.toByteArray());
  }

  private void write(Json answer, long rejected, String why) throws IOException {
    answer.beginObject();
    if (rejected > 0) {
      answer.name("partialSuccess").beginObject();
      answer.name(rejectedName).value(Long.toString(rejected)).name("errorMessage").value(why);
      answer.endObject();
    }
    answer.endObject();
  }

  /** A {@code google.rpc.Status} with a message, in protobuf. */
  public static byte[] refusal(String why) {
    return Proto.field(2, why);
  }
}
