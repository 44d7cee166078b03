// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.CpuBudget;
import io.deimos.agent.budget.Scan;
import io.deimos.agent.log.IncidentNews;
import io.deimos.agent.messages.AskJoin;
import io.deimos.agent.messages.AskLog;
import io.deimos.agent.messages.AsksSeen;
import io.deimos.agent.messages.KindNumbers;
import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Origin;
import io.deimos.agent.messages.Ticks;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Mailboxes;
import io.deimos.recorder.housekeeping.ActorInside;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trouble.OpenAsks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows single actors: takes every record that the drainer passes, and answers the page.
 *
 * <p><b>Threads.</b> {@link #accept} and {@link #flush} are the drainer's; all else any thread's.
 */
public final class Observer implements SpanSink {
  private final ActorStats stats;
  private final MessageLog log;
  private final AskLog asks;
  private final EntityStarts entities;
  private final ActorList list;
  private final TroubleBook trouble;
  private final ToldTrouble told;
  private final TroubleTotals totals;
  private final Histories histories;
  private final KindNumbers kinds = new KindNumbers();
  private final MessageRecord record = new MessageRecord();
  private final MapMaker map;
  private final MessageFinder finder;
  private final MessageTaps taps = new MessageTaps();
  private final CpuBudget budget;

  /**
   * @param bytes what it may take for what it remembers: a sixteenth for what went wrong, half of
   *     that for asks, a quarter of it for entities, and of the rest half for each actor's numbers,
   *     half for the last messages and for finding one by its span
   */
  public Observer(long bytes) {
    this(bytes, 1);
  }

  /**
   * An observer that keeps to a share of the drainer's time.
   *
   * @param bytes as above
   * @param share of one core that following actors may take; beyond it, records are left out
   */
  public Observer(long bytes, double share) {
    budget = new CpuBudget(share, Clock::now);
    long half = (bytes - bytes / 16 - bytes / 32 - bytes / 64) / 2;
    stats = new ActorStats(half, id -> Actors.byId(id) == null);
    log = new MessageLog(half * 6 / 7);
    asks = new AskLog(bytes / 32, kinds);
    entities = new EntityStarts(bytes / 64);
    histories = new Histories(log, bytes / 48);
    trouble =
        new TroubleBook(
            bytes / 24, kept -> histories.keep(kept.actorPath(), kept.epochNanos(), Clock.now()));
    told = new ToldTrouble(trouble);
    totals = new TroubleTotals(trouble, told);
    list = new ActorList(stats);
    map = new MapMaker(log, kinds);
    finder = new MessageFinder(log, kinds, trouble);
  }

  /** Begins to follow actors and asks; from now on mailboxes are looked at one by one. */
  public Observer start() {
    Mailboxes.want();
    OpenAsks.keep();
    Memory.add(Memory.Purpose.OBSERVER, this::bytes);
    return this;
  }

  @Override
  public void accept(SpanView span) {
    trouble.add(span);
    if (span.isAsk()) {
      if (budget.begin()) {
        asks.add(span);
        budget.end();
      }
      return;
    }
    ActorTelemetry actor = span.actor();
    if (actor == null || actor.id() == 0) {
      return;
    }
    Rare rare = span.rare();
    if (rare != null && rare.operation() != null) {
      return;
    }
    boolean failed = rare != null && rare.error() != null;
    long start = span.start();
    long sent = span.sent();
    boolean waited = sent != start && (rare == null || !rare.stashed());
    long waitNanos = waited ? start - sent : -1;
    long nanos = span.end() - start;
    ActorTelemetry sender = sender(span);
    if (budget.begin()) {
      if (stats.add(actor.id(), nanos, waitNanos, failed, start + nanos)) {
        entities.seen(actor, start);
      }
      keep(span, actor, sender, waitNanos, failed);
      budget.end();
    }
    taps.offer(span, actor, sender, waitNanos);
  }

  private void keep(
      SpanView span,
      ActorTelemetry actor,
      @Nullable ActorTelemetry sender,
      long waitNanos,
      boolean failed) {
    record
        .span(span.traceHi(), span.traceLo(), span.spanId(), span.parentId())
        .actors(
            sender == null || sender.isReleased() ? 0 : sender.id(),
            sender == null ? 0 : kinds.of(sender.kind()),
            actor.id(),
            kinds.of(actor.kind()))
        .times(waitNanos, span.start(), span.end() - span.start())
        .message(span.message().id(), Origin.of(span, span.sender()), failed);
    log.add(record);
  }

  /** The sender of the message, or the asker. */
  private static @Nullable ActorTelemetry sender(SpanView span) {
    ActorTelemetry sender = span.sender();
    Rare rare = span.rare();
    if (sender != null || rare == null) {
      return sender;
    }
    if (rare.senderRef() instanceof ActorTelemetry stopped) {
      return stopped;
    }
    Ask ask = Origin.asker(rare.senderRef());
    return ask == null ? null : ask.asker();
  }

  @Override
  public void flush() {
    stats.publish();
  }

  /** The living actors that are asked for, in order, and of these a part. */
  public ActorPage page(ActorQuery query, int offset, int limit, Scan scan) {
    return list.page(query, offset, limit, Clock.now(), scan);
  }

  /**
   * One actor.
   *
   * @param id its number, or its path
   * @return null if there is no such actor now
   */
  public @Nullable OneActor actor(String id, Scan scan) {
    ActorTelemetry actor = named(id, scan);
    if (actor == null) {
      return null;
    }
    return new OneActor(
        ActorLine.of(actor, stats, GaugeReaders.last().mailboxes(), Clock.now()),
        GaugeReaders.look(actor.path()),
        Correspondence.of(actor.id(), log, scan));
  }

  /** The figures of a living actor; null if there is none of this number. */
  public @Nullable ActorLine line(int id) {
    ActorTelemetry actor = Actors.byId(id);
    return actor == null || actor.hasStopped() || actor.kind().isHidden()
        ? null
        : ActorLine.of(actor, stats, GaugeReaders.last().mailboxes(), Clock.now());
  }

  /**
   * The inside of an actor, as its own thread reads it, and its open asks.
   *
   * @param id its number, or its path
   * @return null if there is no such actor now
   */
  public static @Nullable ActorInside inside(String id, Scan scan) {
    ActorTelemetry actor = named(id, scan);
    ActorInside read = actor == null ? null : GaugeReaders.inside(actor.path());
    if (actor == null || read == null) {
      return null;
    }
    List<ActorInside.Entry> all = new ArrayList<>(read.entries());
    all.addAll(ActorInside.asksOf(actor));
    return new ActorInside(all, read.notRead(), read.state(), read.isWaiting());
  }

  private static @Nullable ActorTelemetry named(String id, Scan scan) {
    ActorTelemetry actor = id.matches("[0-9]{1,10}") ? byNumber(id) : byPath(id, scan);
    return actor == null || actor.kind().isHidden() ? null : actor;
  }

  private static @Nullable ActorTelemetry byNumber(String id) {
    long number = Long.parseLong(id);
    return number > Integer.MAX_VALUE ? null : Actors.byId((int) number);
  }

  private static @Nullable ActorTelemetry byPath(String path, Scan scan) {
    ActorLook look = PekkoNames.isPath(path) ? GaugeReaders.look(path) : null;
    if (look != null) {
      return look.actor();
    }
    ActorTelemetry[] found = new ActorTelemetry[1];
    Actors.forEach(
        actor -> {
          if (found[0] == null
              && scan.goesOn(path.length())
              && !actor.hasStopped()
              && actor.path().equals(path)) {
            found[0] = actor;
          }
        });
    return found[0];
  }

  /** The senders and receivers of late. */
  public MessageMap map(MapQuery query, Scan scan) {
    return map.map(query, Clock.now(), scan);
  }

  /**
   * The fate of a message.
   *
   * @param store null if no traces are kept
   * @param limit how many are shown
   */
  public Whereabouts where(WhereQuery query, @Nullable TraceStore store, int limit, Scan scan) {
    return finder.find(query, store, limit, scan);
  }

  /** The asks of late, and those within others. */
  public AsksSeen asks(Scan scan) {
    return AskJoin.read(asks, log, scan);
  }

  /** The messages that timers sent of late. */
  public List<Ticks> ticks(Scan scan) {
    return Ticks.read(log, scan);
  }

  /** The sharded entities that were started again and again. */
  public List<EntityStarts.Repeated> repeatedStarts() {
    return entities.repeated(Clock.now());
  }

  /** Opens a tap on the messages to come; null if there are as many as there may be. */
  public @Nullable TapState tap(TapQuery query) {
    return taps.open(query, System.nanoTime());
  }

  /**
   * The messages of a tap.
   *
   * @param after the number of the last message that is known, 0 for none
   * @return null if there is no such tap any more
   */
  public @Nullable TapState tapped(String id, int after) {
    return taps.read(id, after, System.nanoTime());
  }

  /** How many taps there may be at once. */
  public static int mostTaps() {
    return MessageTaps.MAX_OPEN;
  }

  /** Takes the incidents that no record tells. */
  public IncidentNews.Page incidents() {
    return told;
  }

  /** Incidents in groups, the latest first; then kinds that are only counted. */
  public List<TroubleGroup> trouble() {
    return totals.groups();
  }

  /** How often it went wrong, of the kinds that metrics count. */
  public Map<String, Long> troubleTotals() {
    return totals.byKind();
  }

  /** The messages that the actor of an example had processed before; null if they are not kept. */
  public @Nullable History before(TroubleGroup.Example example) {
    return histories.of(example.actorPath(), example.epochNanos());
  }

  /** When an actor failed last, in nanoseconds since 1970; 0 for never. */
  public long lastFailureEpochNanos() {
    return trouble.lastFailureEpochNanos();
  }

  /** How many groups of trouble had to make room for others. */
  public long troubleLetGo() {
    return trouble.letGo();
  }

  /** How many messages it was told of so far. */
  public long messages() {
    return log.written();
  }

  /** How many messages it has left out, because following all would have taken too much. */
  public long leftOut() {
    return budget.leftOut();
  }

  /** How many actors it has numbers of. */
  public int followed() {
    return stats.size();
  }

  /** How many messages came of actors that it had no room for, or made room for. */
  public long letGo() {
    return stats.letGo();
  }

  private long bytes() {
    return stats.bytes()
        + log.bytes()
        + asks.bytes()
        + entities.bytes()
        + list.bytes()
        + trouble.bytes()
        + histories.bytes()
        + map.bytes()
        + taps.bytes();
  }
}
