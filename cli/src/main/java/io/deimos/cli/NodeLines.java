// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the processes on a page, a line for each, and what is not there of what they had. */
final class NodeLines {
  private NodeLines() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    for (@Nullable Object node : PlainJson.list(answer.get("nodes"))) {
      node(PlainJson.object(node), out);
    }
    @Nullable Object otlp = answer.get("otlp");
    if (otlp != null) {
      otlp(PlainJson.object(otlp), out);
    }
  }

  private static void node(Map<String, @Nullable Object> node, PrintStream out) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%s %.0f  %s since %s",
            node.get("service"),
            number(node, "pid"),
            node.get("state"),
            moment(node.get("sinceMillis"))));
    if (number(node, "startedAtMillis") > 0) {
      line.append(
          String.format(
              Locale.ROOT,
              ", %.0f messages, %.0f actors",
              number(node, "messages"),
              number(node, "actorsLive")));
    }
    if (number(node, "spansReceived") > 0) {
      line.append(String.format(Locale.ROOT, ", %.0f spans here", number(node, "spansReceived")));
    }
    if (number(node, "spansNotSent") > 0) {
      line.append(String.format(Locale.ROOT, ", %.0f NOT SENT", number(node, "spansNotSent")));
    }
    if (number(node, "troubleLeftOut") > 0) {
      line.append(
          String.format(
              Locale.ROOT, ", %.0f kinds of trouble left out", number(node, "troubleLeftOut")));
    }
    out.println(ActorTable.printable(line));
  }

  private static void otlp(Map<String, @Nullable Object> otlp, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "OTLP: %.0f requests with %.0f spans, %.0f of them not kept; %.0f data points and log"
            + " records, none kept; %.0f refused%n",
        number(otlp, "requests"),
        number(otlp, "spans"),
        number(otlp, "spansTurnedAway"),
        number(otlp, "notKept"),
        number(otlp, "refused"));
    if (otlp.get("lastRefused") != null) {
      out.println(
          "      last at "
              + moment(otlp.get("lastRefusedMillis"))
              + ", "
              + ActorTable.printable(otlp.get("lastRefused")));
    }
  }

  private static Instant moment(@Nullable Object millis) {
    return Instant.ofEpochMilli(millis instanceof Double ? ((Double) millis).longValue() : 0)
        .truncatedTo(ChronoUnit.SECONDS);
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
