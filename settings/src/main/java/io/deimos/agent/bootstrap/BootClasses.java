// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.bootstrap;

import io.opentelemetry.javaagent.bootstrap.InstrumentationHolder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.jar.JarFile;

/**
 * Sees to it that the bootstrap class loader has the recorder and the transport's bridge. In {@code
 * deimos.jar} their classes stand at the root of the agent's jar and are there already; the
 * extension carries them as a jar inside, which has to be a file to be put on the path.
 */
public final class BootClasses {
  private static final String PROBE = "io.deimos.recorder.Recorder";
  private static final String INNER_JAR = "/deimos/boot.jar";

  private BootClasses() {}

  /** Whether this is {@code deimos-extension.jar} in an agent of the user's. */
  public static boolean isExtension() {
    return BootClasses.class.getResource(INNER_JAR) != null;
  }

  public static void ensure() throws IOException {
    if (isThere()) {
      return;
    }
    Instrumentation instrumentation = InstrumentationHolder.getInstrumentation();
    if (instrumentation == null) {
      throw new IllegalStateException("the agent holds no java.lang.instrument.Instrumentation");
    }
    Path file = OwnFiles.temporaryDirectory().resolve("deimos-boot.jar");
    try (InputStream inner = BootClasses.class.getResourceAsStream(INNER_JAR)) {
      if (inner == null) {
        throw new IllegalStateException("the jar does not contain " + INNER_JAR);
      }
      OwnFiles.write(file, inner.readAllBytes());
    }
    file.toFile().deleteOnExit();
    instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(file.toFile()));
  }

  private static boolean isThere() {
    try {
      Class.forName(PROBE, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
