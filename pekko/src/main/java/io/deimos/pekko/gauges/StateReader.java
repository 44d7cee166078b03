// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.base.PekkoNames;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.FSM;
import org.jspecify.annotations.Nullable;

/**
 * Finds the state of an actor, on its thread: of a classic actor its fields; of a typed one the
 * objects of the application that its behaviour holds; of both what the functions have captured
 * that take the next message. Calls nothing of the application.
 *
 * <p>It follows those of Pekko's own objects that make up a behaviour, at most {@value
 * #MAX_LOOKED}.
 */
final class StateReader {
  private static final int MAX_LOOKED = 200;
  private static final String TYPED = "org.apache.pekko.actor.typed.internal.adapter.ActorAdapter";

  /** Words in the names of the classes that are parts of behaviours. */
  private static final Pattern PARTS =
      Pattern.compile(
          ".*(Behavior|Interceptor|Receive|\\$Case|CaseStatement|OrElse|Running|\\$\\$Lambda"
              + "|\\$\\$anonfun).*");

  private final StateText text;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> captured = Collections.newSetFromMap(new IdentityHashMap<>());

  private StateReader(StateText text) {
    this.text = text;
  }

  /**
   * The state in lines.
   *
   * @param opens whether the fields of a class may be shown, by its name; other objects are told by
   *     their classes
   */
  static String read(ActorCell cell, Predicate<String> opens) throws ReflectiveOperationException {
    StateText text = new StateText(opens);
    StateReader reader = new StateReader(text);
    Actor actor = cell.actor();
    if (actor != null && PekkoNames.of(actor.getClass().getName()).equals(TYPED)) {
      reader.search(Reflect.call(actor, "currentBehavior"));
    } else if (actor != null) {
      reader.seen.add(actor);
      text.part(StateText.shortName(actor.getClass()), actor, value -> false);
      if (actor instanceof FSM<?, ?> fsm) {
        text.line("state of the FSM", fsm.stateName());
        text.line("data of the FSM", fsm.stateData());
      }
      scala.collection.Iterator<?> behaviors =
          ((scala.collection.Iterable<?>) Reflect.call(cell, "behaviorStack")).iterator();
      if (behaviors.hasNext()) {
        reader.search(behaviors.next());
      }
    }
    return text.said();
  }

  private void search(Object behavior) {
    Queue<Object> open = new ArrayDeque<>();
    open.add(behavior);
    while (!open.isEmpty() && seen.size() < MAX_LOOKED) {
      Object at = open.remove();
      if (seen.add(at)) {
        look(at, open);
      }
    }
  }

  private void look(Object at, Queue<Object> open) {
    Class<?> type = at.getClass();
    String name = type.getName();
    boolean library = PekkoNames.isPekkos(name) || name.startsWith("scala.");
    if (at instanceof Object[] parts) {
      for (Object part : parts) {
        add(part, open);
      }
    } else if (library && name.endsWith("Running$RunningState")) {
      StateText.fields(
          at,
          (field, value) -> {
            if (field.equals("state")) {
              text.line("event-sourced state", value);
            }
          });
    } else if (library) {
      if (!name.contains("Setup") && PARTS.matcher(name).matches()) {
        StateText.fields(at, (field, value) -> add(value, open));
      }
    } else if (text.isOpen(type)) {
      String host = StateText.shortName(type);
      if (StateText.isFunction(type)) {
        text.part("captured by a function of " + host, at, value -> isApart(value, open));
      } else {
        text.part(captured.contains(at) ? host + ", captured by a function" : host, at, v -> false);
      }
    }
  }

  /** An object that functions have captured is told once, however many of them have it. */
  private boolean isApart(@Nullable Object value, Queue<Object> open) {
    if (value == null || !text.isOpen(value.getClass()) || value instanceof Enum<?>) {
      return false;
    }
    captured.add(value);
    open.add(value);
    return true;
  }

  private static void add(@Nullable Object value, Queue<Object> open) {
    if (value instanceof Object[] || (value != null && value.getClass().getClassLoader() != null)) {
      open.add(value);
    }
  }
}
