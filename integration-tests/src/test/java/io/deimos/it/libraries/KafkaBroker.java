// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real Kafka broker, which is its own controller, in a JVM without any agent. */
final class KafkaBroker implements AutoCloseable {
  private static final String CLUSTER = "ZGVpbW9zLWthZmthLTEyMw";

  private final Process process;
  private final Thread killer;
  private final int port;

  private KafkaBroker(Process process, int port) {
    this.process = process;
    this.port = port;
    killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  static KafkaBroker start() {
    try {
      Path directory = Files.createTempDirectory(Layout.target(), "kafka");
      int port = Layout.freePort();
      int control = Layout.freePort();
      Path settings = directory.resolve("server.properties");
      Files.writeString(
          settings,
          """
          process.roles=broker,controller
          node.id=1
          listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
          controller.listener.names=CONTROLLER
          controller.quorum.bootstrap.servers=127.0.0.1:%d
          log.dirs=%s
          num.partitions=1
          offsets.topic.num.partitions=1
          offsets.topic.replication.factor=1
          group.initial.rebalance.delay.ms=0
          """
              .formatted(port, control, control, directory.resolve("data")));
      Process format =
          java(
              directory,
              "kafka.tools.StorageTool",
              "format",
              "--standalone",
              "-t",
              CLUSTER,
              "-c",
              settings.toString());
      if (format.waitFor() != 0) {
        throw new IllegalStateException("Kafka's storage could not be made; see " + log(directory));
      }
      KafkaBroker broker =
          new KafkaBroker(java(directory, "kafka.Kafka", settings.toString()), port);
      new Eventually()
          .await(
              broker::answers,
              Eventually.DEADLINE,
              () -> "Kafka did not start; see " + log(directory));
      return broker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static Process java(Path directory, String... command) throws IOException {
    List<String> all =
        new java.util.ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Layout.root().resolve("integration-tests/kafka/target/lib") + "/*"));
    all.addAll(List.of(command));
    return new ProcessBuilder(all)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(directory).toFile()))
        .start();
  }

  private static Path log(Path directory) {
    return directory.resolve("log");
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(killer);
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
