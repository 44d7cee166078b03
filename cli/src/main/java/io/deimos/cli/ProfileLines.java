// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints a profile: a line for each actor class with a message class, the busiest first. */
final class ProfileLines {
  private static final double NEARLY_ALL = 0.995;
  private static final Map<String, String> OUTSIDE = new HashMap<>();

  static {
    OUTSIDE.put("unrecorded", "(other messages without a record)");
    OUTSIDE.put("dispatcher", "(dispatchers, between messages)");
    OUTSIDE.put("other", "(other threads)");
  }

  private ProfileLines() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    List<@Nullable Object> rows = PlainJson.list(answer.get("rows"));
    out.println("  CPU  SAMPLES  MESSAGE  ACTOR");
    for (@Nullable Object one : rows) {
      row(PlainJson.object(one), out);
    }
    out.printf(
        Locale.ROOT,
        "%.0f samples (%s) of %.0f s%n",
        number(answer, "samples"),
        ActorTable.printable(answer.get("event")),
        number(answer, "seconds"));
    Map<String, @Nullable Object> unknown = PlainJson.object(answer.get("unknown"));
    note(out, unknown, "nearest", "samples lie between records and count to the nearest message");
    note(out, unknown, "withoutStack", "samples had no stack that could be read");
    note(out, unknown, "lost", "samples were lost: there was no room for them");
    note(out, unknown, "stacksCut", "stacks end early: there was no room for all frames");
    note(out, unknown, "recordsLost", "records went before their samples had come");
    out.println("Native code is not sampled.");
    double share = number(answer, "recordedShare");
    if (share > 0 && share < NEARLY_ALL) {
      out.printf(
          Locale.ROOT,
          "Only %.1f %% of the messages were recorded; the classes share what these took.%n",
          share * 100);
    }
  }

  private static void row(Map<String, @Nullable Object> row, PrintStream out) {
    String outside = OUTSIDE.get(String.valueOf(row.get("kind")));
    out.println(
        ActorTable.printable(
            String.format(
                Locale.ROOT,
                "%4.1f%%  %7.0f  %s",
                100 * number(row, "share"),
                number(row, "samples"),
                row.get("part") != null
                    ? "(Pekko's own: " + row.get("part") + ")  in " + row.get("actorClass")
                    : outside != null
                        ? outside
                        : row.get("messageClass") + "  in " + row.get("actorClass"))));
  }

  private static void note(
      PrintStream out, Map<String, @Nullable Object> unknown, String name, String what) {
    if (number(unknown, name) > 0) {
      out.printf(Locale.ROOT, "%.0f %s%n", number(unknown, name), what);
    }
  }

  static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
