// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import io.deimos.remote.weave.RemoteWeaving;
import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.builder.AgentBuilder;

/** Attaches the transport and nothing else, so that only the transport is measured. */
public final class Agent {
  private Agent() {}

  /** Called by the JVM. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    RemoteWeaving.install(
            new AgentBuilder.Default().disableClassFormatChanges(),
            instrumentation,
            System.err::println)
        .installOn(instrumentation);
  }
}
