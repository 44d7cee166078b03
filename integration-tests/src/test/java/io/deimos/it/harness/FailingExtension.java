// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/**
 * An extension of the OpenTelemetry agent that throws when Pekko is woven already. At the JVM's end
 * it prints how many records wait in the rings.
 */
public final class FailingExtension {
  private static final String LISTENER = "io.opentelemetry.javaagent.extension.AgentListener";
  private static final String SDK =
      "io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk";

  private FailingExtension() {}

  public static Path make(Path directory) throws IOException {
    Path listener =
        source(
            directory,
            LISTENER,
            "public interface AgentListener { void afterAgent(" + SDK + " sdk); }");
    Path sdk = source(directory, SDK, "public final class AutoConfiguredOpenTelemetrySdk {}");
    Path failing =
        source(
            directory,
            "failing.Listener",
            """
            public final class Listener implements %s {
              public int order() {
                return -1;
              }

              public void afterAgent(%s sdk) {
                Runtime.getRuntime().addShutdownHook(new Thread(Listener::print));
                throw new IllegalStateException("no-such.conf");
              }

              private static void print() {
                try {
                  Class<?> drainer =
                      Class.forName("io.deimos.recorder.housekeeping.Drainer", true, null);
                  System.err.println("waiting=" + drainer.getMethod("backlog").invoke(null));
                } catch (Exception e) {
                  e.printStackTrace();
                }
              }
            }
            """
                .formatted(LISTENER, SDK));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "--release",
                    "17",
                    "-d",
                    directory.toString(),
                    listener.toString(),
                    sdk.toString(),
                    failing.toString()))
        .isZero();
    Path jar = directory.resolve("failing.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry("failing/Listener.class"));
      entries.write(Files.readAllBytes(directory.resolve("failing/Listener.class")));
      entries.putNextEntry(new JarEntry("META-INF/services/" + LISTENER));
      entries.write("failing.Listener".getBytes(StandardCharsets.UTF_8));
    }
    return jar;
  }

  private static Path source(Path directory, String name, String text) throws IOException {
    int dot = name.lastIndexOf('.');
    Path file = directory.resolve(name.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    return Files.write(file, List.of("package " + name.substring(0, dot) + ";", text));
  }
}
