// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.counts.Watched;
import io.deimos.recorder.housekeeping.MessageSearch;
import io.deimos.recorder.housekeeping.WaitingMessage;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.RefFields;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.internal.StashBufferImpl;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.scaladsl.ActorContext;
import org.jspecify.annotations.Nullable;

/** How much typed actors have put aside; their stashes are known from the moment they are made. */
final class TypedStashes implements SystemGauges.Part {
  private final ExtendedActorSystem system;
  private final @Nullable Field context;

  TypedStashes(ExtendedActorSystem system) {
    this.system = system;
    this.context =
        Arrays.stream(StashBufferImpl.class.getDeclaredFields())
            .filter(field -> field.getType() == ActorContext.class)
            .findFirst()
            .orElse(null);
    if (context != null) {
      context.setAccessible(true);
    }
  }

  @Override
  public String what() {
    return "stashes of typed actors";
  }

  @Override
  public void read(Readings into) {
    Watched.TYPED_STASHES.forEach(
        stash -> {
          if (stash instanceof StashBufferImpl<?> known) {
            read(known, into);
          }
        });
  }

  private void read(StashBufferImpl<?> stash, Readings into) {
    ActorTelemetry actor = actor(stash);
    if (actor != null
        && actor.isAlive()
        && actor.kind().system().equals(system.name())
        && !actor.kind().isSilent()
        && !actor.kind().isHidden()) {
      into.add(Metric.STASH_SIZE, stash.size(), system.name(), actor.kind().className());
    }
  }

  @Override
  public void search(MessageSearch search) throws ReflectiveOperationException {
    List<StashBufferImpl<?>> all = new ArrayList<>();
    Watched.TYPED_STASHES.forEach(
        stash -> {
          if (stash instanceof StashBufferImpl<?> known) {
            all.add(known);
          }
        });
    for (StashBufferImpl<?> stash : all) {
      ActorTelemetry actor = actor(stash);
      if (!search.goesOn()) {
        return;
      }
      if (actor != null
          && actor.kind().system().equals(system.name())
          && !actor.kind().isHidden()
          && search.wants(actor)) {
        nodes(actor, stash, search);
      }
    }
  }

  /** The owner may take messages out meanwhile; what it has taken out still leads to the rest. */
  private static void nodes(ActorTelemetry actor, StashBufferImpl<?> stash, MessageSearch search)
      throws ReflectiveOperationException {
    int position = 0;
    for (Object node = Reflect.field(StashBufferImpl.class, "_first").get(stash);
        node != null;
        node = Reflect.field(node.getClass(), "next").get(node)) {
      Object message = Reflect.field(node.getClass(), "message").get(node);
      Trace trace = node instanceof ContextFields fields ? fields.deimos$trace() : null;
      if (message != null
          && !search.see(
              new WaitingMessage(
                  WaitingMessage.Place.STASH,
                  actor,
                  "",
                  ++position,
                  message,
                  new WaitingMessage.Sending(
                      null,
                      trace,
                      node instanceof ContextFields fields ? fields.deimos$parent() : 0,
                      trace == null ? 0 : trace.stashed)))) {
        return;
      }
    }
  }

  private @Nullable ActorTelemetry actor(StashBufferImpl<?> stash) {
    ActorContext<?> owner = owner(stash);
    return owner != null
            && ((RefFields) (Object) Adapter.toClassic(owner.self())).deimos$identity()
                instanceof ActorTelemetry actor
        ? actor
        : null;
  }

  private @Nullable ActorContext<?> owner(StashBufferImpl<?> stash) {
    try {
      return context == null ? null : (ActorContext<?>) context.get(stash);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
