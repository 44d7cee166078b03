// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.RefFields;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of what went wrong, and of what became of members of the cluster: to whoever listens, and,
 * if it went wrong, as an event on the span at work. Safe for any thread.
 *
 * <p>The thread on which it happens may be an actor's. So it asks first whether anybody wants to
 * know, collects what must be collected there and then, and leaves the rest to a thread of ours: a
 * log that blocks holds up nobody else. At most {@value #MAX_WAITING} wait for that thread; what is
 * more is counted.
 */
public final class Incidents {
  private static final int MAX_WAITING = 1024;

  /** The state of a receiver that had no room. */
  public static final String MAILBOX_FULL = "mailbox full";

  private static final Queue<Waiting> WAITING = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static volatile @Nullable Thread writer;
  private static volatile @Nullable Listener listener;

  private Incidents() {}

  /** How many have been counted and told nobody. */
  private static final Map<EventName, LongAdder> UNTOLD =
      Map.of(EventName.DEAD_LETTER, new LongAdder(), EventName.ASK_TIMEOUT, new LongAdder());

  /** An incident, and who is to be told of it. */
  private record Waiting(Incident incident, Consumer<Incident> to) {}

  /** The parties of an incident, and the names of their attributes. */
  private enum Party {
    RECEIVER(
        Attribute.ACTOR_PATH,
        Attribute.ACTOR_CLASS,
        Attribute.ACTOR_ASK_MESSAGE,
        Attribute.ACTOR_ASK_SENDER),
    SENDER(
        Attribute.SENDER_PATH,
        Attribute.SENDER_CLASS,
        Attribute.SENDER_ASK_MESSAGE,
        Attribute.SENDER_ASK_SENDER);

    final Attribute path;
    final Attribute type;
    final Attribute request;
    final Attribute asker;

    Party(Attribute path, Attribute type, Attribute request, Attribute asker) {
      this.path = path;
      this.type = type;
      this.request = request;
      this.asker = asker;
    }
  }

  /** How else an incident is known. */
  public enum Known {
    /** In no other way. */
    ONLY_SO,

    /** By the record of its span, which comes later. */
    BY_RECORD,

    /** It was told before, and goes on. */
    BEFORE
  }

  /** The listeners. */
  public interface Listener {
    /**
     * The listener to be told of one more of these now, on a thread of ours; null leaves it out.
     * Asked on the thread on which it happens, so it must neither wait nor log.
     */
    @Nullable Consumer<Incident> wants(EventName event, Known known);

    /** One that was wanted could not be told. Called as {@link #wants} is. */
    void missed(EventName event, Known known);
  }

  /** Sets who is told; null for nobody. */
  public static void listener(@Nullable Listener told) {
    listener = told;
  }

  private static @Nullable Consumer<Incident> wanted(EventName event, Known known) {
    Listener told = listener;
    return told == null ? null : told.wants(event, known);
  }

  /**
   * How many dead letters, or asks that timed out, have been counted and told nobody: those of
   * Pekko's own actors, and all while nobody listens.
   */
  public static long untold(EventName event) {
    LongAdder count = UNTOLD.get(event);
    return count == null ? 0 : count.sum();
  }

  private static void untoldOne(EventName event) {
    LongAdder count = UNTOLD.get(event);
    if (count != null) {
      count.increment();
    }
  }

  /** Called by housekeeping, since a thread keeps something of the one that starts it. */
  public static void startIfWanted() {
    if (writer == null && !WAITING.isEmpty()) {
      writer = AgentThread.start("deimos-incidents", Incidents::write);
    }
  }

  private static void write() {
    while (true) {
      if (WAITING.isEmpty()) {
        LockSupport.park(Incidents.class);
      }
      try {
        tellWaiting();
      } catch (Throwable t) {
        Faults.caught(t);
      }
    }
  }

  /** Tells of all that wait. */
  static void tellWaiting() {
    for (Waiting next = WAITING.poll(); next != null; next = WAITING.poll()) {
      try {
        if (listener != null) {
          next.to.accept(next.incident);
        }
      } finally {
        COUNT.decrementAndGet();
      }
    }
  }

  /**
   * Waits until all that happened before this call has been told.
   *
   * @return false if that took longer than {@code timeoutMillis}
   */
  public static boolean await(long timeoutMillis) throws InterruptedException {
    long until = System.nanoTime() + timeoutMillis * 1_000_000L;
    while (COUNT.get() > 0) {
      if (System.nanoTime() - until >= 0) {
        return false;
      }
      HousekeepingCall.wake();
      Thread.sleep(1);
    }
    return true;
  }

  /**
   * Pekko gives a message up, on the thread that sent it or that ended its receiver. Messages that
   * Pekko's own actors miss, as many do while a system stops, are not told.
   *
   * @param inside the message that Pekko wrapped into this one; null if it wrapped none
   * @param sender Pekko's reference, with its identity
   * @param recipient the same
   * @param full whether the recipient's mailbox had no room
   */
  public static void deadLetter(
      Object message,
      @Nullable Object inside,
      @Nullable Object sender,
      @Nullable Object senderIdentity,
      @Nullable Object recipient,
      @Nullable Object recipientIdentity,
      boolean full) {
    if (senderIdentity instanceof Ask ask) {
      ask.undelivered();
    }
    EntityAsks.givenUp(message);
    if (isSelfTests(message, inside, senderIdentity, recipientIdentity)) {
      return;
    }
    if (listener == null || isPekkos(MessageClasses.of(message.getClass()), recipientIdentity)) {
      untoldOne(EventName.DEAD_LETTER);
      return;
    }
    ThreadState s = ThreadState.current();
    Frame in = s != null && s.isRecording() ? s.at : null;
    Known known = in == null ? Known.ONLY_SO : Known.BY_RECORD;
    Consumer<Incident> wanted = wanted(EventName.DEAD_LETTER, known);
    if (wanted == null && (in == null || in.hasManyIncidents())) {
      if (in != null) {
        in.noted(
            new Incident(
                EventName.DEAD_LETTER,
                Clock.now(),
                Map.of(),
                "",
                in.record.hi,
                in.record.lo,
                in.spanId));
      }
      return;
    }
    Map<Attribute, String> facts = new LinkedHashMap<>();
    Object said = inside == null ? message : inside;
    facts.put(Attribute.MESSAGE_CLASS, said.getClass().getName());
    describe(facts, Party.RECEIVER, recipient, recipientIdentity);
    facts.put(Attribute.ACTOR_STATE, full ? MAILBOX_FULL : state(recipientIdentity));
    if (recipientIdentity instanceof Ask ask) {
      late(facts, ask);
    }
    describe(facts, Party.SENDER, sender, senderIdentity);
    Incident incident = incident(EventName.DEAD_LETTER, facts, in);
    if (in != null) {
      in.noted(incident);
    }
    if (wanted != null) {
      queue(incident, known, wanted);
    }
  }

  /** Whether the self-test has a hand in a message; it uses the application's own system. */
  public static boolean isSelfTests(
      Object message,
      @Nullable Object inside,
      @Nullable Object sender,
      @Nullable Object recipient) {
    return MessageClasses.of(message.getClass()).isHidden()
        || (inside != null && MessageClasses.of(inside.getClass()).isHidden())
        || isSelfTests(sender)
        || isSelfTests(recipient);
  }

  private static boolean isSelfTests(@Nullable Object identity) {
    if (identity instanceof ActorTelemetry actor) {
      return actor.kind().isHidden();
    }
    MessageClass request = identity instanceof Ask ask ? ask.request() : null;
    return request != null && request.isHidden();
  }

  private static boolean isPekkos(MessageClass message, @Nullable Object recipient) {
    if (recipient instanceof ActorTelemetry actor) {
      return message.isHidden() || actor.kind().isSilent();
    }
    return message.isHidden() || (message.isPekko() && !message.isWrapper());
  }

  /** An ask went without an answer; its span is about to be written. */
  public static @Nullable Incident askTimeout(Ask ask) {
    MessageClass request = ask.request();
    if (request == null || request.isHidden()) {
      return null;
    }
    if (listener == null) {
      untoldOne(EventName.ASK_TIMEOUT);
      return null;
    }
    boolean recorded = ask.trace().isSampled() && ask.isTraced();
    Known known = recorded ? Known.BY_RECORD : Known.ONLY_SO;
    Consumer<Incident> wanted = wanted(EventName.ASK_TIMEOUT, known);
    if (wanted == null && !recorded) {
      return null;
    }
    Map<Attribute, String> facts = new LinkedHashMap<>();
    facts.put(Attribute.MESSAGE_CLASS, request.name());
    Object target = ask.target();
    Object identity = target instanceof RefFields fields ? fields.deimos$identity() : null;
    describe(facts, Party.RECEIVER, target, identity);
    facts.put(Attribute.ACTOR_STATE, state(identity));
    String found = ask.targetState();
    if (found != null) {
      facts.put(Attribute.ASK_TARGET_STATE, found);
    }
    ActorTelemetry asker = ask.asker();
    describe(facts, Party.SENDER, null, asker);
    Trace trace = ask.trace();
    Incident incident =
        new Incident(
            EventName.ASK_TIMEOUT,
            Clock.now(),
            facts,
            "",
            trace.isSampled() ? trace.hi() : 0,
            trace.isSampled() ? trace.lo() : 0,
            recorded ? ask.spanId() : 0);
    if (wanted != null) {
      queue(incident, known, wanted);
    }
    return incident;
  }

  private static void describe(
      Map<Attribute, String> facts, Party as, @Nullable Object ref, @Nullable Object identity) {
    if (identity instanceof ActorTelemetry actor) {
      String path = actor.path();
      facts.put(as.path, path.isEmpty() && ref != null ? PrintedRef.path(ref) : path);
      facts.put(as.type, actor.className());
    } else if (identity instanceof Ask ask) {
      describe(facts, as, ask);
    } else if (ref != null && !ref.getClass().getName().endsWith("DeadLetterActorRef")) {
      facts.put(as.path, PrintedRef.path(ref));
    }
  }

  /** An ask is known by its request and by who asked; its temporary path tells nobody anything. */
  private static void describe(Map<Attribute, String> facts, Party as, Ask ask) {
    MessageClass request = ask.request();
    if (request != null) {
      facts.put(as.request, request.name());
    }
    ActorTelemetry asker = ask.asker();
    if (asker != null) {
      facts.put(as.asker, asker.path());
    }
  }

  /** An answer came when the time of its ask had run out. */
  private static void late(Map<Attribute, String> facts, Ask ask) {
    if (ask.targetState() != null) {
      long late = Clock.now() - ask.startNanos() - ask.timeoutNanos();
      facts.put(Attribute.ASK_LATE, StuckWatch.seconds(Math.max(0, late)));
      if (ask.trace().isSampled() && ask.isTraced()) {
        facts.put(Attribute.ASK_SPAN, HexFormat.of().toHexDigits(ask.spanId()));
      }
    }
  }

  /** The state of an actor. */
  private static String state(@Nullable Object identity) {
    if (identity instanceof Ask ask) {
      return ask.hasEnded() ? "ask ended" : "ask waits";
    }
    if (!(identity instanceof ActorTelemetry actor)) {
      return "not known here";
    }
    return actor.isAlive() ? StuckWatch.busy(actor) : "stopped";
  }

  private static Incident incident(
      EventName event, Map<Attribute, String> facts, @Nullable Frame in) {
    return new Incident(
        event,
        Clock.now(),
        facts,
        "",
        in == null ? 0 : in.record.hi,
        in == null ? 0 : in.record.lo,
        in == null ? 0 : in.spanId);
  }

  /**
   * Tells of what its span, if it has one, tells in another way, or not at all.
   *
   * @param facts asked for only if it is wanted, on this thread
   */
  public static void happened(EventName event, Supplier<Map<Attribute, String>> facts) {
    ThreadState s = listener == null ? null : ThreadState.current();
    Frame in = s != null && s.isRecording() ? s.at : null;
    Known known = in == null ? Known.ONLY_SO : Known.BY_RECORD;
    Consumer<Incident> wanted = wanted(event, known);
    if (wanted != null) {
      queue(incident(event, facts.get(), in), known, wanted);
    }
  }

  /**
   * Tells of what was seen from outside, if it is wanted.
   *
   * @param incident asked for only then, on this thread
   */
  public static void tell(EventName event, Known known, Supplier<Incident> incident) {
    Consumer<Incident> wanted = wanted(event, known);
    if (wanted != null) {
      queue(incident.get(), known, wanted);
    }
  }

  private static void queue(Incident incident, Known known, Consumer<Incident> to) {
    if (COUNT.incrementAndGet() > MAX_WAITING) {
      COUNT.decrementAndGet();
      Listener told = listener;
      if (told != null) {
        told.missed(incident.event(), known);
      }
      return;
    }
    WAITING.add(new Waiting(incident, to));
    Thread at = writer;
    if (at == null) {
      HousekeepingCall.wake();
    } else {
      LockSupport.unpark(at);
    }
  }
}
