// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.remote.AddressUidExtension;
import org.apache.pekko.remote.RemoteActorRefProvider;
import scala.Some;

/** Puts a peer under quarantine, as Pekko does when it has lost system messages. */
final class Quarantines {
  private Quarantines() {}

  static void addTo(Rows all) {
    all.add("quarantine", Quarantines::quarantine);
    all.add("poke", Quarantines::poke);
  }

  static long uid(ActorSystem system) {
    return AddressUidExtension.get(system).longAddressUid();
  }

  private static void quarantine(Stage stage) throws Exception {
    Object uid =
        Patterns.ask(stage.remote("/user/echo"), new Messages.WhatUid(), Stage.PATIENCE)
            .toCompletableFuture()
            .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    RemoteActorRefProvider provider =
        (RemoteActorRefProvider) ((ExtendedActorSystem) stage.system()).provider();
    provider.quarantine(stage.peer(), new Some<>(uid), "because the row wants it");
  }

  /** A message that may be dropped. */
  private static void poke(Stage stage) {
    stage.selection("/user/echo").tell("poke", ActorRef.noSender());
  }
}
