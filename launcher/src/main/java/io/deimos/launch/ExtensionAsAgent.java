// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** Says in one line that an extension is no agent. The application runs on. */
@SuppressWarnings("SystemOut") // nothing of ours is there
public final class ExtensionAsAgent {
  private ExtensionAsAgent() {}

  /** {@code -javaagent:deimos-extension.jar}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    System.err.println(
        "deimos: -javaagent names deimos-extension.jar, which is an extension of the OpenTelemetry"
            + " agent and no agent itself, so nothing is recorded. Use -javaagent:deimos.jar, or"
            + " -javaagent:opentelemetry-javaagent.jar with"
            + " -Dotel.javaagent.extensions=deimos-extension.jar, each with its path");
  }
}
