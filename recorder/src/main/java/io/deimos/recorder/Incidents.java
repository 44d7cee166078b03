// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of what went wrong: to whoever listens, and as an event on the span at work. All of it is
 * rare, and off the way of a message. Safe for any thread.
 */
public final class Incidents {
  private static volatile @Nullable Consumer<Incident> listener;

  private Incidents() {}

  /** Sets who is told, on the thread on which it happens; null for nobody. */
  public static void listener(@Nullable Consumer<Incident> told) {
    listener = told;
  }

  static boolean areTold() {
    return listener != null;
  }

  /**
   * Pekko gives a message up, on the thread that sent it or that ended its receiver. Called by
   * woven code. What Pekko's own actors miss, as many do while a system stops, is not told.
   *
   * @param sender Pekko's reference, with its identity
   * @param recipient the same
   */
  public static void deadLetter(
      Object message,
      @Nullable Object sender,
      @Nullable Object senderIdentity,
      @Nullable Object recipient,
      @Nullable Object recipientIdentity) {
    if (senderIdentity instanceof Ask ask) {
      ask.undelivered();
    }
    EntityAsks.givenUp(message);
    if (!areTold() || isPekkos(MessageClasses.of(message.getClass()), recipientIdentity)) {
      return;
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("pekko.message.class", message.getClass().getName());
    describe(facts, "pekko.actor", recipient, recipientIdentity);
    facts.put("pekko.actor.state", state(recipientIdentity));
    describe(facts, "pekko.sender", sender, senderIdentity);
    happened("dead_letter", facts);
  }

  private static boolean isPekkos(MessageClass message, @Nullable Object recipient) {
    if (recipient instanceof ActorTelemetry actor) {
      return message.isHidden() || actor.kind().isSilent();
    }
    return message.isHidden() || (message.isPekko() && !message.isWrapper());
  }

  /** A question went without an answer; its span is about to be written. */
  static @Nullable Incident askTimeout(Ask ask) {
    MessageClass question = ask.question();
    if (!areTold() || question == null || question.isHidden()) {
      return null;
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("pekko.message.class", question.name());
    Object target = ask.target();
    Object identity = target instanceof RefFields fields ? fields.deimos$identity() : null;
    describe(facts, "pekko.actor", target, identity);
    facts.put("pekko.actor.state", state(identity));
    String found = ask.targetState();
    if (found != null) {
      facts.put("pekko.ask.target.state", found);
    }
    ActorTelemetry asker = ask.asker();
    describe(facts, "pekko.sender", null, asker);
    Trace trace = ask.trace();
    Incident incident =
        new Incident(
            "ask_timeout",
            Clock.now(),
            facts,
            "",
            trace.isSampled() ? trace.hi() : 0,
            trace.isSampled() ? trace.lo() : 0,
            trace.isSampled() && ask.isTraced() ? ask.spanId() : 0);
    tell(incident);
    return incident;
  }

  private static void describe(
      Map<String, String> facts, String as, @Nullable Object ref, @Nullable Object identity) {
    if (identity instanceof ActorTelemetry actor) {
      facts.put(as + ".path", actor.path());
      facts.put(as + ".class", actor.kind().className());
    } else if (identity instanceof Ask) {
      facts.put(as + ".path", "/temp");
    } else if (ref != null && !ref.getClass().getName().endsWith("DeadLetterActorRef")) {
      facts.put(as + ".path", PrintedRef.path(ref));
    }
  }

  /** What has become of an actor. */
  private static String state(@Nullable Object identity) {
    if (identity instanceof Ask ask) {
      return ask.hasEnded() ? "question ended" : "question waits";
    }
    if (!(identity instanceof ActorTelemetry actor)) {
      return "not known here";
    }
    return actor.isAlive() ? StuckWatch.busy(actor) : "stopped";
  }

  /** An incident in what is at work on this thread. */
  private static void happened(String name, Map<String, String> facts) {
    ThreadState s = ThreadState.current();
    ThreadState in = s != null && s.isRecording() ? s : null;
    Incident incident =
        new Incident(
            name,
            Clock.now(),
            facts,
            "",
            in == null ? 0 : in.hi,
            in == null ? 0 : in.lo,
            in == null ? 0 : in.spanId);
    if (in != null) {
      in.noted(incident);
    }
    tell(incident);
  }

  static void tell(Incident incident) {
    Consumer<Incident> told = listener;
    if (told != null) {
      told.accept(incident);
    }
  }
}
