// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sharded entities that were started again soon after they were started before, seen by the
 * first message of each start.
 *
 * <p><b>Threads.</b> The drainer writes when an actor has its first message, any thread reads,
 * under the lock.
 *
 * <p><b>Full.</b> The entity goes that was not started for longest.
 */
public final class EntityStarts {
  /** Starts so close belong together. Rarer ones cost little, however short an entity stays. */
  static final long SOON_NANOS = 30_000_000_000L;

  /** About as much as an entity takes here, with its path. */
  static final int BYTES = 500;

  private final Map<String, Start> byPath;

  /**
   * @param bytes what it may take
   */
  EntityStarts(long bytes) {
    byPath =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Start> eldest) {
            return size() > bytes / BYTES;
          }
        };
  }

  /**
   * The first message of an actor was processed.
   *
   * @param now by the recorder's clock
   */
  void seen(ActorTelemetry actor, long now) {
    String path = actor.path();
    if (path.contains("/system/sharding/")) {
      started(path, actor, now);
    }
  }

  private synchronized void started(String path, ActorTelemetry actor, long now) {
    Start before = byPath.get(path);
    if (before != null && before.id == actor.id()) {
      return; // known, but for a while it had no place among the actors that are followed
    }
    Start recent = before != null && now - before.nanos < SOON_NANOS ? before : null;
    int starts = recent == null ? 1 : recent.entity.starts + 1;
    long nanos = recent == null ? 0 : recent.entity.nanos + now - recent.nanos;
    byPath.put(
        path,
        new Start(
            actor.id(),
            now,
            new Repeated(path, actor.className(), starts, nanos, Clock.epochNanos(now - nanos))));
  }

  /**
   * The entities that were started twice or more, each time soon after the time before.
   *
   * @param now by the recorder's clock
   */
  synchronized List<Repeated> repeated(long now) {
    return byPath.values().stream()
        .filter(start -> start.entity.starts > 1 && now - start.nanos < SOON_NANOS)
        .map(Start::entity)
        .toList();
  }

  synchronized long bytes() {
    return (long) byPath.size() * BYTES;
  }

  /**
   * An entity that was started again and again.
   *
   * @param nanos between the first of these starts and the last
   */
  public record Repeated(
      String actor, String actorClass, int starts, long nanos, long sinceEpochNanos) {}

  private record Start(int id, long nanos, Repeated entity) {}
}
