// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.recorder.base.Faults;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Shuts the SDK down. Where a file configures it, it has a shutdown hook that cannot be declined
 * and waits ten seconds for a collector. That hook does nothing to an SDK that is marked as shut
 * down; so we mark it, and shut its parts down ourselves, within our deadline.
 */
public final class SdkEnd {
  private SdkEnd() {}

  /** Takes the shutdown over, as far as the SDK is known; what to call for it. */
  public static Supplier<CompletableResultCode> claim(OpenTelemetrySdk sdk) {
    try {
      Field mark = OpenTelemetrySdk.class.getDeclaredField("isShutdown");
      mark.setAccessible(true);
      ((AtomicBoolean) mark.get(sdk)).set(true);
      return () ->
          CompletableResultCode.ofAll(
              List.of(
                  sdk.getSdkTracerProvider().shutdown(),
                  sdk.getSdkMeterProvider().shutdown(),
                  sdk.getSdkLoggerProvider().shutdown()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      Faults.caught(e); // it ends all the same, if later
      return sdk::shutdown;
    }
  }
}
