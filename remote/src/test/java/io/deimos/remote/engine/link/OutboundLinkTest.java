// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.pekko.PekkoMembers;
import io.deimos.remote.engine.settings.RemoteSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.tcp.ArteryTcpTransport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A thread that waits for a link is told of its end, at whatever moment that comes. */
class OutboundLinkTest {
  private static final int RACES = 2_000;

  private static ActorSystem system;
  private static TransportEngine engine;
  private static Association association;

  /** With a pause after the first failure that is longer than the test. */
  @BeforeAll
  static void start() throws ReflectiveOperationException, IOException {
    system =
        ActorSystem.create(
            "links",
            ConfigFactory.parseString(
                    """
                    pekko {
                      loglevel = OFF
                      stdout-loglevel = OFF
                      actor.provider = remote
                      remote.use-unsafe-remote-features-outside-cluster = on
                      remote.artery {
                        transport = tcp
                        canonical { hostname = "127.0.0.1", port = 0 }
                        advanced.outbound-restart-backoff = 1 h
                      }
                    }
                    """)
                .withFallback(ConfigFactory.load()));
    ArteryTcpTransport transport =
        (ArteryTcpTransport)
            ((RemoteActorRefProvider) ((ExtendedActorSystem) system).provider()).transport();
    engine =
        new TransportEngine(
            transport,
            new PekkoMembers(),
            RemoteSettings.of(ConfigFactory.empty(), Map.of(), new Properties()));
    association = transport.association(new Address("pekko", "nobody", "127.0.0.1", closedPort()));
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    engine.loops.close(() -> {});
    system.terminate();
  }

  /** One that has a frame to write, and no connection for it. */
  private static OutboundLink busy() {
    OutboundLink link =
        OutboundLink.of(engine, association, ArteryTransport.OrdinaryStreamId(), failure -> {});
    link.append(ByteBuffer.allocate(100));
    return link;
  }

  @Test
  void close_somebodyWaits_wakesHimOnce() {
    OutboundLink link = busy();
    AtomicInteger woken = new AtomicInteger();
    assertThat(link.parkIfFull(woken::incrementAndGet)).isEqualTo(OutboundLink.Room.FULL);
    link.close(null);
    assertThat(woken).hasValue(1);
    link.close(null);
    assertThat(woken).hasValue(1);
  }

  /** A thread that asked for room while the connection was open may come when it is not. */
  @Test
  void append_inThePause_isKeptForTheNextAttempt() throws InterruptedException {
    OutboundLink link = busy();
    long before = link.counters.dropped.sum();
    while (link.counters.dropped.sum() == before) { // the first frame is lost with its attempt
      Thread.onSpinWait();
    }
    long lost = link.counters.dropped.sum();
    link.append(ByteBuffer.allocate(100));
    assertThat(link.counters.dropped.sum()).isEqualTo(lost);
    assertThat(link.parkIfFull(() -> {})).isEqualTo(OutboundLink.Room.FULL);
    link.close(null);
    assertThat(link.counters.dropped.sum()).isEqualTo(lost + 1);
  }

  @Test
  void parkIfFull_afterTheEnd_saysSoAndKeepsNobody() {
    OutboundLink link = busy();
    link.close(null);
    AtomicInteger woken = new AtomicInteger();
    assertThat(link.parkIfFull(woken::incrementAndGet)).isEqualTo(OutboundLink.Room.CLOSED);
    assertThat(woken).hasValue(0);
  }

  @Test
  void parkIfFull_whileTheLinkEnds_isAlwaysToldOfTheEnd() throws Exception {
    for (int i = 0; i < RACES; i++) {
      OutboundLink link = busy();
      CyclicBarrier together = new CyclicBarrier(2);
      Thread closer =
          new Thread(
              () -> {
                meet(together);
                link.close(null);
              });
      closer.start();
      AtomicInteger woken = new AtomicInteger();
      meet(together);
      OutboundLink.Room room = link.parkIfFull(woken::incrementAndGet);
      closer.join();
      assertThat(room).isNotEqualTo(OutboundLink.Room.FREE);
      assertThat(woken).as("told %s", room).hasValue(room == OutboundLink.Room.FULL ? 1 : 0);
    }
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
