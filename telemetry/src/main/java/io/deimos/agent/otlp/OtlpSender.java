// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.util.function.Consumer;

/**
 * Sends requests to the collector, and again what OTLP says may be sent again. Each request ends
 * with one reply or one failure. Safe for any thread.
 */
public interface OtlpSender {
  /**
   * Sends a request.
   *
   * @param onReply told what the collector said last
   * @param onFailure told why there is no answer
   */
  void send(MessageWriter request, Consumer<OtlpReply> onReply, Consumer<Throwable> onFailure);

  /** Gives up what is under way. */
  void shutdown();

  /** By a sender of the SDK's, which tries again by itself. */
  static OtlpSender over(HttpSender sender) {
    return new OtlpSender() {
      @Override
      public void send(
          MessageWriter request, Consumer<OtlpReply> onReply, Consumer<Throwable> onFailure) {
        sender.send(request, response -> onReply.accept(OtlpReply.of(response)), onFailure);
      }

      @Override
      public void shutdown() {
        sender.shutdown();
      }
    };
  }
}
