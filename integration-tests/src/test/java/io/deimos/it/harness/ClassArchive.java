// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

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
 * A class-data archive of what an agent, Pekko and an application load, with which a JVM with that
 * agent starts in less time. A woven class is read from its jar and verified as without it. The JVM
 * calls archives with an agent "for testing purposes only", which is what this is for. It warns of
 * sharing "only for boot loader classes", and yet has most of the application's from there.
 *
 * <p>It is made beside the tests when some JVMs have started, since it takes as much as two starts;
 * who starts before it is there does without.
 */
final class ClassArchive {
  /** Starts for which it would not be worth it. */
  private static final int FEW = 6;

  private static final List<String> WITH_AGENT =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+AllowArchivingWithJavaAgent");

  /** For applications of {@link Layout#scenarioClassPath}, and more. */
  private static final ClassArchive FULL = new ClassArchive(false, false);

  private static final ClassArchive LEAN = new ClassArchive(true, false);

  /** For those of {@link Layout#clusterClassPath}, and more. With {@code deimos.jar} few start. */
  private static final ClassArchive LEAN_CLUSTER = new ClassArchive(true, true);

  private final boolean isLean;
  private final boolean isCluster;
  private final AtomicInteger starts = new AtomicInteger();
  private volatile List<String> options = List.of();

  private ClassArchive(boolean isLean, boolean isCluster) {
    this.isLean = isLean;
    this.isCluster = isCluster;
  }

  /**
   * The options with which a JVM on the tests' JDK uses an archive; none if there is none yet.
   *
   * @param isLean whether its agent is the lean form, and not {@code deimos.jar}
   * @param classPath must begin as {@link #inFront} has it
   */
  public static List<String> options(boolean isLean, List<Path> classPath) {
    if (!Layout.isNewestPekko() || !beginsWith(classPath, base())) {
      return List.of();
    }
    if (isLean && beginsWith(classPath, cluster())) {
      List<String> options = LEAN_CLUSTER.started();
      return options.isEmpty() ? LEAN.options : options;
    }
    return (isLean ? LEAN : FULL).started();
  }

  private List<String> started() {
    if (starts.incrementAndGet() == FEW) {
      Thread maker = new Thread(this::make, "maker of the archive " + name());
      maker.setDaemon(true);
      maker.start();
    }
    return options;
  }

  private String name() {
    return (isLean ? "lean" : "full") + (isCluster ? "-cluster" : "");
  }

  private static boolean beginsWith(List<Path> classPath, List<Path> base) {
    return classPath.size() >= base.size() && classPath.subList(0, base.size()).equals(base);
  }

  /**
   * A class path of the same, in an order in which an archive can be used: the JVM takes one if its
   * class path begins with that of the archive, and has no directories in it.
   */
  static List<Path> inFront(List<Path> classPath) {
    List<Path> base = Layout.scenarioClassPath();
    if (!classPath.containsAll(base) || !classPath.get(0).equals(base.get(0))) {
      return classPath;
    }
    Set<Path> all = new LinkedHashSet<>(base());
    if (classPath.containsAll(Layout.clusterClassPath())) {
      all.addAll(cluster());
    }
    all.addAll(classPath.subList(1, classPath.size()));
    return List.copyOf(all);
  }

  private static List<Path> base() {
    return withJar(Layout.scenarioClassPath());
  }

  private static List<Path> cluster() {
    return withJar(Layout.clusterClassPath());
  }

  private static List<Path> withJar(List<Path> classPath) {
    List<Path> jars = new ArrayList<>(classPath);
    jars.set(0, Applications.JAR);
    return jars;
  }

  private void make() {
    Path archive = Layout.target().resolve("classes-" + name() + ".jsa");
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      Files.deleteIfExists(archive);
      AgentJvm.Builder builder = AgentJvm.on(Jdk.own());
      builder = isLean ? builder.lean() : builder.deimos();
      builder
          .exportTo(receiver)
          .metricsEvery(Duration.ofMillis(500))
          .page()
          // the JVM may fail while it writes; then there is none
          .option("-XX:ErrorFile=" + Layout.target().resolve("class-archive-error.log"))
          .option("-XX:ArchiveClassesAtExit=" + archive);
      WITH_AGENT.forEach(builder::option);
      if (isCluster) {
        builder.classPath(Layout.clusterClassPath()).runs("transport.ClusterNode");
      }
      try (AgentJvm jvm = builder.start("class-archive-" + name())) {
        if (isCluster) {
          runNode(jvm);
        } else {
          runScenarios(jvm);
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
      System.out.println("No class archive " + name() + ", so JVMs start as without one: " + e);
    }
  }

  private static void runScenarios(AgentJvm jvm) {
    for (String scenario : List.of("classic-tell", "classic-ask", "typed-ask", "user-child")) {
      jvm.tell("run " + scenario);
    }
  }

  /** A cluster of itself alone, with an entity and a singleton. */
  private static void runNode(AgentJvm jvm) {
    String line = jvm.awaitOut("its address", l -> l.startsWith("@address "));
    jvm.ask("join " + line.substring("@address ".length()), Eventually.DEADLINE);
    for (String command : List.of("shard", "single")) {
      Eventually.await(
          () -> jvm.ask(command + " who", Eventually.DEADLINE).startsWith("@answer "),
          jvm::transcript);
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
