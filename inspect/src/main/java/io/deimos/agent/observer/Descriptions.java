// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.base.Texts;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents;
import java.util.Locale;
import java.util.Map;

/** Puts into words what went wrong, what became of a message, and how long something took. */
final class Descriptions {
  private static final int MAX_TEXT = 300;
  private static final int MAX_FRAMES = 16;

  private Descriptions() {}

  /** At most so many dead letters of one span. */
  static final String NOT_NOTED = "on spans that have many, of which no more was noted";

  /** Why, in a few words that are the same for all of a kind. */
  static String why(Incident incident) {
    Map<Attribute, String> facts = incident.facts();
    if (facts.isEmpty()) {
      return NOT_NOTED;
    }
    return switch (incident.event()) {
      case ASK_TIMEOUT -> {
        AskTarget target = AskTarget.of(facts.get(Attribute.ASK_TARGET_STATE));
        yield target == null ? "what became of it is not known" : target.atTimeout();
      }
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

  /** The words on an ask that may still be answered; empty if there are none. */
  static String ofOpenAsk(String state) {
    AskTarget target = AskTarget.of(state);
    return target == null ? "" : target.whileOpen();
  }

  private static String whyDead(String state) {
    return switch (state) {
      case "ask ended" -> "it answers an ask that had ended";
      case Incidents.MAILBOX_FULL -> "its receiver's mailbox was full";
      case "stopped" -> "its receiver had stopped";
      case "alive" -> "its receiver did not take it";
      default ->
          state.startsWith("processes ")
              ? "its receiver did not take it"
              : "its receiver is not known here";
    };
  }

  /** The event as a sentence. */
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
    String asked = facts.getOrDefault(Attribute.ACTOR_ASK_MESSAGE, "");
    return asked.isEmpty() ? "somebody unknown" : "whoever asked " + name(asked);
  }

  static String failed(String kind, String actorClass, String message, Throwable error) {
    String said = Texts.cut(said(error), MAX_TEXT);
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
    for (int i = 0; i < Math.min(MAX_FRAMES, frames.length); i++) {
      stack.append(i == 0 ? "at " : "\nat ").append(frames[i]);
    }
    return stack.toString();
  }

  /** A class without its package. */
  static String name(String type) {
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
  }

  static String path(String path) {
    return Texts.cut(path.replace("pekko://", "").replace("akka://", ""), MAX_TEXT);
  }

  /** As {@code 2.1 ms}. */
  static String time(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return number(nanos / 1e3) + " µs";
    }
    return nanos < 1_000_000_000 ? number(nanos / 1e6) + " ms" : number(nanos / 1e9) + " s";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }

  /** The place in the queue, as {@code the 3rd}. */
  static String place(int position) {
    int last = position % 100 / 10 == 1 ? 0 : position % 10;
    String ending = last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
    return position == 1 ? "the next" : "the " + position + ending;
  }

  /** The sender, before it or after. */
  static String by(String senderPath) {
    return senderPath.isEmpty() ? "" : ", sent by " + path(senderPath);
  }

  /** An actor by its path, or by its class if it has stopped and is only known by that. */
  static String actor(String path, String className) {
    if (!path.isEmpty()) {
      return path(path);
    }
    return className.isEmpty() ? "an actor" : "an actor of " + name(className);
  }
}
