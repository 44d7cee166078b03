// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import io.deimos.remote.weave.RemoteWeaving;
import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.builder.AgentBuilder;

/** The smallest agent that attaches the transport. */
public final class TestAgent {
  private TestAgent() {}

  public static void premain(String arguments, Instrumentation instrumentation) {
    RemoteWeaving.install(
            new AgentBuilder.Default().disableClassFormatChanges(),
            instrumentation,
            System.err::println)
        .installOn(instrumentation);
  }
}
