// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import org.jspecify.annotations.Nullable;

/** Has an {@link Outage} follow the results of an exporter. */
final class Told {
  private final Outage outage;
  private final String target;

  /**
   * @param exporter named by its class; its text has the user's headers in it
   */
  Told(Outage outage, Object exporter) {
    this.outage = outage;
    this.target = "the configured exporter (" + exporter.getClass().getSimpleName() + ")";
  }

  CompletableResultCode of(CompletableResultCode result) {
    result.whenComplete(
        () -> {
          if (result.isSuccess()) {
            outage.succeeded();
          } else {
            outage.failed(target, reason(result));
          }
        });
    return result;
  }

  /** Why a request failed, if the exporter says so. */
  static @Nullable String reason(CompletableResultCode result) {
    Throwable thrown = result.getFailureThrowable();
    if (thrown == null) {
      return null;
    }
    Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
