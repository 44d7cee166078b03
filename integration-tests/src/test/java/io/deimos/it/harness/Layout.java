// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the built things are, and what a scenario application's class path is made of. */
public final class Layout {
  private static final int FIRST_PORT = 20_000;
  private static final int LAST_PORT = 32_000;

  /** The class path that the scenarios are compiled with. */
  private static final String SCALA = "2.13";

  private Layout() {}

  public static Path root() {
    return directory("deimos.it.root");
  }

  /** Where tests may write. */
  public static Path target() {
    return directory("deimos.it.target");
  }

  public static Path deimos() {
    return built(root().resolve("agent/target/deimos.jar"));
  }

  public static Path lean() {
    return built(root().resolve("agent/target/deimos-lean.jar"));
  }

  /**
   * The form of the agent that starts sooner: {@code deimos-lean.jar}, or {@code deimos.jar} with
   * {@code -Dit.form=full}. For tests of what both forms have from the same classes.
   */
  public static Path eitherForm() {
    return "full".equals(System.getProperty("deimos.it.form")) ? deimos() : lean();
  }

  /**
   * The agent of the last release: the jar that {@code -Dit.release} names, else {@code
   * dist/deimos.jar} as {@code ./release} leaves it, else, with no release there, that of this
   * tree.
   */
  public static Path release() {
    String given = System.getProperty("it.release");
    Path made = root().resolve("dist/deimos.jar");
    return given != null ? built(Path.of(given)) : Files.exists(made) ? made : deimos();
  }

  public static Path extension() {
    return built(root().resolve("agent/target/deimos-extension.jar"));
  }

  public static Path upstreamAgent() {
    return built(target().resolve("agents/opentelemetry-javaagent.jar"));
  }

  /** Everything that the tests' class path has for applications, and nothing of ours. */
  public static List<Path> wholeClassPath() {
    return onAsked(classPathOfTests());
  }

  private static List<Path> classPathOfTests() {
    Stream<Path> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(p -> p.toString().endsWith(".jar") && !p.startsWith(root()));
    return Stream.concat(Stream.of(jarOf(scenarios.Main.class)), jars).toList();
  }

  /** Pekko of the version the scenarios are compiled with, and what they use beside it. */
  public static List<Path> scenarioClassPath() {
    return onAsked(Stream.concat(pekkoIndependent(), pekkoJars()).toList());
  }

  /**
   * The same with the Pekko that {@code -Dit.pekko} asks for, and what that one needs. Scala stays,
   * which is compatible with older ones, and SLF4J, which Logback needs.
   */
  private static List<Path> onAsked(List<Path> classPath) {
    return isNewestPekko()
        ? classPath
        : PekkoVersion.of(asked(), SCALA)
            .inPlaceOf(classPath, Set.of("scala-library", "slf4j-api"));
  }

  /** Whether applications run with the Pekko that they are compiled with. */
  public static boolean isNewestPekko() {
    return asked().isEmpty();
  }

  private static String asked() {
    return System.getProperty("deimos.it.pekko", "");
  }

  /** Our jars that applications may use. */
  public static Path api() {
    return jarOf(io.deimos.api.Deimos.class);
  }

  /** The sample with its libraries, and the tests' own applications beside it. */
  public static List<Path> shopClassPath() {
    Path shop = root().resolve("samples/shop/target");
    try (Stream<Path> libraries = Files.list(shop.resolve("lib"))) {
      return Stream.of(
              Stream.of(built(shop.resolve("shop.jar")), jarOf(scenarios.Main.class)),
              libraries.sorted(),
              Stream.of(
                      io.opentelemetry.api.trace.Span.class,
                      io.opentelemetry.context.Context.class,
                      io.opentelemetry.common.ComponentLoader.class)
                  .map(Layout::jarOf))
          .flatMap(parts -> parts)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the sample's libraries", e);
    }
  }

  /** The jar of a sample other than the shop. */
  public static Path sample(String name) {
    return built(root().resolve("samples").resolve(name).resolve("target/orders.jar"));
  }

  /** The weaver, for an agent of a test's own. */
  public static Path byteBuddy() {
    return jarOf(net.bytebuddy.ByteBuddy.class);
  }

  /** The same with another Pekko, whose jars are in {@code directory}. */
  public static List<Path> scenarioClassPath(Path directory) {
    try (Stream<Path> jars = Files.list(directory)) {
      return Stream.concat(pekkoIndependent(), jars.sorted()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + directory, e);
    }
  }

  /**
   * The same with another Pekko and its Scala. SLF4J is the one that Logback needs, of which old
   * versions bring an older one.
   */
  public static List<Path> scenarioClassPath(PekkoVersion version) {
    Path scala = jarOf(scala.Option.class);
    Path config = jarOf(com.typesafe.config.Config.class);
    Path scenarios = jarOf(scenarios.Main.class);
    return Stream.concat(
            pekkoIndependent()
                .filter(jar -> !jar.equals(scala) && !jar.equals(config))
                .map(
                    jar ->
                        version.isAkka() && jar.equals(scenarios)
                            ? AkkaScenarios.renamed(jar)
                            : jar),
            version.jars().stream()
                .filter(jar -> !jar.getFileName().toString().startsWith("slf4j-api")))
        .toList();
  }

  /** The library of the Scala that Pekko is compiled with. */
  public static Path scala() {
    return jarOf(scala.Option.class);
  }

  /** The version of the Pekko that the scenarios are compiled with. */
  public static String pekkoVersion() {
    String jar = jarOf(org.apache.pekko.actor.ActorSystem.class).getFileName().toString();
    return jar.substring(jar.lastIndexOf('-') + 1, jar.lastIndexOf('.'));
  }

  /** The version of the other Pekko that the build fetches. */
  public static String oldPekkoVersion() {
    return Objects.requireNonNull(System.getProperty("deimos.it.old-pekko"));
  }

  public static Path sbtLauncher() {
    return built(target().resolve("sbt/sbt-launch.jar"));
  }

  /** Where the tests' own applications are. */
  public static Path applications() {
    return jarOf(scenarios.Main.class);
  }

  private static Stream<Path> pekkoIndependent() {
    return Stream.of(
            scenarios.Main.class,
            scala.Option.class,
            com.typesafe.config.Config.class,
            org.slf4j.Logger.class,
            ch.qos.logback.classic.Logger.class,
            ch.qos.logback.core.Appender.class,
            io.opentelemetry.api.trace.Span.class,
            io.opentelemetry.context.Context.class,
            io.opentelemetry.instrumentation.annotations.WithSpan.class,
            io.opentelemetry.common.ComponentLoader.class)
        .map(Layout::jarOf);
  }

  private static Stream<Path> pekkoJars() {
    return Stream.of(
            org.apache.pekko.actor.ActorSystem.class,
            org.apache.pekko.actor.typed.ActorSystem.class,
            org.apache.pekko.event.slf4j.Slf4jLogger.class,
            org.apache.pekko.testkit.CallingThreadDispatcher.class)
        .map(Layout::jarOf);
  }

  /** The same with Kafka's clients. */
  public static List<Path> kafkaClassPath() {
    Path clients = jarOf(org.apache.kafka.clients.producer.KafkaProducer.class);
    return Stream.concat(scenarioClassPath().stream(), Stream.of(clients)).toList();
  }

  /** The same with what a node of a cluster needs. */
  public static List<Path> clusterClassPath() {
    Stream<Path> jars =
        Stream.of(
                org.apache.pekko.stream.Materializer.class,
                org.apache.pekko.remote.RemoteActorRef.class,
                org.apache.pekko.protobufv3.internal.Message.class,
                org.apache.pekko.pki.pem.DERPrivateKeyLoader.class,
                org.apache.pekko.coordination.lease.LeaseSettings.class,
                org.apache.pekko.cluster.Cluster.class,
                org.apache.pekko.cluster.typed.Cluster.class,
                org.apache.pekko.cluster.ddata.Replicator.class,
                org.apache.pekko.cluster.singleton.ClusterSingletonProxy.class,
                org.apache.pekko.cluster.sharding.ClusterSharding.class,
                org.agrona.concurrent.ManyToOneConcurrentArrayQueue.class,
                org.reactivestreams.Publisher.class)
            .map(Layout::jarOf);
    return onAsked(Stream.concat(scenarioClassPath().stream(), jars).distinct().toList());
  }

  /**
   * The class path of a node of a cluster, of the first Pekko that the transport's peers may have.
   */
  public static List<Path> oldClusterClassPath() {
    Stream<Path> beside =
        Stream.of(
                org.agrona.concurrent.ManyToOneConcurrentArrayQueue.class,
                org.reactivestreams.Publisher.class)
            .map(Layout::jarOf);
    return Stream.concat(scenarioClassPath(target().resolve("pekko-1.1")).stream(), beside)
        .toList();
  }

  public static String joined(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static Path jarOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("where is " + type + "?", e);
    }
  }

  private static Path directory(String property) {
    String value =
        Objects.requireNonNull(
            System.getProperty(property),
            () -> "system property " + property + " is not set; run the tests with Maven");
    return Path.of(value).toAbsolutePath().normalize();
  }

  private static Path built(Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalStateException(file + " is missing; build it with ./test or mvn verify");
    }
    return file;
  }

  /**
   * A port nobody listens on now, and that no connection of another process is given: it is below
   * those that Linux hands out by itself.
   */
  public static int freePort() {
    for (int tries = 0; tries < 1000; tries++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Taken: another one.
      }
    }
    throw new IllegalStateException("no free port from " + FIRST_PORT + " to " + LAST_PORT);
  }
}
