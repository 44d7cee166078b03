// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.observer.LogSearch.Party;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.MessageSearch;
import io.deimos.recorder.housekeeping.WaitingMessage;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.trouble.AtWork;
import io.deimos.recorder.trouble.OpenAsks;
import io.deimos.recorder.trouble.PrintedRef;
import io.deimos.recorder.woven.RefFields;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One search among the messages that have not been processed: what threads are at, what waits, and
 * asks without an answer.
 *
 * <p><b>Bounds.</b> {@value #MAX_WAITING} messages that wait, {@value #MAX_ASKS} asks, of {@value
 * #MAX_RENDERED} messages what they say, and how long its scan goes on.
 */
final class WaitingSearch implements MessageSearch {
  static final int MAX_WAITING = 200_000;
  private static final int MAX_ASKS = 20_000;
  private static final int MAX_RENDERED = 500;

  /** A message or an actor takes about as long as so many characters that are searched. */
  private static final int CHARACTERS_OF_A_PIECE = 256;

  private static final int MAX_STATES = 20;
  private static final int MAX_CLOSED = 3;

  private final WhereQuery query;
  private final LogSearch log;
  private final Sightings into;
  private final Scan scan;
  private final List<String> closed = new ArrayList<>();
  private int closedCount;
  private long closedMessages;
  private int actors;
  private int waiting;
  private int asks;
  private int rendered;
  private int states;
  private boolean cut;

  WaitingSearch(WhereQuery query, LogSearch log, Sightings into, Scan scan) {
    this.query = query;
    this.log = log;
    this.into = into;
    this.scan = scan;
  }

  int actors() {
    return actors;
  }

  int waiting() {
    return waiting;
  }

  int asks() {
    return asks;
  }

  /** The parts that were not looked at. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (closedCount > 0) {
      notes.add(
          closedMessages
              + " messages in "
              + (closedCount == 1
                  ? "the mailbox of "
                  : closedCount + " mailboxes, such as that of ")
              + String.join(", ", closed)
              + ": these queues have a lock that senders would have to wait for.");
    }
    if (cut) {
      notes.add(
          "Part of what waits: the search ended after "
              + actors
              + " actors and "
              + waiting
              + " messages. Name the actor, as in actor:pekko://shop/user/cart, to look there.");
    }
    if (OpenAsks.leftOut() > 0) {
      notes.add(
          OpenAsks.leftOut()
              + " asks since the start, made while "
              + OpenAsks.CAPACITY
              + " others had no answer: such an ask is found by its message alone while that"
              + " waits.");
    }
    if (rendered >= MAX_RENDERED) {
      notes.add("Content of waiting messages, beyond the first " + MAX_RENDERED + ".");
    }
    return notes;
  }

  void atWork() {
    for (Lane lane : Lanes.all()) {
      AtWork work = AtWork.of(lane);
      if (work != null) {
        atWork(work);
      }
    }
  }

  private void atWork(AtWork work) {
    String path = work.actor().path();
    String type = work.actor().className();
    if (query.isOfTrace(work.traceHi(), work.traceLo())
        && query.isMessage(work.message())
        && query.isActor(path, type)
        && query.isSender("", "")
        && query.says(() -> null, work.message(), path, type)) {
      long lasted = work.lastedNanos(Clock.now());
      into.add(
          Fate.PROCESSING,
          () ->
              new Sighting(
                  Fate.PROCESSING,
                  Descriptions.actor(path, type)
                      + " is processing "
                      + Descriptions.name(work.message())
                      + (lasted == 0 ? "" : " for " + Descriptions.time(lasted))
                      + '.',
                  Sighting.Parties.of(work.message(), path, type, ""),
                  since(work.startNanos()).took(lasted == 0 ? null : lasted),
                  SpanRef.of(work.traceHi(), work.traceLo(), work.spanId()),
                  null,
                  null,
                  null));
    }
  }

  @Override
  public @Nullable String onlyPath() {
    for (SearchTerm actor : query.actors()) {
      if (PekkoNames.isPath(actor.text())) {
        return actor.text();
      }
    }
    return null;
  }

  @Override
  public boolean goesOn() {
    cut |= waiting >= MAX_WAITING || !scan.goesOn(CHARACTERS_OF_A_PIECE);
    return !cut;
  }

  @Override
  public boolean wants(ActorTelemetry actor) {
    if (!goesOn() || !query.isActor(actor.path(), actor.className())) {
      return false;
    }
    actors++;
    return true;
  }

  @Override
  public boolean see(WaitingMessage message) {
    waiting++;
    String name = message.message().getClass().getName();
    ActorTelemetry at = message.at();
    String path = at == null ? message.to() : at.path();
    String type = at == null ? "" : at.className();
    Trace trace = message.sending().trace();
    boolean inTrace = trace != null && query.isOfTrace(trace.hi(), trace.lo());
    if ((inTrace || query.traceId().isEmpty())
        && query.isMessage(name)
        && query.isActor(path, message.to().isEmpty() ? type : message.to())) {
      Party sender = sender(message.sending().sender(), message.sending().parentId());
      if (query.isSender(sender.path(), sender.type())
          && query.says(
              () -> content(message.message(), name),
              name,
              path,
              type,
              message.to(),
              sender.path())) {
        Fate fate = fate(message.place());
        into.add(fate, () -> sighting(fate, message, name, path, type, sender.path()));
      }
    }
    return goesOn();
  }

  private static Sighting.Times since(long nanos) {
    return nanos == 0 ? Sighting.Times.UNKNOWN : Sighting.Times.at(Clock.epochNanos(nanos));
  }

  private static Fate fate(WaitingMessage.Place place) {
    return switch (place) {
      case MAILBOX -> Fate.IN_MAILBOX;
      case STASH -> Fate.STASHED;
      case BUFFER -> Fate.BUFFERED;
      case OUTBOUND -> Fate.OUTBOUND;
    };
  }

  private Sighting sighting(
      Fate fate, WaitingMessage message, String name, String path, String type, String sender) {
    long since = message.sending().nanos();
    Long waited = since == 0 ? null : Math.max(0, Clock.now() - since);
    Sighting.Times times = since(since).waited(waited);
    Trace trace = message.sending().trace();
    String where =
        switch (message.place()) {
          case MAILBOX ->
              " is "
                  + Descriptions.place(message.position())
                  + " in the mailbox of "
                  + Descriptions.path(path);
          case STASH ->
              " is "
                  + Descriptions.place(message.position())
                  + " in the stash of "
                  + Descriptions.path(path);
          case BUFFER ->
              " is "
                  + Descriptions.place(message.position())
                  + " that sharding keeps for "
                  + message.to()
                  + ", at "
                  + Descriptions.path(path);
          case OUTBOUND -> " waits to be sent to " + Descriptions.path(path);
        };
    return new Sighting(
        fate,
        Descriptions.name(name)
            + where
            + (waited == null ? "" : ", for " + Descriptions.time(waited))
            + Descriptions.by(sender)
            + '.',
        Sighting.Parties.of(name, path, type, sender),
        message.position() == 0 ? times : times.place(message.position()),
        trace == null ? null : span(trace, message.sending().parentId()),
        content(message.message(), name),
        null,
        null);
  }

  private static @Nullable SpanRef span(Trace trace, long spanId) {
    return trace.isSampled() ? SpanRef.of(trace.hi(), trace.lo(), spanId) : null;
  }

  /**
   * The part of its content that may be seen: by the same rule that decides what its span would
   * have.
   */
  private @Nullable String content(Object message, String name) {
    ContentRule rule = InForce.rules().content(name);
    if (rule == null || rendered >= MAX_RENDERED) {
      return null;
    }
    rendered++;
    return Content.of(message, rule).text();
  }

  private Party sender(@Nullable Object identity, long parentId) {
    if (identity instanceof ActorTelemetry actor) {
      return new Party(actor.path(), actor.className());
    }
    if (identity instanceof Ask ask) {
      ActorTelemetry asker = ask.asker();
      return asker == null ? Party.NOBODY : new Party(asker.path(), asker.className());
    }
    Party at = log.at(parentId);
    return at == null ? Party.NOBODY : at;
  }

  @Override
  public boolean see(Ask ask, Supplier<String> state) {
    MessageClass request = ask.request();
    if (++asks > MAX_ASKS) {
      return false;
    }
    if (request == null || request.isHidden() || ask.isSilent()) {
      return true;
    }
    Object asked = ask.target();
    ActorTelemetry actor =
        asked instanceof RefFields fields
                && fields.deimos$identity() instanceof ActorTelemetry known
            ? known
            : null;
    String path = actor != null ? actor.path() : asked == null ? "" : PrintedRef.path(asked);
    Party sender = sender(ask, 0);
    Trace trace = ask.trace();
    if (query.isOfTrace(trace.hi(), trace.lo())
        && query.isMessage(request.name())
        && query.isActor(path, ask.askedClass())
        && query.isSender(sender.path(), sender.type())
        && query.says(() -> null, request.name(), path, ask.askedClass(), sender.path())) {
      into.add(Fate.ASK_OPEN, () -> sighting(ask, request.name(), path, sender.path(), state));
    }
    return true;
  }

  private Sighting sighting(
      Ask ask, String name, String path, String sender, Supplier<String> state) {
    long since = Math.max(0, Clock.now() - ask.startNanos());
    String known = ++states > MAX_STATES ? "" : Descriptions.ofOpenAsk(state.get());
    return new Sighting(
        Fate.ASK_OPEN,
        Descriptions.name(name)
            + " was asked of "
            + Descriptions.actor(path, ask.askedClass())
            + " and has no answer for "
            + Descriptions.time(since)
            + " of "
            + Descriptions.time(ask.timeoutNanos())
            + (known.isEmpty() ? "" : "; " + known)
            + Descriptions.by(sender)
            + '.',
        Sighting.Parties.of(name, path, ask.askedClass(), sender),
        Sighting.Times.at(Clock.epochNanos(ask.startNanos()))
            .took(since)
            .timeout(ask.timeoutNanos()),
        span(ask.trace(), ask.spanId()),
        null,
        null,
        null);
  }

  @Override
  public void closed(ActorTelemetry actor, String queue, int messages) {
    closedCount++;
    closedMessages += messages;
    if (closed.size() < MAX_CLOSED) {
      closed.add(Descriptions.path(actor.path()) + " (" + queue + ")");
    }
  }
}
