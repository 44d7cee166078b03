// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import io.deimos.agent.budget.Scan;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds which ask was made for which, through the messages between them: an ask is within another
 * if the actor that makes it got the other's request, in the same trace, and the other was still
 * open. Used once.
 */
public final class AskJoin {
  /** So many messages are looked at, and as many asks as there are. */
  private static final int MAX_MESSAGES = 1 << 16;

  /** A message is as much work as so many characters that are searched. */
  private static final int CHARACTERS = 32;

  private static final int MAX_STEPS = 32;

  private final AskLog asks;
  private final MessageLog messages;
  private final List<MessageRecord> ended = new ArrayList<>();
  private final Map<Long, Integer> bySpan = new HashMap<>();
  private final SpanIndex processed = new SpanIndex();
  private final MessageRecord at = new MessageRecord();

  private AskJoin(AskLog asks, MessageLog messages) {
    this.asks = asks;
    this.messages = messages;
  }

  /** The asks of late; fewer if the scan does not go on. */
  public static AsksSeen read(AskLog asks, MessageLog messages, Scan scan) {
    AskJoin join = new AskJoin(asks, messages);
    join.read(scan);
    return join.seen();
  }

  private void read(Scan scan) {
    MessageLog log = asks.asks();
    MessageRecord copy = new MessageRecord();
    long number = log.written() - 1;
    while (number >= 0 && scan.goesOn(CHARACTERS) && log.copy(number--, copy)) {
      bySpan.put(copy.spanId(), ended.size());
      ended.add(copy);
      copy = new MessageRecord();
    }
    long end = messages.written();
    long first = ended.isEmpty() ? end : Math.max(0, end - MAX_MESSAGES);
    processed.clear(first, (int) (end - first));
    for (number = end - 1;
        number >= first && scan.goesOn(CHARACTERS) && messages.copy(number, at);
        number--) {
      processed.add(at.spanId(), number);
    }
  }

  private AsksSeen seen() {
    Timings timed = new Timings();
    Map<List<AskSite>, NestedCount> nested = new HashMap<>();
    int[] outer = new int[ended.size()];
    Arrays.fill(outer, -1);
    BitSet hasInner = new BitSet();
    for (int i = 0; i < outer.length; i++) {
      MessageRecord inner = ended.get(i);
      timed.add(site(inner), inner);
      int found = outer(inner);
      if (found < 0) {
        continue;
      }
      MessageRecord around = ended.get(found);
      boolean waited = around.end() >= inner.end() || around.hasFailed();
      nested
          .computeIfAbsent(List.of(site(around), site(inner)), NestedCount::new)
          .add(around, inner, waited);
      if (waited) {
        outer[i] = found;
        hasInner.set(found);
      }
    }
    return new AsksSeen(
        timed.all(),
        nested.values().stream().map(NestedCount::read).toList(),
        chains(outer, hasInner));
  }

  /** The place of the ask that this one was made for; -1 for none. */
  private int outer(MessageRecord inner) {
    if (!processed.find(inner.parentId(), messages, at)) {
      return -1;
    }
    int actor = at.receiver();
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      long parent = at.parentId();
      Integer ask = bySpan.get(parent);
      if (ask != null) {
        MessageRecord around = ended.get(ask);
        if (at.receiver() == actor) {
          return around.end() > inner.start() && around.start() <= inner.start() ? ask : -1;
        }
        parent = around.parentId();
      }
      if (parent == 0 || !processed.find(parent, messages, at)) {
        return -1;
      }
    }
    return -1;
  }

  private List<AsksSeen.Chain> chains(int[] outer, BitSet hasInner) {
    Map<List<AskSite>, Counted> counts = new HashMap<>();
    for (int i = 0; i < outer.length; i++) {
      if (outer[i] < 0 || hasInner.get(i)) {
        continue;
      }
      List<AskSite> sites = new ArrayList<>();
      int outermost = i;
      for (int ask = i; ask >= 0 && sites.size() < MAX_STEPS; ask = outer[ask]) {
        sites.add(0, site(ended.get(ask)));
        outermost = ask;
      }
      counts.computeIfAbsent(sites, s -> new Counted()).add(ended.get(outermost));
    }
    return counts.entrySet().stream()
        .map(chain -> new AsksSeen.Chain(chain.getKey(), chain.getValue().read()))
        .toList();
  }

  private AskSite site(MessageRecord ask) {
    return new AskSite(
        name(ask.senderKind()),
        name(ask.receiverKind()),
        MessageClasses.byId(ask.messageClass()).name());
  }

  private String name(int kindNumber) {
    ActorKind kind = asks.kinds().byNumber(kindNumber);
    return kind == null ? "" : kind.className();
  }

  /** Asks that are alike. They come newest first. */
  static class Counted {
    private int times;
    private long since;
    private @Nullable MessageRecord example;

    void add(MessageRecord ask) {
      times++;
      since = ask.start();
      if (example == null) {
        example = ask;
      }
    }

    void example(MessageRecord ask) {
      example = ask;
    }

    AsksSeen.Seen read() {
      MessageRecord ask = example;
      return new AsksSeen.Seen(
          times,
          Clock.epochNanos(since),
          ask == null
              ? new SpanRef(0, 0, 0)
              : new SpanRef(ask.traceHi(), ask.traceLo(), ask.spanId()));
    }
  }

  private static final class NestedCount {
    private final List<AskSite> sites;
    private final Counted count = new Counted();
    private int unwaited;
    private int longer;
    private long outerTimeout;
    private long innerTimeout;

    NestedCount(List<AskSite> sites) {
      this.sites = sites;
    }

    void add(MessageRecord around, MessageRecord inner, boolean waited) {
      count.add(inner);
      boolean isLonger = inner.waitNanos() > around.waitNanos();
      if (outerTimeout == 0 || (isLonger && longer == 0)) {
        outerTimeout = around.waitNanos();
        innerTimeout = inner.waitNanos();
        count.example(inner);
      }
      unwaited += waited ? 0 : 1;
      longer += isLonger ? 1 : 0;
    }

    AsksSeen.Nested read() {
      return new AsksSeen.Nested(
          sites.get(0), sites.get(1), unwaited, longer, outerTimeout, innerTimeout, count.read());
    }
  }
}
