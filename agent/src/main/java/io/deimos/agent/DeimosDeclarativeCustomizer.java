// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.sdk.ConfigurationModel;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Takes part in the configuration of the SDK by a file. */
public final class DeimosDeclarativeCustomizer
    implements DeclarativeConfigurationCustomizerProvider {
  @Override
  public void customize(DeclarativeConfigurationCustomizer customizer) {
    try {
      if (DeimosRuntime.replacesUpstreamModules()) {
        UnaryOperator<Object> edit =
            model -> {
              ConfigurationModel.disablePekko(model, DeimosRuntime.problems());
              return model;
            };
        DeclarativeConfigurationCustomizer.class
            .getMethod("addModelCustomizer", Function.class)
            .invoke(customizer, edit);
      }
    } catch (Throwable t) {
      DeimosRuntime.problems().failed("taking part in the SDK's configuration by a file", t);
    }
  }

  /** Before the agent reads which modules are off. */
  @Override
  public int order() {
    return -1;
  }
}
