// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Texts;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What went wrong, in groups: however often the same thing happens to the same class, it is one
 * group, with a count and the last examples.
 *
 * <p><b>Threads.</b> The drainer adds what records tell, the thread of incidents what no record
 * tells, and the page's threads read; under one lock, that no actor's thread takes, and that nobody
 * holds for longer than it takes to copy the groups.
 *
 * <p><b>Full.</b> {@value #MOST_GROUPS} groups, of each {@value Group#MOST_EXAMPLES} examples of at
 * most {@value Group#MOST_STACK} characters of a stack, and in all no more than it was given.
 * Beyond that, of the kind with the most groups the one goes in which nothing has happened for
 * longest: failures of a thousand classes leave the one dead letter alone. What it counted is still
 * known by kind.
 */
final class TroubleBook {
  static final int MOST_GROUPS = 256;

  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final long mostBytes;
  private final Consumer<TroubleGroup.Example> kept;
  private final Map<String, Integer> groupsOfKind = new HashMap<>();
  private final Map<String, Long> letGoOfKind = new HashMap<>();
  private int next = 1;
  private long letGo;
  private long bytes;

  /** When an actor failed last, by the recorder's clock; 0 for never. */
  private long lastFailure;

  /**
   * @param mostBytes what it may take, about; the latest group is kept whatever it takes
   */
  TroubleBook(long mostBytes) {
    this(mostBytes, example -> {});
  }

  /**
   * @param kept is given each example that is kept, by the thread that adds it
   */
  TroubleBook(long mostBytes, Consumer<TroubleGroup.Example> kept) {
    this.mostBytes = mostBytes;
    this.kept = kept;
  }

  /** Adds what went wrong while a span was open. */
  void add(SpanView span) {
    Rare rare = span.rare();
    if (rare == null) {
      return;
    }
    boolean asked = false;
    for (Incident incident : rare.incidents()) {
      if (incident.event().isTrouble()) {
        add(incident, span.traceHi(), span.traceLo(), span.spanId());
        asked |= incident.event() == EventName.ASK_TIMEOUT;
      }
    }
    Throwable error = rare.error();
    if (error != null && !asked && rare.operation() == null) {
      failed(span, rare, error);
    }
  }

  private void failed(SpanView span, Rare rare, Throwable error) {
    ActorTelemetry actor = span.actor();
    ActorTelemetry sender = span.sender();
    Ask ask = rare.ask();
    String kind = ask == null ? "failure" : "ask_failed";
    String type = error.getClass().getName();
    String message = span.message().name();
    String actorClass = actor == null ? "" : actor.className();
    synchronized (this) {
      lastFailure = ask == null ? span.end() : lastFailure;
      Group group = group(kind, actorClass, message, type);
      group.count(span.end());
      if (group.takesExample(span.end())) {
        keep(
            group,
            span.end(),
            new TroubleGroup.Example(
                Clock.epochNanos(span.end()),
                Stories.failed(kind, actorClass, message, error),
                actor == null ? "" : actor.path(),
                sender == null ? "" : sender.path(),
                span.traceHi(),
                span.traceLo(),
                span.spanId(),
                Texts.cut(Stories.stack(error), Group.MOST_STACK)));
      }
    }
  }

  /** Adds what belongs to no span, or whose span is still open. */
  void add(Incident incident) {
    if (incident.event().isTrouble()
        && (incident.spanId() == 0 || incident.event().isSeenFromOutside())) {
      add(incident, incident.traceHi(), incident.traceLo(), incident.spanId());
    }
  }

  private synchronized void add(Incident incident, long hi, long lo, long spanId) {
    Map<Attribute, String> facts = incident.facts();
    String actorClass = facts.getOrDefault(Attribute.ACTOR_CLASS, "");
    String message = facts.getOrDefault(Attribute.MESSAGE_CLASS, "");
    String why = Stories.why(incident);
    Group group = group(incident.event().word(), actorClass, message, why);
    boolean known = incident.event().isSeenFromOutside() && spanId != 0 && group.has(spanId);
    if (!known) {
      group.count(incident.atNanos());
    }
    if (known || group.takesExample(incident.atNanos())) {
      keep(
          group,
          incident.atNanos(),
          new TroubleGroup.Example(
              Clock.epochNanos(incident.atNanos()),
              Stories.of(incident),
              facts.getOrDefault(Attribute.ACTOR_PATH, ""),
              facts.getOrDefault(Attribute.SENDER_PATH, ""),
              hi,
              lo,
              spanId,
              Texts.cut(incident.stack(), Group.MOST_STACK)));
    }
  }

  private Group group(String kind, String actorClass, String message, String why) {
    String key = kind + '\n' + actorClass + '\n' + message + '\n' + why;
    Group group = groups.remove(key);
    if (group == null) {
      group = new Group(next++, kind, actorClass, message, why);
      groupsOfKind.merge(kind, 1, Integer::sum);
      bytes += group.bytes();
    }
    groups.put(key, group); // at the end, since it is the latest
    if (groups.size() > MOST_GROUPS) {
      letOneGo();
    }
    return group;
  }

  private void keep(Group group, long atNanos, TroubleGroup.Example example) {
    bytes -= group.bytes();
    group.add(atNanos, example);
    bytes += group.bytes();
    kept.accept(example);
    while (bytes > mostBytes && groups.size() > 1) {
      letOneGo();
    }
  }

  private void letOneGo() {
    String most = Collections.max(groupsOfKind.entrySet(), Map.Entry.comparingByValue()).getKey();
    Iterator<Group> each = groups.values().iterator();
    Group group = each.next();
    while (!group.kind.equals(most) && each.hasNext()) {
      group = each.next();
    }
    if (!each.hasNext()) { // the latest, which stays
      each = groups.values().iterator();
      group = each.next();
    }
    each.remove();
    bytes -= group.bytes();
    groupsOfKind.merge(group.kind, -1, Integer::sum);
    letGoOfKind.merge(group.kind, group.count, Long::sum);
    letGo++;
  }

  /** How often each kind has happened in groups that had to make room. */
  synchronized Map<String, Long> letGoByKind() {
    return Map.copyOf(letGoOfKind);
  }

  /** All groups, the latest first. */
  synchronized List<TroubleGroup> groups() {
    List<TroubleGroup> copies = new ArrayList<>();
    for (Group group : groups.values()) {
      copies.add(group.copy());
    }
    Collections.reverse(copies);
    return copies;
  }

  /** When an actor failed last, in nanoseconds since 1970; 0 for never. */
  synchronized long lastFailureEpochNanos() {
    return lastFailure == 0 ? 0 : Clock.epochNanos(lastFailure);
  }

  /** How many groups had to make room. */
  synchronized long letGo() {
    return letGo;
  }

  /** What it takes, about. */
  synchronized long bytes() {
    return bytes;
  }

  private static final class Group {
    /** Itself, its entry, its list, and the headers of five texts. */
    private static final long OBJECT_BYTES = 450;

    static final int MOST_EXAMPLES = 5;
    static final int MOST_STACK = 4000;

    /** Within this time of an example no other is kept: a flood costs a count each. */
    private static final long EVERY_NANOS = 200_000_000L;

    private final int id;
    private final String kind;
    private final String actorClass;
    private final String message;
    private final String why;
    private final List<TroubleGroup.Example> examples = new ArrayList<>();
    private long count;
    private long firstNanos;
    private long lastNanos;
    private long lastExampleNanos;

    Group(int id, String kind, String actorClass, String message, String why) {
      this.id = id;
      this.kind = kind;
      this.actorClass = actorClass;
      this.message = message;
      this.why = why;
    }

    void count(long atNanos) {
      firstNanos = count == 0 ? atNanos : firstNanos;
      lastNanos = count == 0 ? atNanos : Math.max(lastNanos, atNanos);
      count++;
    }

    boolean takesExample(long atNanos) {
      return examples.size() < MOST_EXAMPLES || atNanos - lastExampleNanos >= EVERY_NANOS;
    }

    boolean has(long spanId) {
      return examples.stream().anyMatch(example -> example.spanId() == spanId);
    }

    void add(long atNanos, TroubleGroup.Example example) {
      examples.removeIf(old -> example.spanId() != 0 && old.spanId() == example.spanId());
      if (examples.size() == MOST_EXAMPLES) {
        examples.remove(0);
      }
      examples.add(example);
      lastExampleNanos = atNanos;
      lastNanos = Math.max(lastNanos, atNanos);
    }

    /** What it takes with the key it is found by, which has the same texts once more. */
    long bytes() {
      long texts = (long) actorClass.length() + message.length() + why.length();
      return OBJECT_BYTES
          + 2L * texts
          + examples.stream().mapToLong(TroubleGroup.Example::bytes).sum();
    }

    TroubleGroup copy() {
      List<TroubleGroup.Example> latestFirst = new ArrayList<>(examples);
      Collections.reverse(latestFirst);
      return new TroubleGroup(
          Integer.toString(id),
          kind,
          actorClass,
          message,
          why,
          count,
          Clock.epochNanos(firstNanos),
          Clock.epochNanos(lastNanos),
          List.copyOf(latestFirst),
          "");
    }
  }
}
