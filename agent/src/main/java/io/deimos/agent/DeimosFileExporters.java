// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;

/**
 * Wraps the exporters of a configuration file. Comes last: what others do to an exporter of one
 * type they could not do to what is wrapped around it.
 */
public final class DeimosFileExporters implements DeclarativeConfigurationCustomizerProvider {
  @Override
  public void customize(DeclarativeConfigurationCustomizer customizer) {
    DeimosRuntime.current().customizeExportersOfFile(customizer);
  }

  @Override
  public int order() {
    return Integer.MAX_VALUE;
  }
}
