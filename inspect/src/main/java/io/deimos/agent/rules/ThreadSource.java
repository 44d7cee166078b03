// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.agent.check.Where;
import io.deimos.agent.observer.ThreadTable;
import io.deimos.recorder.trouble.AtWork;
import io.deimos.recorder.trouble.PoolThreads;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Gives the messages that were seen to have {@link Blocked} a thread. A thread is blocked while it
 * processes a message and waits for a lock, for time, or for the network. The thread that notes
 * writes, and those that look read, under the lock of the map.
 */
public final class ThreadSource implements Source {
  private static final String SEEN = "blocked";
  private static final String STARVED = "starved";
  private static final String LOOKS = "looks";

  /** How many stacks are taken in one look. */
  private static final int MAX_STACKS = 16;

  private static final int MAX_KNOWN = 256;

  /** A task that waits for so long has found no thread. */
  private static final long WAITS_NANOS = 50_000_000;

  private final Map<String, Place> places =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Place> eldest) {
          return size() > MAX_KNOWN;
        }
      };

  /** The last look at a subject. */
  private record Place(Where where, String doing, long lasting) {}

  @Override
  public void note(Past.Notes notes) {
    notes.add(LOOKS, "", 1);
    look((key, place) -> notes.add(SEEN, key, 1), dispatcher -> notes.add(STARVED, dispatcher, 1));
  }

  @Override
  public void look(Facts facts) {
    Map<String, Place> all;
    synchronized (places) {
      places.replaceAll((key, place) -> new Place(place.where, place.doing, 0));
      look((key, place) -> {}, dispatcher -> {});
      all = new LinkedHashMap<>(places);
    }
    all.forEach(
        (key, place) ->
            facts.add(
                new Blocked(
                    place.where,
                    facts.past(SEEN, key),
                    facts.past(LOOKS, ""),
                    facts.past(STARVED, place.where.dispatcher()),
                    place.doing,
                    place.lasting)));
  }

  private void look(Seen seen, Consumer<String> starved) {
    ThreadTable table = ThreadTable.now(line -> line.work() != null, ThreadTable.MAX_THREADS);
    int stacks = 0;
    for (ThreadTable.Pool pool : table.pools()) {
      if (pool.waitNanos() > WAITS_NANOS) {
        starved.accept(pool.dispatcher());
      }
      for (ThreadTable.Line line : pool.threads()) {
        AtWork work = line.work();
        if (work == null || !mayBeBlocked(line, work, table) || ++stacks > MAX_STACKS) {
          continue;
        }
        StackTraceElement[] stack = ThreadTable.stackOf(line.id());
        if (stack == null || !isBlocked(line.state(), stack)) {
          continue;
        }
        Place place = place(pool, work, stack, table.nowNanos());
        String key = String.join("\n", pool.dispatcher(), place.where.actorClass(), work.message());
        synchronized (places) {
          places.merge(key, place, (a, b) -> a.lasting > b.lasting ? a : b);
        }
        seen.at(key, place);
      }
    }
  }

  private interface Seen {
    void at(String key, Place place);
  }

  private static boolean mayBeBlocked(ThreadTable.Line line, AtWork work, ThreadTable table) {
    return line.state() != Thread.State.RUNNABLE
        || work.lastedNanos(table.nowNanos()) > WAITS_NANOS;
  }

  /** Whether a thread waits; one that waits for the network counts as running. */
  static boolean isBlocked(Thread.State state, StackTraceElement[] stack) {
    if (PoolThreads.isIdle(stack)) {
      return false; // the message ended meanwhile
    }
    StackTraceElement top = stack[0];
    return state != Thread.State.RUNNABLE
        || (top.isNativeMethod()
            && (top.getClassName().startsWith("sun.nio.ch.")
                || top.getClassName().startsWith("java.net.")
                || top.getClassName().startsWith("java.io.")));
  }

  private static Place place(
      ThreadTable.Pool pool, AtWork work, StackTraceElement[] stack, long nowNanos) {
    int own = own(stack);
    return new Place(
        Where.actor(work.actor().path(), work.actor().className())
            .message(work.message())
            .line(own < 0 ? "" : line(stack[own]))
            .on(pool.dispatcher()),
        method(stack[own > 0 ? own - 1 : 0]),
        work.lastedNanos(nowNanos));
  }

  /** The innermost frame that is the application's; -1 if there is none. */
  static int own(StackTraceElement[] stack) {
    for (int i = 0; i < stack.length; i++) {
      if (!isLibrary(stack[i].getClassName())) {
        return i;
      }
    }
    return -1;
  }

  /** As {@code shop.Pay.charge(Pay.java:42)}, without class loader and module. */
  private static String line(StackTraceElement frame) {
    String all = frame.toString();
    return all.substring(all.lastIndexOf('/', all.indexOf('(')) + 1);
  }

  /** As {@code Thread.sleep}. */
  private static String method(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.')
        + '.'
        + frame.getMethodName();
  }

  private static boolean isLibrary(String type) {
    return type.startsWith("java.")
        || type.startsWith("jdk.")
        || type.startsWith("sun.")
        || type.startsWith("scala.")
        || type.startsWith("org.apache.pekko.")
        || type.startsWith("akka.");
  }
}
