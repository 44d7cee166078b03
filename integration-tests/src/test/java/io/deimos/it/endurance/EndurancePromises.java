// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.RunningPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The promises of the page, looked at when an application has run for long: traces with trouble are
 * whole, counts are those of the application itself, trouble is told, and all views answer.
 */
final class EndurancePromises {
  private static final double WHOLE = 0.95;
  private static final long MESSAGES_OF_THE_SAMPLE_IN_AN_HOUR = 7_200_000;
  private static final long OLD_MILLIS = 60_000;
  private static final long YOUNG_MILLIS = 5_000;
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);
  private static final String CLERK = "endurance.Incidents$Clerk";
  private static final String ORDER = "endurance.Incidents$Order";
  private static final String LOST = "endurance.Incidents$Lost";
  private static final Pattern COUNT = Pattern.compile("(\\w+)=(\\d+)");
  private static final List<String> VIEWS =
      List.of(
          "/api/state",
          "/api/history",
          "/api/v1/actors",
          "/api/v1/trouble",
          "/api/v1/traces",
          "/api/v1/traces/groups",
          "/api/v1/map",
          "/api/v1/threads",
          "/api/v1/system",
          "/api/v1/where?q=message:Order",
          "/metrics");

  private final List<String> faults = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();
  private Map<String, Long> own = Map.of();
  private long lookedNanos = System.nanoTime();
  private long young;
  private long whole;
  private long shortestMillis = Long.MAX_VALUE;

  private EndurancePromises() {}

  /**
   * Looks at the traces until the application has done its work, and at the rest then.
   *
   * @param isLong whether the machine may be taken for as quiet as a run of an hour needs it
   */
  static EndurancePromises at(AgentJvm jvm, Duration deadline, boolean isLong) {
    EndurancePromises promises = new EndurancePromises();
    RunningPage page = RunningPage.of(jvm);
    new Eventually()
        .await(
            () -> {
              boolean isOver = !jvm.isAlive() || said(jvm) != null;
              if (!isOver) {
                promises.lookNowAndThen(page);
              }
              return isOver;
            },
            deadline,
            () -> "the application did not say what it has counted");
    String said = said(jvm);
    if (said == null) {
      throw new AssertionError("ended without what it has counted\n" + jvm.transcript());
    }
    promises.own = counts(said);
    promises.amount(page);
    promises.whole();
    promises.counted(page);
    promises.told(page);
    promises.answers(page, isLong);
    return promises;
  }

  private static @Nullable String said(AgentJvm jvm) {
    return jvm.answers().stream().filter(l -> l.startsWith("@own ")).findFirst().orElse(null);
  }

  private static Map<String, Long> counts(String line) {
    Matcher matcher = COUNT.matcher(line);
    return matcher
        .results()
        .collect(Collectors.toMap(m -> m.group(1), m -> Long.parseLong(m.group(2))));
  }

  private long own(String what) {
    return own.getOrDefault(what, -1L);
  }

  private void amount(RunningPage page) {
    long messages = page.state().getLong("recorder.messages");
    seen.add(
        text(
            "%d messages, as %.1f hours of the sample",
            messages, messages / (double) MESSAGES_OF_THE_SAMPLE_IN_AN_HOUR));
  }

  /** Counts the young traces with trouble, and those of them that are whole. */
  private void lookNowAndThen(RunningPage page) {
    if (System.nanoTime() - lookedNanos < BETWEEN_LOOKS.toNanos()) {
      return;
    }
    lookedNanos = System.nanoTime();
    Config state = page.state();
    long now = state.getLong("nowMillis");
    long promised =
        Math.min(OLD_MILLIS, state.getLong("recorder.store.troubleWholeNanos") / 1_000_000);
    shortestMillis = Math.min(shortestMillis, promised);
    for (Config trace : page.traces("?q=status:error%20message:Order&limit=1000")) {
      long age = now - trace.getLong("startEpochNanos") / 1_000_000;
      if (age >= Math.min(YOUNG_MILLIS, promised / 2) && age <= promised) {
        young++;
        whole += trace.getBoolean("complete") ? 1 : 0;
      }
    }
  }

  /**
   * Almost all young traces with trouble were whole: those of the last minute, or of the time for
   * which the page says that they are.
   */
  private void whole() {
    seen.add(text("traces with trouble were whole for %d s or more", shortestMillis / 1_000));
    seen.add(text("%d of %d young traces with trouble were whole", whole, young));
    if (young == 0 || whole < WHOLE * young) {
      faults.add(text("%d of %d young traces with trouble were whole", whole, young));
    }
  }

  /** The page's counts are the application's own. */
  private void counted(RunningPage page) {
    page.awaitState(
        "all steps of " + own,
        state -> actor(state, "processed") == own("steps") && timeouts(state) == own("timeouts"));
    Config state = page.state();
    same("steps on the page", actor(state, "processed"), own("steps"));
    same("failures on the page", actor(state, "failed"), own("failures"));
    same("time-outs on the page", timeouts(state), own("timeouts"));
    for (Config group : page.json("/api/v1/traces/groups?limit=1000").getConfigList("groups")) {
      if (group.getString("name").equals("ask Order")) {
        Config all = group.getConfig("recorded");
        same("traces recorded", all.getLong("traces"), own("requests"));
      }
    }
  }

  private static long actor(Config state, String what) {
    return state.getConfigList("actors").stream()
        .filter(actor -> actor.getString("class").equals(CLERK))
        .flatMap(actor -> actor.getConfigList("messages").stream())
        .mapToLong(message -> message.getLong(what))
        .sum();
  }

  private static long timeouts(Config state) {
    return state.getConfigList("asks").stream()
        .filter(ask -> ask.getString("class").equals(ORDER))
        .mapToLong(ask -> ask.getLong("timeouts"))
        .sum();
  }

  /** Trouble has a row for each kind, with all of its incidents. */
  private void told(RunningPage page) {
    Config trouble = page.json("/api/v1/trouble?limit=500");
    same("failures told", told(trouble, "failure", "Step"), own("failures"));
    same("time-outs told", told(trouble, "ask_timeout", ORDER), own("timeouts"));
    same("dead letters told", told(trouble, "dead_letter", LOST), own("lost"));
  }

  private static long told(Config trouble, String kind, String message) {
    return trouble.getConfigList("groups").stream()
        .filter(group -> group.getString("kind").equals(kind))
        .filter(group -> !group.getIsNull("messageClass"))
        .filter(group -> group.getString("messageClass").endsWith(message))
        .mapToLong(group -> group.getLong("count"))
        .sum();
  }

  private void answers(RunningPage page, boolean isLong) {
    for (String view : VIEWS) {
      long begun = System.nanoTime();
      int status = page.get(view).statusCode();
      long millis = (System.nanoTime() - begun) / 1_000_000;
      seen.add(text("%s %d ms", view, millis));
      if (status != 200) {
        faults.add(text("%s: status %d", view, status));
      }
      if (isLong && millis > LONGEST_ANSWER.toMillis()) {
        faults.add(text("%s took %d ms", view, millis));
      }
    }
  }

  /** The exported spans when the application ended are those that it has counted, too. */
  void exported(List<ReceivedPoint> points) {
    same("steps exported", exported(points, "pekko.message.processed"), own("steps"));
    same("failures exported", exported(points, "pekko.actor.failed"), own("failures"));
  }

  private static long exported(List<ReceivedPoint> points, String name) {
    return points.stream()
        .filter(point -> point.name().equals(name))
        .filter(point -> CLERK.equals(point.attributes().get("pekko.actor.class")))
        .mapToLong(point -> Math.round(point.value()))
        .sum();
  }

  private void same(String what, long is, long wanted) {
    if (is != wanted) {
      faults.add(text("%s: %d, but the application has counted %d", what, is, wanted));
    }
  }

  List<String> faults() {
    return faults;
  }

  String summary() {
    return "the page at the end: " + String.join(", ", seen) + "; " + own;
  }

  private static String text(String format, Object... with) {
    return String.format(Locale.ROOT, format, with);
  }
}
