// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Watched;
import org.jspecify.annotations.Nullable;

/** Called by woven code when a router passes a message on. Safe for any thread. */
public final class RouterHooks {
  public static final Hook ROUTED = Hook.named("RoutedActorCell.sendMessage");
  public static final Hook POOL_ROUTED = Hook.named("PoolRouterImpl.onMessage");
  public static final Hook GROUP_ROUTED = Hook.named("GroupRouterImpl.onMessage");

  private static final Hook POOL_MADE = Hook.named("PoolRouterImpl.<init>");
  private static final Hook GROUP_MADE = Hook.named("GroupRouterImpl.<init>");

  private static final int ONE_IN = 64;

  /** Pekko's word for the routees of a group: they are any actors, made elsewhere. */
  private static final String NOBODY = "org.apache.pekko.actor.Actor";

  private RouterHooks() {}

  /** When a message's routing began; 0 if it is not timed, as most are not. */
  public static long begin(Hook hook) {
    hook.fires();
    ThreadState s = ThreadState.currentOrNewOfPlatform();
    return s != null && (s.routed++ & (ONE_IN - 1)) == 0 ? Clock.now() : 0;
  }

  /**
   * It is routed.
   *
   * @param routeeClass class of the routees
   */
  public static void end(long begunNanos, String system, String routeeClass) {
    if (!routeeClass.startsWith("io.deimos.pekko.selftest.")) {
      Metric.ROUTING.tally().duration(Clock.now() - begunNanos, system, routeeClass);
    }
  }

  /** A typed router has been made that has routees of its own. */
  public static void poolMade(Object router) {
    POOL_MADE.fires();
    Watched.TYPED_ROUTERS.add(router);
  }

  /** A typed router has been made whose routees registered themselves. */
  public static void groupMade(Object router) {
    GROUP_MADE.fires();
    Watched.TYPED_ROUTERS.add(router);
  }

  /**
   * A typed pool has routed a message. Before its routees have begun their class is not known: then
   * the next message is timed in this one's place.
   *
   * @param routee the identity of one of the routees
   */
  public static void endOfPool(long begunNanos, @Nullable Object routee) {
    if (routee instanceof ActorTelemetry known) {
      ActorKind kind = known.kind();
      if (!kind.isProvisional()) {
        end(begunNanos, kind.system(), kind.className());
      } else {
        ThreadState s = ThreadState.currentOrNew();
        s.routed = (s.routed | (ONE_IN - 1)) + 1;
      }
    }
  }

  /**
   * A typed group has routed a message.
   *
   * @param router the router's own identity
   */
  public static void endOfGroup(long begunNanos, @Nullable Object router) {
    if (router instanceof ActorTelemetry known && !known.kind().isHidden()) {
      end(begunNanos, known.kind().system(), NOBODY);
    }
  }
}
