// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.compress;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.AssociationState;
import org.apache.pekko.remote.artery.InboundContext;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.remote.artery.compress.InboundCompressions;
import org.junit.jupiter.api.Test;

class PeerCompressionsTest {
  private static final long UID = 7;

  /** The answer of an interface, by the name of the method. */
  private static <T> T answering(Class<T> type, Function<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            PeerCompressionsTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.apply(method.getName())));
  }

  @Test
  void advertisement_isSent_whileOthersMayUseTheTables() {
    ActorSystem system =
        ActorSystem.create(
            "tables",
            ConfigFactory.parseString(
                    """
                    pekko {
                      loglevel = OFF
                      stdout-loglevel = OFF
                      actor.provider = remote
                      remote.use-unsafe-remote-features-outside-cluster = on
                      remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
                    }
                    """)
                .withFallback(ConfigFactory.load()));
    try {
      ExtendedActorSystem extended = (ExtendedActorSystem) system;
      ArteryTransport transport =
          (ArteryTransport) ((RemoteActorRefProvider) extended.provider()).transport();
      ActorRef actor = system.actorOf(Props.empty(), "actor");
      List<Boolean> free = new ArrayList<>();
      PeerCompressions[] tables = new PeerCompressions[1];
      OutboundContext association =
          answering(
              OutboundContext.class,
              method ->
                  switch (method) {
                    case "associationState" -> AssociationState.apply();
                    case "isOrdinaryMessageStreamActive" -> true;
                    case "remoteAddress" -> actor.path().address();
                    case "sendControl" -> {
                      free.add(isFree(tables[0]));
                      yield null;
                    }
                    default -> throw new UnsupportedOperationException(method);
                  });
      InboundContext context =
          answering(
              InboundContext.class,
              method ->
                  switch (method) {
                    case "association" -> association;
                    case "localAddress" -> transport.localAddress();
                    default -> throw new UnsupportedOperationException(method);
                  });
      tables[0] =
          new PeerCompressions(
              extended,
              context,
              transport.settings().Advanced().Compression(),
              transport.flightRecorder());
      tables[0].use(all -> all.hitActorRef(UID, actor.path().address(), actor, 1));
      tables[0].useAndSend(InboundCompressions::runNextActorRefAdvertisement);
      assertThat(free).containsExactly(true);
    } finally {
      system.terminate();
    }
  }

  /** Whether another thread gets at the tables at once. */
  private static boolean isFree(PeerCompressions tables) {
    AtomicBoolean used = new AtomicBoolean();
    CompletableFuture.runAsync(() -> tables.tryUse(all -> used.set(true))).join();
    return used.get();
  }
}
