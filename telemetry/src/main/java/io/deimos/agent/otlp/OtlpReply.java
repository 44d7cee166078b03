// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.exporter.internal.metrics.ExporterInstrumentation;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * The collector's reply to a request.
 *
 * @param httpStatus by HTTP, its status; else 0
 * @param grpcStatus by gRPC, its status; else null
 * @param words what it said beside
 * @param message the response in protobuf
 */
@SuppressWarnings("ArrayRecordComponent") // read once, and compared with nothing
public record OtlpReply(
    int httpStatus, @Nullable GrpcStatusCode grpcStatus, String words, byte[] message) {
  static OtlpReply of(HttpResponse response) {
    return new OtlpReply(
        response.getStatusCode(), null, response.getStatusMessage(), response.getResponseBody());
  }

  static OtlpReply of(GrpcResponse response) {
    String words = response.getStatusDescription();
    return new OtlpReply(
        0, response.getStatusCode(), words == null ? "" : words, response.getResponseMessage());
  }

  /** Whether it took the request, or a part of it. */
  boolean isTaken() {
    return grpcStatus == null
        ? httpStatus >= 200 && httpStatus <= 299
        : grpcStatus == GrpcStatusCode.OK;
  }

  /** Tells the SDK's metrics of its exporters what the status is, in their words. */
  void tell(ExporterInstrumentation.Recording of) {
    int status;
    if (grpcStatus == null) {
      of.setHttpStatusCode(httpStatus);
      status = httpStatus;
    } else {
      of.setGrpcStatusCode(grpcStatus);
      status = grpcStatus.getValue();
    }
    if (isTaken()) {
      of.finishSuccessful();
    } else {
      of.finishFailed(String.valueOf(status));
    }
  }

  /** The status in words. */
  String status() {
    String status = grpcStatus == null ? "HTTP status " + httpStatus : "gRPC status " + grpcStatus;
    return (status + " " + words).strip();
  }
}
