// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import io.opentelemetry.javaagent.bootstrap.AgentInitializer;
import io.opentelemetry.javaagent.bootstrap.AgentStarter;
import io.opentelemetry.javaagent.bootstrap.InstrumentationHolder;
import io.opentelemetry.javaagent.bootstrap.JavaagentFileHolder;
import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;

/**
 * The part of the start that the bootstrap class loader loads. Takes the place of the OpenTelemetry
 * agent in the classes that both have there, so that one which comes later finds it taken and
 * stands aside. Called from another loader, so it is public.
 */
public final class LeanBoot {
  private static final String START = "io.deimos.agent.LeanStart";

  private LeanBoot() {}

  public static void start(File jar, Instrumentation instrumentation)
      throws ReflectiveOperationException, IOException {
    InstrumentationHolder.setInstrumentation(instrumentation);
    JavaagentFileHolder.setJavaagentFile(jar);
    ClassLoader inner = new LeanClasses(jar);
    take("agentClassLoader", inner);
    AgentStarter starter =
        (AgentStarter)
            inner
                .loadClass(START)
                .getConstructor(Instrumentation.class)
                .newInstance(instrumentation);
    take("agentStarter", starter);
    starter.start();
  }

  private static void take(String name, Object by) throws ReflectiveOperationException {
    Field field = AgentInitializer.class.getDeclaredField(name);
    field.setAccessible(true);
    field.set(null, by);
  }
}
