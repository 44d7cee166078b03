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
import io.deimos.recorder.trouble.Incidents;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Incidents in groups: however often the same thing happens to the same class, it is one group,
 * with a count and the last examples.
 *
 * <p><b>Threads.</b> The drainer adds what records tell, the thread of incidents what no record
 * tells, and the page's threads read; under one lock, that no actor's thread takes, and that nobody
 * holds for longer than it takes to copy the groups.
 *
 * <p><b>Full.</b> {@value #MAX_GROUPS} groups, of each {@value Group#MAX_EXAMPLES} examples of at
 * most {@value Group#MAX_STACK} characters of a stack, and in all no more than it was given. Beyond
 * that, of the kind with the most groups the one goes in which nothing has happened for longest:
 * failures of a thousand classes leave the one dead letter alone. Its count is still known by kind.
 */
final class TroubleBook {
  static final int MAX_GROUPS = 256;
  static final String FAILURE = "failure";

  /** Messages for full mailboxes, which Pekko publishes as dead letters and metrics count apart. */
  static final String DROPPED = "dropped";

  private static final String ASK_TIMEOUT = EventName.ASK_TIMEOUT.word();
  private static final int MAX_LATE_ANSWERS = 64;

  private final Map<TroubleGroup.Cause, Group> groups = new LinkedHashMap<>();
  private final long mostBytes;
  private final Consumer<TroubleGroup.Example> kept;
  private final Map<String, Integer> groupsOfKind = new HashMap<>();
  private final Map<String, Long> letGoOfKind = new HashMap<>();

  /** How late answers were whose asks are not known here, by the spans of these. */
  private final Map<Long, String> lateAnswers = new LinkedHashMap<>();

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
      EventName event = incident.event();
      if (event == EventName.MORE_INCIDENTS) {
        more(incident);
      } else if (event.isTrouble() && !event.isSeenFromOutside()) { // those are told at once
        add(incident, span.traceHi(), span.traceLo(), span.spanId(), false);
        asked |= event == EventName.ASK_TIMEOUT;
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
    String kind = ask == null ? FAILURE : "ask_failed";
    String type = error.getClass().getName();
    String message = span.message().name();
    String actorClass = actor == null ? "" : actor.className();
    synchronized (this) {
      lastFailure = ask == null ? span.end() : lastFailure;
      Group group = group(kind, actorClass, message, type);
      group.count(span.end(), 1);
      if (group.takesExample(span.end())) {
        keep(
            group,
            span.end(),
            new TroubleGroup.Example(
                Clock.epochNanos(span.end()),
                Descriptions.failed(kind, actorClass, message, error),
                actor == null ? "" : actor.path(),
                sender == null ? "" : sender.path(),
                span.traceHi(),
                span.traceLo(),
                span.spanId(),
                Texts.cut(Descriptions.stack(error), Group.MAX_STACK)));
      }
    }
  }

  /** Dead letters of one span beyond those that it names. */
  private synchronized void more(Incident incident) {
    int count = Integer.parseInt(incident.facts().getOrDefault(Attribute.MORE, "1"));
    group(EventName.DEAD_LETTER.word(), "", "", Descriptions.NOT_NOTED)
        .count(incident.atNanos(), count);
  }

  /**
   * Adds what no record tells, or what is told before its record.
   *
   * @param again whether it is counted, since it goes on
   */
  void add(Incident incident, boolean again) {
    add(incident, incident.traceHi(), incident.traceLo(), incident.spanId(), again);
  }

  private synchronized void add(Incident incident, long hi, long lo, long spanId, boolean again) {
    Map<Attribute, String> facts = incident.facts();
    String actorClass = facts.getOrDefault(Attribute.ACTOR_CLASS, "");
    String message = facts.getOrDefault(Attribute.MESSAGE_CLASS, "");
    String why = Descriptions.why(incident);
    String kind = kind(incident);
    Group group = group(kind, actorClass, message, why);
    if (kind.equals(FAILURE)) {
      lastFailure = incident.atNanos();
    }
    answered(incident);
    if (!again || group.count == 0) { // it may have made room
      group.count(incident.atNanos(), 1);
    }
    if (again || group.takesExample(incident.atNanos())) {
      String actor = facts.getOrDefault(Attribute.ACTOR_PATH, "");
      if (again) {
        group.forget(spanId, actor);
      }
      keep(
          group,
          incident.atNanos(),
          new TroubleGroup.Example(
              Clock.epochNanos(incident.atNanos()),
              story(incident, spanId),
              actor,
              facts.getOrDefault(Attribute.SENDER_PATH, ""),
              hi,
              lo,
              spanId,
              Texts.cut(incident.stack(), Group.MAX_STACK)));
    }
  }

  private static String kind(Incident incident) {
    return switch (incident.event()) {
      case FAILED -> FAILURE;
      case DEAD_LETTER ->
          Incidents.MAILBOX_FULL.equals(incident.facts().get(Attribute.ACTOR_STATE))
              ? DROPPED
              : incident.event().word();
      default -> incident.event().word();
    };
  }

  private String story(Incident incident, long spanId) {
    String late = incident.event() == EventName.ASK_TIMEOUT ? lateAnswers.remove(spanId) : null;
    String story = Descriptions.of(incident);
    return late == null ? story : Descriptions.answered(story, late);
  }

  /** An answer has come after all: whoever reads of its ask shall know. */
  private void answered(Incident incident) {
    String late = incident.facts().get(Attribute.ASK_LATE);
    String asked = incident.facts().get(Attribute.ASK_SPAN);
    if (late == null || asked == null) {
      return;
    }
    long spanId = Long.parseUnsignedLong(asked, 16);
    for (Group group : groups.values()) {
      bytes -= group.bytes();
      boolean told = group.cause.kind().equals(ASK_TIMEOUT) && group.answered(spanId, late);
      bytes += group.bytes();
      if (told) {
        return;
      }
    }
    lateAnswers.put(spanId, late); // the record of the ask may still come
    if (lateAnswers.size() > MAX_LATE_ANSWERS) {
      lateAnswers.remove(lateAnswers.keySet().iterator().next());
    }
  }

  private Group group(String kind, String actorClass, String message, String why) {
    TroubleGroup.Cause cause = new TroubleGroup.Cause(kind, actorClass, message, why);
    Group group = groups.remove(cause);
    if (group == null) {
      group = new Group(next++, cause);
      groupsOfKind.merge(kind, 1, Integer::sum);
      bytes += group.bytes();
    }
    groups.put(group.cause, group); // at the end, since it is the latest
    if (groups.size() > MAX_GROUPS) {
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
    while (!group.cause.kind().equals(most) && each.hasNext()) {
      group = each.next();
    }
    if (!each.hasNext()) { // the latest, which stays
      each = groups.values().iterator();
      group = each.next();
    }
    each.remove();
    bytes -= group.bytes();
    groupsOfKind.merge(group.cause.kind(), -1, Integer::sum);
    letGoOfKind.merge(group.cause.kind(), group.count, Long::sum);
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

  /** Its bytes, about. */
  synchronized long bytes() {
    return bytes;
  }

  private static final class Group {
    /** Itself, its entry, its list, and the headers of five texts. */
    private static final long OBJECT_BYTES = 450;

    static final int MAX_EXAMPLES = 5;
    static final int MAX_STACK = 4000;

    /** Within this time of an example no other is kept: a flood costs a count each. */
    private static final long EVERY_NANOS = 200_000_000L;

    private final int id;
    private final TroubleGroup.Cause cause;
    private final List<TroubleGroup.Example> examples = new ArrayList<>();
    private long count;
    private long firstNanos;
    private long lastNanos;
    private long lastExampleNanos;

    Group(int id, TroubleGroup.Cause cause) {
      this.id = id;
      this.cause = cause;
    }

    void count(long atNanos, int more) {
      firstNanos = count == 0 ? atNanos : firstNanos;
      lastNanos = count == 0 ? atNanos : Math.max(lastNanos, atNanos);
      count += more;
    }

    boolean takesExample(long atNanos) {
      return examples.size() < MAX_EXAMPLES || atNanos - lastExampleNanos >= EVERY_NANOS;
    }

    /** Whether this has the example of an ask, which was answered after all. */
    boolean answered(long spanId, String late) {
      for (int i = 0; i < examples.size(); i++) {
        if (examples.get(i).spanId() == spanId) {
          examples.set(
              i, examples.get(i).saying(Descriptions.answered(examples.get(i).story(), late)));
          return true;
        }
      }
      return false;
    }

    /**
     * A second find of the same actor takes no place of its own; it is at one message at a time.
     */
    void forget(long spanId, String actorPath) {
      examples.removeIf(old -> old.spanId() == spanId && old.actorPath().equals(actorPath));
    }

    void add(long atNanos, TroubleGroup.Example example) {
      if (examples.size() == MAX_EXAMPLES) {
        examples.remove(0);
      }
      examples.add(example);
      lastExampleNanos = atNanos;
      lastNanos = Math.max(lastNanos, atNanos);
    }

    /** Its size in memory, with the key it is found by. */
    long bytes() {
      long texts =
          (long) cause.actorClass().length() + cause.messageClass().length() + cause.why().length();
      return OBJECT_BYTES + texts + examples.stream().mapToLong(TroubleGroup.Example::bytes).sum();
    }

    TroubleGroup copy() {
      List<TroubleGroup.Example> latestFirst = new ArrayList<>(examples);
      Collections.reverse(latestFirst);
      return new TroubleGroup(
          Integer.toString(id),
          "",
          cause,
          count,
          Clock.epochNanos(firstNanos),
          Clock.epochNanos(lastNanos),
          List.copyOf(latestFirst));
    }
  }
}
