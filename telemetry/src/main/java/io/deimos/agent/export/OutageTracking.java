// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands before an exporter, and tells an {@link Outage} the result of each of its requests.
 *
 * @param <T> what it exports
 */
abstract class OutageTracking<T> {
  private final Outage outage;
  private final Object exporter;
  private final String target;
  private final Function<Collection<T>, CompletableResultCode> export;
  private final Supplier<CompletableResultCode> flush;
  private final Supplier<CompletableResultCode> shutdown;

  /**
   * @param exporter named by its class; its text has the user's headers in it
   */
  OutageTracking(
      Outage outage,
      Object exporter,
      Function<Collection<T>, CompletableResultCode> export,
      Supplier<CompletableResultCode> flush,
      Supplier<CompletableResultCode> shutdown) {
    this.outage = outage;
    this.exporter = exporter;
    this.target = "the configured exporter (" + exporter.getClass().getSimpleName() + ")";
    this.export = export;
    this.flush = flush;
    this.shutdown = shutdown;
  }

  public CompletableResultCode export(Collection<T> all) {
    CompletableResultCode result = export.apply(all);
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

  public CompletableResultCode flush() {
    return flush.get();
  }

  public CompletableResultCode shutdown() {
    return shutdown.get();
  }

  @Override
  public String toString() {
    return exporter.toString();
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
