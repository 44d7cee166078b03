// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints what went wrong, a line for each kind, with its latest story and where to look further.
 */
final class TroubleLines {
  private TroubleLines() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    List<@Nullable Object> groups = PlainJson.list(answer.get("groups"));
    for (@Nullable Object group : groups) {
      print(out, PlainJson.object(group));
    }
    if (groups.isEmpty()) {
      out.println("nothing has gone wrong, or nothing matches");
    } else {
      out.printf(
          Locale.ROOT, "%d of %.0f kinds of trouble%n", groups.size(), number(answer, "total"));
    }
    if (number(answer, "groupsLetGo") > 0) {
      out.printf(Locale.ROOT, "%.0f older ones had to make room%n", number(answer, "groupsLetGo"));
    }
  }

  private static void print(PrintStream out, Map<String, @Nullable Object> group) {
    @Nullable Object latest = group.get("latest");
    Map<String, @Nullable Object> example = latest == null ? group : PlainJson.object(latest);
    @Nullable Object story = example.get("story");
    out.printf(
        Locale.ROOT,
        "%8.0f  %-11s  %s%n",
        number(group, "count"),
        ActorTable.printable(group.get("kind")),
        ActorTable.printable(story == null ? group.get("why") : story));
    StringBuilder more = new StringBuilder();
    if (group.get("lastMillis") != null) {
      Instant last = Instant.ofEpochMilli((long) number(group, "lastMillis"));
      more.append(" last ").append(last.truncatedTo(ChronoUnit.SECONDS));
    }
    if (example.get("traceId") != null) {
      more.append(" trace ").append(example.get("traceId"));
    }
    if (example.get("actorPath") != null) {
      more.append(" actor ").append(example.get("actorPath"));
    }
    if (more.length() > 0) {
      out.println("                      " + ActorTable.printable(more));
    }
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
