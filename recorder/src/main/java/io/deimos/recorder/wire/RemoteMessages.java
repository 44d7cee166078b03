// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.woven.ContextFields;
import org.jspecify.annotations.Nullable;

/**
 * The messages that take their sender's context to another node: the application's, and those of
 * Pekko's that have one of the application's inside or are sent for one. Not those by which nodes
 * keep in touch. Safe for any thread.
 */
public final class RemoteMessages {
  private static final String PEKKO = "org.apache.pekko.";
  private static final String[] INTERNAL = {
    PEKKO + "remote.",
    PEKKO + "dispatch.sysmsg.",
    PEKKO + "cluster.ddata.",
    PEKKO + "cluster.typed.",
    PEKKO + "actor.Identify",
    PEKKO + "actor.ActorIdentity",
    PEKKO + "cluster.sharding.ShardCoordinator",
    PEKKO + "cluster.singleton.ClusterSingletonManager$",
    PEKKO + "cluster.pubsub.DistributedPubSubMediator$Internal$Status",
    PEKKO + "cluster.pubsub.DistributedPubSubMediator$Internal$Delta",
    PEKKO + "cluster.client.ClusterReceptionist$Internal$Heartbeat",
  };

  /** Right below {@code cluster.} there are gossip, heartbeats, joining and leaving. */
  private static final String CLUSTER = PEKKO + "cluster.";

  /** Messages that may be sent again long after the first time, and keep its context. */
  private static final String SEQUENCED =
      PEKKO + "actor.typed.delivery.ConsumerController$SequencedMessage";

  /** The context that a message takes along. */
  private enum Whose {
    NOBODYS,
    SENDERS,
    ITS_OWN
  }

  private static final ClassValue<Whose> WHOSE =
      new ClassValue<>() {
        @Override
        protected Whose computeValue(Class<?> type) {
          String name = PekkoNames.of(type.getName());
          return name.equals(SEQUENCED)
              ? Whose.ITS_OWN
              : carries(name) ? Whose.SENDERS : Whose.NOBODYS;
        }
      };

  private RemoteMessages() {}

  public static boolean carriesContext(Object message) {
    return WHOSE.get(message.getClass()) != Whose.NOBODYS;
  }

  /** The carrier of a context of its own, or null. */
  public static @Nullable ContextFields own(Object message) {
    return WHOSE.get(message.getClass()) == Whose.ITS_OWN && message instanceof ContextFields own
        ? own
        : null;
  }

  public static boolean carries(String className) {
    String name = PekkoNames.of(className);
    if (!name.startsWith(PEKKO)) {
      return true;
    }
    for (String prefix : INTERNAL) {
      if (name.startsWith(prefix)) {
        return false;
      }
    }
    return !name.startsWith(CLUSTER) || name.indexOf('.', CLUSTER.length()) > 0;
  }
}
