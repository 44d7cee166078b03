// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.base.Texts;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.trouble.OpenAsks;
import io.deimos.recorder.woven.RefFields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inside of an actor, as its own thread has read it. Bounded, without an object of the
 * application's. Immutable.
 *
 * @param entries at most {@value #MAX_OF_KIND} of each kind
 * @param notRead what could not be read, in a sentence each
 * @param state its fields in lines, as {@code deimos.content.state} allows; null if it does not
 * @param isWaiting whether its thread has not come to it so far, so all this is not known yet
 */
public record ActorInside(
    List<Entry> entries, List<String> notRead, @Nullable String state, boolean isWaiting) {
  public static final int MAX_OF_KIND = 50;
  private static final int MAX_STATE = 16_384;
  private static final int MAX_TEXT = 300;

  /** The actor's thread has not come to it yet. */
  public static final ActorInside WAITING = new ActorInside(List.of(), List.of(), null, true);

  /** The parts that there can be. */
  public enum Kind {
    TIMER,
    RECEIVE_TIMEOUT,
    WATCHES,
    WATCHED_BY,
    CHILD,
    ASK,
    DELIVERY
  }

  /**
   * One of them.
   *
   * @param name a key, a path, or a class
   * @param detail more, in words; empty for nothing
   * @param message the class of the message; empty for none
   * @param nanos how long it is set to, or how long it has lasted; -1 if not known
   */
  public record Entry(Kind kind, String name, String detail, String message, long nanos) {
    public Entry {
      name = Texts.cut(name, MAX_TEXT);
      detail = Texts.cut(detail, MAX_TEXT);
      message = Texts.cut(message, MAX_TEXT);
    }
  }

  /** Could not be read at all. */
  public static ActorInside unreadable(String why) {
    return new ActorInside(List.of(), List.of(why), null, false);
  }

  /** The same with only what may be seen of the state. */
  public ActorInside shownBy(Rules rules) {
    if (state == null) {
      return this;
    }
    ContentRule texts = rules.texts();
    String shown =
        texts == null
            ? null
            : Content.shown(state, new ContentRule(false, MAX_STATE, texts.redactor()));
    return new ActorInside(entries, notRead, shown, isWaiting);
  }

  /** The asks of an actor that have no answer so far. By any thread. */
  public static List<Entry> asksOf(ActorTelemetry actor) {
    List<Entry> asks = new ArrayList<>();
    OpenAsks.forEach(
        ask -> {
          if (ask.asker() == actor && ask.request() != null) {
            asks.add(of(ask));
          }
          return asks.size() < MAX_OF_KIND;
        });
    return asks;
  }

  private static Entry of(Ask ask) {
    Object asked = ask.asked();
    Object identity = asked instanceof RefFields ref ? ref.deimos$identity() : null;
    MessageClass request = ask.request();
    return new Entry(
        Kind.ASK,
        identity instanceof ActorTelemetry known ? known.path() : ask.askedClass(),
        "times out after " + ask.timeoutNanos() / 1_000_000 + " ms",
        request == null ? "" : request.name(),
        Clock.now() - ask.startNanos());
  }
}
