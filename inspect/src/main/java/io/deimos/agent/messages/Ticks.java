// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import io.deimos.agent.budget.Scan;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages of one class that a timer sent to an actor. Those of a timer that was armed within no
 * trace are known by their equal intervals, and that no other actor sent them.
 *
 * @param seen how many, at most {@value #MAX}, the last ones
 * @param intervalNanos between the times at which they were sent, the mean
 * @param handlingNanos the mean
 * @param waitNanos how long the last one waited
 */
public record Ticks(
    String actor,
    String actorClass,
    String messageClass,
    int seen,
    long intervalNanos,
    long handlingNanos,
    long waitNanos,
    long sinceEpochNanos) {
  static final int MAX = 32;

  private static final int MAX_RECORDS = 1 << 16;
  private static final int MAX_TIMERS = 1000;

  /** A message is as much work as so many characters that are searched. */
  private static final int CHARACTERS = 32;

  /** One in so many intervals may be uneven. */
  private static final int EVEN = 10;

  /** The scheduler may be late by its tick. */
  private static final long TICK_NANOS = 10_000_000;

  /** Reads them off the last messages. There are fewer if the scan does not go on. */
  public static List<Ticks> read(MessageLog log, Scan scan) {
    Map<Long, Sent> timers = new HashMap<>();
    MessageRecord record = new MessageRecord();
    long end = log.written();
    for (long number = end - 1;
        number >= Math.max(0, end - MAX_RECORDS)
            && scan.goesOn(CHARACTERS)
            && log.copy(number, record);
        number--) {
      if (mayBeTick(record)) {
        long key = (long) record.receiver() << 16 | record.messageClass();
        Sent sent = timers.get(key);
        if (sent == null && timers.size() < MAX_TIMERS) {
          sent = new Sent(record);
          timers.put(key, sent);
        }
        if (sent != null) {
          sent.add(record);
        }
      }
    }
    List<Ticks> all = new ArrayList<>();
    timers.forEach(
        (key, sent) -> {
          ActorTelemetry actor = Actors.byId((int) (key >> 16));
          if (actor != null && sent.isOfTimer()) {
            all.add(sent.read(actor, MessageClasses.byId((int) (key & 0xFFFF)).name()));
          }
        });
    return all;
  }

  /** If a timer was armed within no trace, its messages begin one each, as those of nobody. */
  private static boolean mayBeTick(MessageRecord record) {
    boolean isOfNobody = record.sender() == 0 && record.senderKind() == 0;
    return record.waitNanos() >= 0
        && (record.origin() == Origin.TIMER
            || (record.origin() == Origin.TOLD
                && record.parentId() == 0
                && (isOfNobody || record.sender() == record.receiver())));
  }

  /** The last ones of a timer, the newest first. */
  private static final class Sent {
    private final long[] sent = new long[MAX];
    private boolean isTimer = true;
    private final long lastWait;
    private int count;
    private long nanos;
    private long since;

    Sent(MessageRecord last) {
      lastWait = last.waitNanos();
    }

    void add(MessageRecord record) {
      if (count < MAX) {
        sent[count++] = record.start() - record.waitNanos();
        isTimer &= record.origin() == Origin.TIMER;
        nanos += record.nanos();
        since = record.start();
      }
    }

    boolean isOfTimer() {
      long[] intervals = new long[count - 1];
      Arrays.setAll(intervals, i -> sent[i] - sent[i + 1]);
      Arrays.sort(intervals);
      if (isTimer || intervals.length < EVEN / 2) {
        return isTimer && intervals.length > 0;
      }
      long median = intervals[intervals.length / 2];
      long slack = Math.max(median / 5, Math.min(TICK_NANOS, median / 2));
      long uneven = Arrays.stream(intervals).filter(one -> Math.abs(one - median) > slack).count();
      return median > 0 && uneven * EVEN <= intervals.length;
    }

    Ticks read(ActorTelemetry actor, String messageClass) {
      return new Ticks(
          actor.path(),
          actor.className(),
          messageClass,
          count,
          (sent[0] - sent[count - 1]) / (count - 1),
          nanos / count,
          lastWait,
          Clock.epochNanos(since));
    }
  }
}
