// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import faults.ClockAgent;
import faults.Fault;
import faults.FaultAgent;
import faults.NeighbourAgent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The jars of agents that make the agent fail, made of the tests' own classes. */
public final class FailingAgent {
  private FailingAgent() {}

  /** The option that starts it; to be given before the agent's own. */
  public static String option() {
    // Two jars: what weaves must not be found in the bootstrap loader, which has no Byte Buddy.
    Path boot = jar("faults-boot.jar", new Manifest(), Fault.class.getName());
    Path agent = jar("faults.jar", manifest(FaultAgent.class), FaultAgent.class.getName());
    return "-javaagent:" + agent + "=" + boot;
  }

  /**
   * The option that makes a JVM's clock wrong; to be given before the agent's own.
   *
   * @param ahead negative if it is behind
   */
  public static String clock(Duration ahead) {
    Path agent = jar("clock.jar", manifest(ClockAgent.class), ClockAgent.class.getName());
    return "-javaagent:" + agent + "=" + ahead.toMillis();
  }

  /**
   * The option for another agent; to be given before the agent's own.
   *
   * @param written the class that it writes anew
   * @param awaited the class that it waits for before it retransforms all of Pekko's
   */
  public static String neighbour(String written, String awaited) {
    Path agent =
        jar("neighbour.jar", manifest(NeighbourAgent.class), NeighbourAgent.class.getName());
    return "-javaagent:"
        + agent
        + "="
        + written.replace('.', '/')
        + ","
        + awaited.replace('.', '/');
  }

  private static Manifest manifest(Class<?> agent) {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Premain-Class", agent.getName());
    main.putValue("Can-Retransform-Classes", "true");
    main.put(Attributes.Name.CLASS_PATH, Layout.byteBuddy().toUri().toString());
    return manifest;
  }

  private static Path jar(String name, Manifest manifest, String type) {
    try {
      Path made = Files.createTempFile(Layout.target(), name, ".tmp");
      try (OutputStream file = Files.newOutputStream(made);
          JarOutputStream out = new JarOutputStream(file, manifest)) {
        add(out, type);
        add(out, type + "$Enter");
        add(out, type + "$Writer");
        add(out, type + "$Watch");
        for (int i = 1; add(out, type + "$" + i); i++) {}
      }
      return Files.move(made, Layout.target().resolve(name), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean add(JarOutputStream out, String type) throws IOException {
    String entry = type.replace('.', '/') + ".class";
    try (InputStream in = FailingAgent.class.getClassLoader().getResourceAsStream(entry)) {
      if (in == null) {
        return false;
      }
      out.putNextEntry(new JarEntry(entry));
      in.transferTo(out);
      out.closeEntry();
      return true;
    }
  }
}
