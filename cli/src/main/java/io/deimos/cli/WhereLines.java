// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Prints what became of a message, a line for each that was found, and what was looked at. */
final class WhereLines {
  private WhereLines() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    List<@Nullable Object> matches = PlainJson.list(answer.get("matches"));
    for (@Nullable Object match : matches) {
      match(PlainJson.object(match), out);
    }
    if (matches.isEmpty()) {
      out.println("never seen, in what was looked at");
    } else {
      StringJoiner fates = new StringJoiner(", ");
      Map<String, @Nullable Object> counts = PlainJson.object(answer.get("fates"));
      for (String fate : counts.keySet()) {
        fates.add(
            String.format(Locale.ROOT, "%.0f %s", number(counts, fate), fate.replace('_', ' ')));
      }
      out.printf(Locale.ROOT, "%d of %.0f: %s%n", matches.size(), number(answer, "total"), fates);
    }
    looked(PlainJson.object(answer.get("looked")), out);
    for (@Nullable Object note : PlainJson.list(answer.get("notLookedAt"))) {
      out.println("not looked at: " + ActorTable.printable(note));
    }
  }

  private static void match(Map<String, @Nullable Object> match, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%-11s  %s%n",
        ActorTable.printable(match.get("fate")),
        ActorTable.printable(match.get("story")));
    StringBuilder more = new StringBuilder();
    if (match.get("atMillis") != null) {
      Instant at = Instant.ofEpochMilli((long) number(match, "atMillis"));
      more.append(" at ").append(at.truncatedTo(ChronoUnit.MILLIS));
    }
    for (String name : new String[] {"traceId", "content"}) {
      if (match.get(name) != null) {
        more.append(name.equals("traceId") ? " trace " : " says ").append(match.get(name));
      }
    }
    if (more.length() > 0) {
      out.println("            " + ActorTable.printable(more));
    }
  }

  private static void looked(Map<String, @Nullable Object> looked, PrintStream out) {
    String since =
        looked.get("sinceMillis") == null
            ? ""
            : " since "
                + Instant.ofEpochMilli((long) number(looked, "sinceMillis"))
                    .truncatedTo(ChronoUnit.SECONDS);
    out.printf(
        Locale.ROOT,
        "looked at: %.0f processed messages%s, %.0f that wait at %.0f actors, %.0f open asks,"
            + " %.0f examples of trouble, %.0f traces%n",
        number(looked, "records"),
        since,
        number(looked, "waiting"),
        number(looked, "actors"),
        number(looked, "asks"),
        number(looked, "troubles"),
        number(looked, "traces"));
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
