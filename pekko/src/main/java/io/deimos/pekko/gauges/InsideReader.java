// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.housekeeping.ActorInside;
import io.deimos.recorder.housekeeping.ActorInside.Entry;
import io.deimos.recorder.housekeeping.ActorInside.Kind;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.FSM;
import org.apache.pekko.actor.Timers;
import org.jspecify.annotations.Nullable;
import scala.concurrent.duration.FiniteDuration;

/**
 * Reads what Pekko has for one actor, on that actor's thread. Objects of the application's are told
 * by their classes; none of their methods is called.
 */
final class InsideReader {
  private static final String WATCHING = "org$apache$pekko$actor$dungeon$DeathWatch$$watching";
  private static final String WATCHED_BY = "org$apache$pekko$actor$dungeon$DeathWatch$$watchedBy";
  private static final String TYPED = "org.apache.pekko.actor.typed.internal.adapter.ActorAdapter";
  private static final String TYPED_TIMERS =
      "org$apache$pekko$actor$typed$internal$ActorContextImpl$$_timer";
  private static final String UNCONFIRMED =
      "org$apache$pekko$persistence$AtLeastOnceDeliveryLike$$unconfirmed";

  private final ActorCell cell;
  private final List<Entry> entries = new ArrayList<>();
  private final List<String> notRead = new ArrayList<>();
  private @Nullable String state;

  private InsideReader(ActorCell cell) {
    this.cell = cell;
  }

  /**
   * @param opens whether the fields of a class may be shown, by its name; null for no state
   */
  static ActorInside read(ActorCell cell, @Nullable Predicate<String> opens) {
    InsideReader reader = new InsideReader(cell);
    reader.part("Timers", reader::timers);
    reader.part("The receive time-out", reader::receiveTimeout);
    reader.part("The actors that it watches", () -> reader.refs(Kind.WATCHES, WATCHING));
    reader.part("The actors that watch it", () -> reader.refs(Kind.WATCHED_BY, WATCHED_BY));
    reader.part("Children", reader::children);
    reader.part("Deliveries", reader::deliveries);
    if (opens != null) {
      reader.part("The state", () -> reader.state = StateReader.read(cell, opens));
    }
    return new ActorInside(
        List.copyOf(reader.entries), List.copyOf(reader.notRead), reader.state, false);
  }

  private interface Part {
    void read() throws ReflectiveOperationException;
  }

  private void part(String what, Part part) {
    try {
      part.read();
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      notRead.add(what + " cannot be read on this version of Pekko (" + e.getClass() + ").");
    }
  }

  private void timers() throws ReflectiveOperationException {
    Actor actor = cell.actor();
    if (actor == null) {
      return;
    }
    if (actor instanceof Timers timers) {
      timers(Reflect.call(timers.org$apache$pekko$actor$Timers$$_timers(), "timers"));
    }
    if (actor instanceof FSM<?, ?> fsm) {
      timers(fsm.org$apache$pekko$actor$FSM$$timers());
    }
    if (actor.getClass().getName().equals(TYPED)) {
      Object context = Reflect.field(actor.getClass(), "_ctx").get(actor);
      Object scheduler =
          context == null ? null : Reflect.field(context.getClass(), TYPED_TIMERS).get(context);
      if (scheduler != null) {
        timers(Reflect.call(scheduler, "timers"));
      }
    }
  }

  private void timers(Object byKey) throws ReflectiveOperationException {
    scala.collection.Iterator<?> all = ((scala.collection.Map<?, ?>) byKey).iterator();
    for (int i = 0; all.hasNext(); i++) {
      scala.Tuple2<?, ?> one = (scala.Tuple2<?, ?>) all.next();
      if (isCut(i, "timers")) {
        return;
      }
      Object message = Reflect.call(one._2(), "msg");
      Field repeats = Reflect.fieldOrNull(one._2().getClass(), "repeat");
      String detail =
          repeats == null ? "" : repeats.getBoolean(one._2()) ? "again and again" : "once";
      add(Kind.TIMER, plain(one._1()), detail, message.getClass().getName(), -1);
    }
  }

  private void receiveTimeout() {
    if (cell.receiveTimeout() instanceof FiniteDuration duration) {
      add(Kind.RECEIVE_TIMEOUT, "", "", "", duration.toNanos());
    }
  }

  private void refs(Kind kind, String field) throws ReflectiveOperationException {
    Object all = Reflect.call(cell, field);
    scala.collection.Iterator<?> refs =
        all instanceof scala.collection.Map<?, ?> map
            ? map.keysIterator()
            : ((scala.collection.Iterable<?>) all).iterator();
    refs(kind, refs);
  }

  private void children() {
    refs(Kind.CHILD, cell.children().iterator());
  }

  private void refs(Kind kind, scala.collection.Iterator<?> refs) {
    for (int i = 0; refs.hasNext(); i++) {
      ActorRef ref = (ActorRef) refs.next();
      if (isCut(i, kind.name().toLowerCase(Locale.ROOT))) {
        return;
      }
      add(kind, ref.path().toString(), "", "", -1);
    }
  }

  /** Messages that at-least-once delivery sends again until they are confirmed. */
  private void deliveries() throws ReflectiveOperationException {
    Actor actor = cell.actor();
    Field field = actor == null ? null : Reflect.fieldOrNull(actor.getClass(), UNCONFIRMED);
    if (field == null) {
      return;
    }
    scala.collection.Iterator<?> all =
        ((scala.collection.Map<?, ?>) field.get(actor)).valuesIterator();
    for (int i = 0; all.hasNext(); i++) {
      Object delivery = all.next();
      if (isCut(i, "deliveries")) {
        return;
      }
      add(
          Kind.DELIVERY,
          String.valueOf(Reflect.call(delivery, "destination")),
          Reflect.call(delivery, "attempt") + " attempts",
          Reflect.call(delivery, "message").getClass().getName(),
          -1);
    }
  }

  private boolean isCut(int count, String what) {
    if (count < ActorInside.MAX_OF_KIND) {
      return false;
    }
    notRead.add("There are more " + what + " than the " + count + " that are read.");
    return true;
  }

  private void add(Kind kind, String name, String detail, String message, long nanos) {
    entries.add(new Entry(kind, name, detail, message, nanos));
  }

  /** A key, if it is a plain value; else its class. */
  private static String plain(@Nullable Object key) {
    if (key instanceof String || key instanceof Number || key instanceof Boolean) {
      return key instanceof Number && key.getClass().getClassLoader() != null
          ? key.getClass().getName()
          : key.toString();
    }
    return key instanceof Enum<?> word
        ? word.name()
        : key == null ? "null" : key.getClass().getName();
  }
}
