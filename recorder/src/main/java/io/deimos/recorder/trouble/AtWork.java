// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.ring.Lane;
import org.jspecify.annotations.Nullable;

/**
 * The message that a thread is processing, as another thread sees it: the innermost one that is
 * counted. Its parts are read one after the other while that thread goes on; of a message that took
 * the place of another meanwhile there is none.
 *
 * @param message the class's full name
 * @param startNanos {@link Clock#now} when processing began; 0 if the message is not timed
 * @param traceHi first half of its trace; 0 with {@code traceLo} for none
 * @param traceLo second half
 * @param spanId its span; 0 for none
 */
public record AtWork(
    ActorTelemetry actor,
    String message,
    long startNanos,
    long traceHi,
    long traceLo,
    long spanId) {

  /** The present work of the owner of a lane; null if that is nothing, or the self-test's. */
  public static @Nullable AtWork of(Lane lane) {
    ThreadState s = ThreadState.using(lane);
    if (s == null) {
      return null;
    }
    for (Frame f = s.at; f != null; f = f.outer) {
      if (f.isBusy() && f.record.work >= OpenRecord.COUNT) {
        return of(s, f);
      }
    }
    return null;
  }

  private static @Nullable AtWork of(ThreadState s, Frame f) {
    OpenRecord record = f.record;
    int work = record.work;
    long start = record.start;
    ActorTelemetry actor = record.actor;
    MessageCell cell = s.cell(f);
    if (actor == null || cell == null || actor.kind().isHidden()) {
      return null;
    }
    boolean recorded = work == OpenRecord.RECORD;
    AtWork seen =
        new AtWork(
            actor,
            cell.message.name(),
            work >= OpenRecord.TIME ? start : 0,
            recorded ? record.hi : 0,
            recorded ? record.lo : 0,
            recorded ? f.spanId : 0);
    return f.isBusy() && record.work == work && record.start == start && record.actor == actor
        ? seen
        : null;
  }

  /** For how long it has been so, in nanoseconds; 0 if that is not known. */
  public long lastedNanos(long nowNanos) {
    return startNanos == 0 ? 0 : Math.max(0, nowNanos - startNanos);
  }
}
