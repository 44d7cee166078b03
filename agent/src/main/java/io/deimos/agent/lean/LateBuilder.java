// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import java.lang.instrument.ClassFileTransformer;
import java.util.function.UnaryOperator;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.dynamic.VisibilityBridgeStrategy;
import net.bytebuddy.dynamic.scaffold.InstrumentedType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.matcher.ElementMatchers;

/** Makes transformers by an agent builder, and is not loaded before one is wanted. */
public final class LateBuilder {
  private static final String NEXUS = "net.bytebuddy.nexus.disabled";

  private LateBuilder() {}

  /**
   * Returns a transformer.
   *
   * @param weaving adds to a builder what is done to classes
   */
  public static ClassFileTransformer make(UnaryOperator<AgentBuilder> weaving) {
    return weaving.apply(builder()).makeRaw();
  }

  /** As the OpenTelemetry agent has it. */
  private static AgentBuilder builder() {
    String before = System.setProperty(NEXUS, "true");
    try {
      return new AgentBuilder.Default(
              new ByteBuddy()
                  .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
                  .with(VisibilityBridgeStrategy.Default.NEVER)
                  .with(InstrumentedType.Factory.Default.FROZEN))
          .with(AgentBuilder.TypeStrategy.Default.DECORATE)
          .disableClassFormatChanges()
          .with(AgentBuilder.DescriptionStrategy.Default.POOL_ONLY)
          .ignore(ElementMatchers.none());
    } finally {
      if (before == null) {
        System.clearProperty(NEXUS);
      } else {
        System.setProperty(NEXUS, before);
      }
    }
  }
}
