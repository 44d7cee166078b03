// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.ArrayList;
import java.util.List;

/** Settings that are right one by one and make no sense together: one sentence for each pair. */
public final class Contradictions {
  private final Settings settings;
  private final List<String> found = new ArrayList<>();

  private Contradictions(Settings settings) {
    this.settings = settings;
  }

  /** The sentences on these settings. */
  public static List<String> in(Settings settings) {
    Contradictions all = new Contradictions(settings);
    if (settings.enabled()) {
      all.lists();
      all.tail();
      all.content();
      all.others();
    }
    return all.found;
  }

  private void lists() {
    both(Keys.MESSAGES_NEVER, Keys.MESSAGES_ALWAYS, "they get none");
    both(Keys.MESSAGES_NEVER, Keys.MESSAGES_ONLY, "they get none");
    both(Keys.ACTOR_CLASSES_NEVER, Keys.ACTOR_CLASSES_ALWAYS, "their messages get none");
  }

  private void both(Key<List<String>> never, Key<List<String>> always, String outcome) {
    List<String> twice = new ArrayList<>(settings.get(never));
    twice.retainAll(settings.get(always));
    for (String pattern : twice) {
      found.add(
          never.name()
              + " and "
              + always.name()
              + " both name "
              + pattern
              + "; "
              + outcome
              + ", since never goes before. Take it out of one of them");
    }
  }

  private void tail() {
    if (!settings.get(Keys.TAIL)) {
      return;
    }
    if (!settings.tracing()) {
      without(Keys.TAIL, Keys.TRACING, "there are no traces to choose from");
    }
    if (!settings.get(Keys.FORENSICS)) {
      found.add(
          shown(Keys.TAIL)
              + " cannot keep traces with dead letters while "
              + shown(Keys.FORENSICS)
              + ", since they are not looked at; switch that on to have them");
    }
  }

  private void content() {
    boolean logs = settings.get(Keys.CONTENT_LOGS) != KeptLevel.OFF;
    if (logs && !settings.metrics()) {
      without(Keys.CONTENT_LOGS, Keys.METRICS, "the hooks that count log events keep them");
    }
    if (settings.get(Keys.CONTENT_MESSAGES).isEmpty()) {
      for (Key<?> key :
          List.of(
              Keys.CONTENT_MAX_LENGTH,
              Keys.CONTENT_LATE,
              Keys.CONTENT_EAGER,
              Keys.CONTENT_REDACTOR)) {
        boolean ofAll = key.equals(Keys.CONTENT_MAX_LENGTH) || key.equals(Keys.CONTENT_REDACTOR);
        boolean shows = key.equals(Keys.CONTENT_REDACTOR) && differs(Keys.CONTENT_STATE);
        if (differs(key) && !(logs && ofAll) && !shows) {
          needs(key, Keys.CONTENT_MESSAGES, "of no message the content is recorded");
        }
      }
    } else if (!settings.tracing()) {
      without(Keys.CONTENT_MESSAGES, Keys.TRACING, "there are no spans to show it");
    }
    if (!settings.get(Keys.CONTENT_EAGER).isEmpty() && !settings.get(Keys.CONTENT_LATE)) {
      needs(Keys.CONTENT_EAGER, Keys.CONTENT_LATE, "all content is rendered early anyway");
    }
  }

  private void others() {
    if (settings.get(Keys.LOGS) && !settings.tracing()) {
      without(Keys.LOGS, Keys.TRACING, "there are no spans to note them on");
    }
    if (settings.get(Keys.START_TRACES) == StartTraces.ONLY_INSIDE_EXISTING
        && differs(Keys.SAMPLING_MESSAGES)) {
      found.add(
          Keys.SAMPLING_MESSAGES.name()
              + " has no effect with "
              + shown(Keys.START_TRACES)
              + ", since no trace begins with a message; take one of them away");
    }
    if (!settings.get(Keys.PAGE) && settings.isGiven(Keys.PROMETHEUS)) {
      if (settings.get(Keys.PROMETHEUS)) {
        found.add(
            shown(Keys.PROMETHEUS)
                + " has no effect with "
                + shown(Keys.PAGE)
                + ", which opens no port. To have /metrics without the page, set "
                + Keys.PAGE_ACCESS.name()
                + "=off in place of "
                + shown(Keys.PAGE));
      }
    }
  }

  private boolean differs(Key<?> key) {
    return !settings.get(key).equals(key.otherwise());
  }

  private void without(Key<?> key, Key<?> needed, String why) {
    found.add(
        shown(key)
            + " has no effect with "
            + shown(needed)
            + ", since "
            + why
            + "; switch that on, or take this away");
  }

  private void needs(Key<?> key, Key<?> needed, String why) {
    found.add(
        shown(key)
            + " has no effect without "
            + needed.name()
            + ", since "
            + why
            + "; set that, or take this away");
  }

  private String shown(Key<?> key) {
    return key.name() + "=" + ValueType.show(settings.get(key));
  }
}
