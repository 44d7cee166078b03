// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real Kafka broker, which is its own controller, in a JVM without any agent. */
final class KafkaBroker implements AutoCloseable {
  private static final String CLUSTER = "ZGVpbW9zLWthZmthLTEyMw";

  private final AgentJvm jvm;
  private final int port;

  private KafkaBroker(AgentJvm jvm, int port) {
    this.jvm = jvm;
    this.port = port;
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
      try (AgentJvm format =
          java(
              "kafka.tools.StorageTool",
              "format",
              "--standalone",
              "-t",
              CLUSTER,
              "-c",
              settings.toString())) {
        assertThat(format.awaitExit()).as(format.transcript()).isZero();
      }
      KafkaBroker broker = new KafkaBroker(java("kafka.Kafka", settings.toString()), port);
      Eventually.await(broker::answers, broker.jvm::transcript);
      return broker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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

  private static AgentJvm java(String... classAndArguments) {
    Path libraries = Layout.root().resolve("integration-tests/kafka/target/lib/*");
    return AgentJvm.on(Jdk.own())
        .classPath(List.of(libraries))
        .runs(classAndArguments)
        .start("kafka");
  }

  @Override
  public void close() {
    jvm.close();
  }
}
