// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A class-data archive of what the agent, Pekko and the scenarios load, with which a JVM with the
 * agent starts in less time. What is woven is read from its jar and verified as without it. The JVM
 * calls archives with an agent "for testing purposes only", which is what this is for.
 *
 * <p>It is made beside the tests when some JVMs have started, since it takes as much as two starts;
 * who starts before it is there does without.
 */
final class ClassArchive {
  /** Starts for which it would not be worth it. */
  private static final int FEW = 6;

  private static final List<String> WITH_AGENT =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+AllowArchivingWithJavaAgent");

  private static final AtomicInteger STARTS = new AtomicInteger();
  private static volatile List<String> options = List.of();

  private ClassArchive() {}

  /**
   * The options with which a JVM on the tests' JDK uses the archive; none if there is none yet.
   *
   * @param classPath must begin as {@link #inFront} has it
   */
  static List<String> options(List<Path> classPath) {
    List<Path> base = base();
    if (!Layout.isNewestPekko()
        || classPath.size() < base.size()
        || !classPath.subList(0, base.size()).equals(base)) {
      return List.of();
    }
    if (STARTS.incrementAndGet() == FEW) {
      Thread maker = new Thread(ClassArchive::make, "maker of the class archive");
      maker.setDaemon(true);
      maker.start();
    }
    return options;
  }

  /**
   * A class path of the same, in an order in which the archive can be used: the JVM takes one if
   * its class path begins with that of the archive, and has no directories in it.
   */
  static List<Path> inFront(List<Path> classPath) {
    List<Path> base = Layout.scenarioClassPath();
    if (!classPath.containsAll(base) || !classPath.get(0).equals(base.get(0))) {
      return classPath;
    }
    Set<Path> all = new LinkedHashSet<>(base());
    all.addAll(classPath.subList(1, classPath.size()));
    return List.copyOf(all);
  }

  private static List<Path> base() {
    List<Path> base = new ArrayList<>(Layout.scenarioClassPath());
    base.set(0, Applications.JAR);
    return base;
  }

  private static void make() {
    Path archive = Layout.target().resolve("classes.jsa");
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      Files.deleteIfExists(archive);
      AgentJvm.Builder builder =
          AgentJvm.on(Jdk.own())
              .deimos()
              .exportTo(receiver)
              .metricsEvery(Duration.ofMillis(500))
              .property("deimos.page.enabled", "true")
              .property("deimos.page.port", "0")
              // the JVM may fail while it writes; then there is none
              .option("-XX:ErrorFile=" + Layout.target().resolve("class-archive-error.log"))
              .option("-XX:ArchiveClassesAtExit=" + archive);
      WITH_AGENT.forEach(builder::option);
      try (AgentJvm jvm = builder.start("class-archive")) {
        for (String scenario : List.of("classic-tell", "classic-ask", "typed-ask", "user-child")) {
          jvm.tell("run " + scenario);
        }
        RunningPage.of(jvm).state();
        jvm.tell("end");
        int code = jvm.awaitExit();
        if (code != 0 || !Files.exists(archive)) {
          throw new IOException("exit code " + code + "\n" + jvm.transcript());
        }
      }
      List<String> made = new ArrayList<>(WITH_AGENT);
      made.add("-XX:SharedArchiveFile=" + archive);
      options = List.copyOf(made);
    } catch (IOException | UncheckedIOException | AssertionError e) {
      System.out.println("No class archive, so JVMs start as without one: " + e);
    }
  }

  /** The tests' own applications as a jar, without the tests. */
  private static final class Applications {
    static final Path JAR = make();

    private static Path make() {
      Path classes = Layout.applications();
      Path jar = Layout.target().resolve("applications.jar");
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
          Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          String name = classes.relativize(file).toString();
          if (!name.startsWith("io/deimos/")) {
            out.putNextEntry(new JarEntry(name));
            Files.copy(file, out);
            out.closeEntry();
          }
        }
        return jar;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
