// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.woven.RefFields;
import org.jspecify.annotations.Nullable;

/**
 * The asks that ended last, each as a {@link MessageRecord}: from the asker to the one who was
 * asked, from the ask to its end, failed if its time ran out. The wait is the time-out.
 *
 * <p><b>Threads.</b> As of {@link MessageLog}.
 */
public final class AskLog {
  private final MessageLog log;
  private final KindNumbers kinds;
  private final MessageRecord record = new MessageRecord();

  /**
   * A log without asks.
   *
   * @param bytes what it may take, at least {@link MessageLog}'s first piece
   */
  public AskLog(long bytes, KindNumbers kinds) {
    this.log = new MessageLog(bytes);
    this.kinds = kinds;
  }

  /** Adds an ask that has ended. */
  public void add(SpanView span) {
    Rare rare = span.rare();
    Ask ask = rare == null ? null : rare.ask();
    if (rare == null || ask == null || ask.timeoutNanos() <= 0) {
      return;
    }
    ActorTelemetry asker = ask.asker();
    ActorTelemetry asked = asked(ask);
    add(
        record
            .span(span.traceHi(), span.traceLo(), span.spanId(), span.parentId())
            .actors(
                asker == null ? 0 : asker.id(),
                asker == null ? 0 : kinds.of(asker.kind()),
                asked == null ? 0 : asked.id(),
                asked == null ? 0 : kinds.of(asked.kind()))
            .times(ask.timeoutNanos(), span.start(), span.end() - span.start())
            .message(span.message().id(), Origin.ASK, AskHooks.isTimeout(rare.error())));
  }

  void add(MessageRecord ask) {
    log.add(ask);
  }

  private static @Nullable ActorTelemetry asked(Ask ask) {
    return ask.asked() instanceof RefFields ref
            && ref.deimos$identity() instanceof ActorTelemetry to
        ? to
        : null;
  }

  /** The asks as they are joined with messages. */
  MessageLog asks() {
    return log;
  }

  KindNumbers kinds() {
    return kinds;
  }

  /** The bytes that it takes now. */
  public long bytes() {
    return log.bytes();
  }
}
