// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.counts.Watched;
import io.deimos.recorder.woven.RefFields;
import java.lang.reflect.Field;
import java.util.Arrays;
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
    ActorContext<?> owner = owner(stash);
    Object identity =
        owner == null
            ? null
            : ((RefFields) (Object) Adapter.toClassic(owner.self())).deimos$identity();
    if (identity instanceof ActorTelemetry actor
        && actor.isAlive()
        && actor.kind().system().equals(system.name())
        && !actor.kind().isSilent()
        && !actor.kind().isHidden()) {
      into.add(Metric.STASH_SIZE, stash.size(), system.name(), actor.kind().className());
    }
  }

  private @Nullable ActorContext<?> owner(StashBufferImpl<?> stash) {
    try {
      return context == null ? null : (ActorContext<?>) context.get(stash);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
