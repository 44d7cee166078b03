// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;

/** Takes part in the configuration of the SDK by {@code OTEL_*} settings. */
public final class DeimosCustomizer implements AutoConfigurationCustomizerProvider {
  @Override
  public void customize(AutoConfigurationCustomizer customizer) {
    DeimosRuntime.current().customize(customizer);
  }
}
