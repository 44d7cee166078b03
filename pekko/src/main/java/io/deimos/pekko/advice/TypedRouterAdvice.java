// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.RouterHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.internal.routing.GroupRouterImpl;
import org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;

/** Copied into {@code PoolRouterImpl} and {@code GroupRouterImpl}. */
@SuppressWarnings("unused") // copied into Pekko
final class TypedRouterAdvice {
  private TypedRouterAdvice() {}

  /** {@code PoolRouterImpl.<init>}. */
  static final class PoolMade {
    private PoolMade() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object router) {
      RouterHooks.poolMade(router);
    }
  }

  /** {@code GroupRouterImpl.<init>}. */
  static final class GroupMade {
    private GroupMade() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object router) {
      RouterHooks.groupMade(router);
    }
  }

  /** {@code PoolRouterImpl.onMessage}. */
  static final class Pool {
    private Pool() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return RouterHooks.begin(RouterHooks.POOL_ROUTED);
    }

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Enter long begunNanos, @Advice.This PoolRouterImpl<?> router) {
      if (begunNanos != 0) {
        Iterator<ActorRef> routees =
            Adapter.toClassic(router.context().asJava()).children().iterator();
        if (routees.hasNext()) {
          RouterHooks.endOfPool(
              begunNanos, ((RefFields) (Object) routees.next()).deimos$identity());
        }
      }
    }
  }

  /** {@code GroupRouterImpl.onMessage}, which is also told who the routees are. */
  static final class Group {
    private Group() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.Argument(0) @Nullable Object message) {
      return message instanceof Receptionist.Listing
          ? 0
          : RouterHooks.begin(RouterHooks.GROUP_ROUTED);
    }

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Enter long begunNanos, @Advice.This GroupRouterImpl<?> router) {
      if (begunNanos != 0) {
        RouterHooks.endOfGroup(
            begunNanos,
            ((RefFields) (Object) Adapter.toClassic(router.context().self())).deimos$identity());
      }
    }
  }
}
