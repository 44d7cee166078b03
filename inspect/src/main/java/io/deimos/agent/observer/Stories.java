// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.base.Texts;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents;
import java.util.Map;

/** Says in a sentence what went wrong. */
final class Stories {
  private static final int MOST_TEXT = 300;
  private static final int MOST_FRAMES = 16;

  /** What became of a question that nobody answered. */
  private static final Map<String, String> TARGETS =
      Map.ofEntries(
          Map.entry("stopped", "the actor that was asked had stopped"),
          Map.entry("dead_letter", "it had become a dead letter: nobody was there to get it"),
          Map.entry(
              "in_mailbox", "it was still waiting in the mailbox of the actor that was asked"),
          Map.entry("processing", "the actor that was asked was still processing it"),
          Map.entry("processed", "the actor that was asked took it and had not answered"),
          Map.entry("remote", "it had gone to another node, and no more is known of it here"),
          Map.entry(
              "not_connected", "there has been no connection to the other node: it never left"),
          Map.entry("quarantined", "the other node is quarantined: nothing more is sent to it"),
          Map.entry("unreachable", "the other node is unreachable"),
          Map.entry("in_buffer", "it was waiting in a buffer of sharding"),
          Map.entry("dropped", "sharding had given it up"));

  /** What becomes of a question that may still be answered. */
  private static final Map<String, String> OPEN_TARGETS =
      Map.ofEntries(
          Map.entry("stopped", "the actor that was asked has stopped"),
          Map.entry("dead_letter", "it has become a dead letter: nobody was there to get it"),
          Map.entry("in_mailbox", "it waits in the mailbox of the actor that was asked"),
          Map.entry("processing", "the actor that was asked is processing it"),
          Map.entry("processed", "the actor that was asked took it and has not answered"),
          Map.entry("remote", "it has gone to another node, and no more is known of it here"),
          Map.entry("not_connected", "there is no connection to the other node: it never left"),
          Map.entry("quarantined", "the other node is quarantined: nothing more is sent to it"),
          Map.entry("unreachable", "the other node is unreachable"),
          Map.entry("in_buffer", "it waits in a buffer of sharding"),
          Map.entry("dropped", "sharding has given it up"));

  private Stories() {}

  /** Of dead letters of which a span has many. */
  static final String NOT_NOTED = "on spans that have many, of which no more was noted";

  /** Why, in a few words that are the same for all of a kind. */
  static String why(Incident incident) {
    Map<Attribute, String> facts = incident.facts();
    if (facts.isEmpty()) {
      return NOT_NOTED;
    }
    return switch (incident.event()) {
      case ASK_TIMEOUT ->
          TARGETS.getOrDefault(
              facts.getOrDefault(Attribute.ASK_TARGET_STATE, ""), "what became of it is not known");
      case STARVATION ->
          "tasks of "
              + facts.getOrDefault(Attribute.DISPATCHER, "a dispatcher")
              + " wait too long for a thread";
      case DEAD_LETTER ->
          facts.containsKey(Attribute.ASK_LATE)
              ? "it answers an ask that had timed out"
              : whyDead(facts.getOrDefault(Attribute.ACTOR_STATE, ""));
      case FAILED -> facts.getOrDefault(Attribute.ERROR_TYPE, "");
      default -> "it is in processing for too long";
    };
  }

  /** What is known of a question that may still be answered; empty if nothing is. */
  static String ofOpen(String state) {
    return OPEN_TARGETS.getOrDefault(state, "");
  }

  private static String whyDead(String state) {
    if (state.equals("ask ended")) {
      return "it answers an ask that had ended";
    }
    if (state.equals(Incidents.MAILBOX_FULL)) {
      return "its receiver's mailbox was full";
    }
    if (state.equals("stopped")) {
      return "its receiver had stopped";
    }
    return state.startsWith("processes") || state.equals("alive")
        ? "its receiver did not take it"
        : "its receiver is not known here";
  }

  static String of(Incident incident) {
    Map<Attribute, String> facts = incident.facts();
    if (facts.isEmpty()) {
      return "One more " + incident.event().word().replace('_', ' ') + ' ' + why(incident) + '.';
    }
    String message = name(facts.getOrDefault(Attribute.MESSAGE_CLASS, "A message"));
    String receiver = receiver(facts);
    String sender = facts.getOrDefault(Attribute.SENDER_PATH, "");
    String by = sender.isEmpty() ? "" : " by " + path(sender);
    return switch (incident.event()) {
      case ASK_TIMEOUT ->
          message
              + " was asked of "
              + receiver
              + by
              + " and not answered in time; "
              + why(incident)
              + '.';
      case DEAD_LETTER ->
          message
              + (sender.isEmpty() ? "" : ", sent" + by + ',')
              + " for "
              + receiver
              + " became a dead letter: "
              + why(incident)
              + (facts.containsKey(Attribute.ASK_LATE)
                  ? ", " + facts.get(Attribute.ASK_LATE) + " s too late"
                  : "")
              + '.';
      case STARVATION -> starvation(facts);
      case FAILED ->
          failed(
              facts.getOrDefault(Attribute.ACTOR_CLASS, ""),
              facts.getOrDefault(Attribute.MESSAGE_CLASS, ""),
              why(incident));
      default ->
          receiver
              + " has been processing "
              + message
              + " for "
              + facts.getOrDefault(Attribute.PROCESSING_TIME, "some")
              + " s, on the thread "
              + facts.getOrDefault(Attribute.THREAD_NAME, "")
              + '.';
    };
  }

  /** The story of an ask that timed out, and was answered after all. */
  static String answered(String story, String lateSeconds) {
    return story + " The answer came " + lateSeconds + " s too late.";
  }

  private static String starvation(Map<Attribute, String> facts) {
    String held = facts.getOrDefault(Attribute.THREADS_HELD, "0");
    String said =
        "A task of "
            + facts.getOrDefault(Attribute.DISPATCHER, "a dispatcher")
            + " has waited for a thread for "
            + facts.getOrDefault(Attribute.TASK_WAIT, "some")
            + " s; "
            + (held.equals("1") ? "1 thread is" : held + " threads are")
            + " held";
    String message = facts.get(Attribute.MESSAGE_CLASS);
    if (message == null) {
      return said + " by tasks that are no messages.";
    }
    String lasted = facts.get(Attribute.PROCESSING_TIME);
    return said
        + ", longest by "
        + receiver(facts)
        + ", which processes "
        + name(message)
        + (lasted == null ? "" : " for " + lasted + " s")
        + '.';
  }

  private static String receiver(Map<Attribute, String> facts) {
    String path = facts.getOrDefault(Attribute.ACTOR_PATH, "");
    if (!path.isEmpty()) {
      return path(path);
    }
    String question = facts.getOrDefault(Attribute.ACTOR_ASK_MESSAGE, "");
    return question.isEmpty() ? "somebody unknown" : "whoever asked " + name(question);
  }

  static String failed(String kind, String actorClass, String message, Throwable error) {
    String said = Texts.cut(said(error), MOST_TEXT);
    return kind.equals(TroubleBook.FAILURE)
        ? failed(actorClass, message, said)
        : "The ask " + name(message) + " failed: " + said;
  }

  private static String failed(String actorClass, String message, String said) {
    return name(actorClass.isEmpty() ? "An actor" : actorClass)
        + " failed"
        + (message.isEmpty() ? "" : " while it processed " + name(message))
        + ": "
        + said;
  }

  /** The exception is the application's, and so is what it says. */
  private static String said(Throwable error) {
    try {
      return String.valueOf(error.toString());
    } catch (Throwable t) {
      return error.getClass().getName();
    }
  }

  static String stack(Throwable error) {
    StringBuilder stack = new StringBuilder();
    StackTraceElement[] frames;
    try {
      frames = error.getStackTrace();
    } catch (Throwable t) {
      return "";
    }
    for (int i = 0; i < Math.min(MOST_FRAMES, frames.length); i++) {
      stack.append(i == 0 ? "at " : "\nat ").append(frames[i]);
    }
    return stack.toString();
  }

  /** A class without its package. */
  static String name(String type) {
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
  }

  static String path(String path) {
    return Texts.cut(path.replace("pekko://", "").replace("akka://", ""), MOST_TEXT);
  }
}
