// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;

/** Takes part in the configuration of the SDK by a file. */
public final class DeimosDeclarativeCustomizer
    implements DeclarativeConfigurationCustomizerProvider {
  @Override
  public void customize(DeclarativeConfigurationCustomizer customizer) {
    DeimosRuntime.current().customizeFile(customizer);
  }

  /** Before the agent reads which modules are off. */
  @Override
  public int order() {
    return -1;
  }
}
