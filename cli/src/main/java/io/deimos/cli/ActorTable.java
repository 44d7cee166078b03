// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints a list of actors as a table, and below it what its figures do not cover. */
final class ActorTable {
  private static final String UNKNOWN = "-";
  private static final double NEARLY_ALL = 0.9;
  private static final List<String> HEADS =
      Arrays.asList(
          "MAILBOX", "MSG/S", "BUSY", "WAIT P99", "FAILED", "RESTARTS", "AGE", "CLASS", "PATH");
  private static final int FIRST_TEXT = 7;

  private ActorTable() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    double now = number(answer.get("nowMillis"));
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADS);
    for (@Nullable Object actor : PlainJson.list(answer.get("actors"))) {
      rows.add(row(PlainJson.object(actor), now));
    }
    int[] widths = new int[HEADS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String pad = i < FIRST_TEXT ? "%" + widths[i] + "s  " : "%-" + widths[i] + "s  ";
        line.append(String.format(Locale.ROOT, pad, row.get(i)));
      }
      out.println(line.toString().replaceAll(" +$", ""));
    }
    out.printf(
        Locale.ROOT,
        "%d of %.0f actors, of %.0f that live%n",
        rows.size() - 1,
        number(answer.get("total")),
        number(answer.get("living")));
    doubts(PlainJson.object(answer.get("known")), number(answer.get("living")), out);
  }

  private static void doubts(Map<String, @Nullable Object> known, double living, PrintStream out) {
    recorded(known.get("recordedShare"), out);
    double mailboxes = number(known.get("mailboxes"));
    if (mailboxes == 0) {
      out.println("Mailboxes are not looked into.");
    } else if (mailboxes < living) {
      out.printf(Locale.ROOT, "Only %.0f mailboxes are looked into.%n", mailboxes);
    }
  }

  /** Says so if the figures are of a part of all messages. */
  static void recorded(@Nullable Object share, PrintStream out) {
    if (share != null && number(share) < NEARLY_ALL) {
      out.printf(
          Locale.ROOT,
          "Rates, busy shares, waits and failures are of the %.1f %% of messages that were"
              + " recorded.%n",
          number(share) * 100);
    }
  }

  /** In a unit that suits it. */
  static String duration(@Nullable Object nanos) {
    return nanos == null ? UNKNOWN : nanos(number(nanos));
  }

  private static List<String> row(Map<String, @Nullable Object> actor, double nowMillis) {
    String type = String.valueOf(actor.get("class"));
    return Arrays.asList(
        actor.get("mailbox") == null ? UNKNOWN : whole(actor.get("mailbox")),
        String.format(Locale.ROOT, "%.1f", number(actor.get("ratePerSecond"))),
        String.format(Locale.ROOT, "%.1f%%", 100 * number(actor.get("busyShare"))),
        duration(actor.get("waitP99Nanos")),
        whole(actor.get("failures")),
        whole(actor.get("restarts")),
        age((nowMillis - number(actor.get("madeAtMillis"))) / 1000),
        printable(type.substring(type.lastIndexOf('.') + 1)),
        printable(actor.get("path")));
  }

  /** Whatever would steer a terminal is a question mark. */
  static String printable(@Nullable Object text) {
    return String.valueOf(text).replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
  }

  private static double number(@Nullable Object value) {
    return value instanceof Double ? (Double) value : 0;
  }

  private static String whole(@Nullable Object value) {
    return String.format(Locale.ROOT, "%.0f", number(value));
  }

  private static String nanos(double nanos) {
    return nanos < 1e6
        ? String.format(Locale.ROOT, "%.0f us", nanos / 1e3)
        : nanos < 1e9
            ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
            : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }

  private static String age(double seconds) {
    long s = Math.max(0, Math.round(seconds));
    return s < 60
        ? s + " s"
        : s < 3600 ? s / 60 + " min" : s < 86_400 ? s / 3600 + " h" : s / 86_400 + " d";
  }
}
