// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.javaagent.tooling.AgentExtension;
import net.bytebuddy.agent.builder.AgentBuilder;

/** Has Pekko woven by the agent's own class transformer. */
public final class DeimosExtension implements AgentExtension {
  @Override
  public AgentBuilder extend(AgentBuilder builder) {
    return DeimosRuntime.current().weave(builder);
  }

  @Override
  public String extensionName() {
    return "deimos";
  }
}
