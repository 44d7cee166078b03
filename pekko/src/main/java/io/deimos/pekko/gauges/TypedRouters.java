// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.counts.Watched;
import io.deimos.recorder.woven.RefFields;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.internal.routing.GroupRouterImpl;
import org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl;
import org.apache.pekko.actor.typed.internal.routing.RoutingLogic;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;

/** How many routees typed routers have; the routers are known from the moment they are made. */
final class TypedRouters implements SystemGauges.Part {
  /** As it is told of classic groups. */
  private static final String NOBODY = "org.apache.pekko.actor.Actor";

  private static final String SELF_TEST = "/deimos-self-test";

  private final ExtendedActorSystem system;
  private final @Nullable Field logic;

  TypedRouters(ExtendedActorSystem system) {
    this.system = system;
    this.logic = fieldOf(GroupRouterImpl.class, RoutingLogic.class);
  }

  @Override
  public String what() {
    return "typed routers";
  }

  @Override
  public void read(Readings into) throws ReflectiveOperationException {
    ReflectiveOperationException[] failure = new ReflectiveOperationException[1];
    Watched.TYPED_ROUTERS.forEach(
        router -> {
          try {
            look(router, into);
          } catch (ReflectiveOperationException e) {
            failure[0] = e;
          }
        });
    if (failure[0] != null) {
      throw failure[0];
    }
  }

  private void look(Object router, Readings into) throws ReflectiveOperationException {
    if (router instanceof PoolRouterImpl<?> pool) {
      ActorRef self = Adapter.toClassic(pool.context().self());
      if (isHere(self)) {
        readPool(self, into);
      }
    } else if (router instanceof GroupRouterImpl<?> group
        && logic != null
        && isHere(Adapter.toClassic(group.context().self()))) {
      into.add(Metric.ROUTEES, routees(logic.get(group)), system.name(), NOBODY);
    }
  }

  private boolean isHere(ActorRef router) {
    return identity(router) instanceof ActorTelemetry actor
        && actor.isAlive()
        && actor.kind().system().equals(system.name())
        && !actor.path().contains(SELF_TEST);
  }

  private static @Nullable Object identity(ActorRef ref) {
    return ((RefFields) (Object) ref).deimos$identity();
  }

  private void readPool(ActorRef router, Readings into) {
    if (router instanceof ActorRefWithCell with && with.underlying() instanceof ActorCell cell) {
      for (Iterator<ActorRef> routees = cell.children().iterator(); routees.hasNext(); ) {
        if (identity(routees.next()) instanceof ActorTelemetry routee
            && !routee.kind().isProvisional()) {
          into.add(Metric.ROUTEES, 1, system.name(), routee.kind().className());
        }
      }
    }
  }

  /** An array of them, or a map, as the ways of routing keep them. */
  private static int routees(@Nullable Object logic) throws IllegalAccessException {
    if (logic == null) {
      return 0;
    }
    for (Field field : logic.getClass().getDeclaredFields()) {
      if (field.getType().isArray()) {
        field.setAccessible(true);
        Object routees = field.get(logic);
        return routees == null ? 0 : Array.getLength(routees);
      }
      if (scala.collection.Map.class.isAssignableFrom(field.getType())) {
        field.setAccessible(true);
        return field.get(logic) instanceof scala.collection.Map<?, ?> routees ? routees.size() : 0;
      }
    }
    return 0;
  }

  private static @Nullable Field fieldOf(Class<?> in, Class<?> type) {
    for (Field field : in.getDeclaredFields()) {
      if (field.getType() == type) {
        field.setAccessible(true);
        return field;
      }
    }
    return null;
  }
}
