// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.bootstrap.BootClasses;
import io.opentelemetry.javaagent.extension.AgentListener;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/** The first of our classes that the agent makes, and the last that it calls. */
public final class DeimosListener implements AgentListener {
  /** Called by the service loader, before the SDK exists. */
  @SuppressWarnings("SystemOut") // nothing else is there yet
  public DeimosListener() {
    try {
      BootClasses.ensure();
      DeimosRuntime.begin();
    } catch (Throwable t) {
      System.err.println(
          "deimos: could not be set up ("
              + t
              + ") and is off; the application runs on. The extension needs a directory for"
              + " temporary files that can be written (java.io.tmpdir)");
    }
  }

  @Override
  public void afterAgent(AutoConfiguredOpenTelemetrySdk sdk) {
    DeimosRuntime.current().sdkReady(sdk);
  }
}
