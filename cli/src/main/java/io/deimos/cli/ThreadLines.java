// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints dispatchers, a line each, and below each what its threads do. */
final class ThreadLines {
  private ThreadLines() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    List<@Nullable Object> pools = PlainJson.list(answer.get("dispatchers"));
    for (@Nullable Object pool : pools) {
      pool(PlainJson.object(pool), out);
    }
    if (pools.isEmpty()) {
      out.println("no dispatcher is known: deimos.metrics.gauges.enabled may be off");
    }
    if (number(answer, "threadsLeftOut") > 0) {
      out.printf(Locale.ROOT, "and %.0f more threads%n", number(answer, "threadsLeftOut"));
    }
  }

  private static void pool(Map<String, @Nullable Object> pool, PrintStream out) {
    if (pool.get("name") == null) {
      out.println("threads of no dispatcher");
    } else {
      out.printf(
          Locale.ROOT,
          "%s %s: %s of %s threads busy, %s tasks wait%s%n",
          ActorTable.printable(pool.get("system")),
          ActorTable.printable(pool.get("name")),
          known(pool, "active"),
          known(pool, "parallelism"),
          known(pool, "queued"),
          number(pool, "waitNanos") > 0
              ? String.format(Locale.ROOT, ", one for %.1f s", number(pool, "waitNanos") / 1e9)
              : "");
    }
    for (@Nullable Object thread : PlainJson.list(pool.get("threads"))) {
      thread(PlainJson.object(thread), out);
    }
  }

  private static void thread(Map<String, @Nullable Object> thread, PrintStream out) {
    String does = "";
    if (thread.get("work") != null) {
      Map<String, @Nullable Object> work = PlainJson.object(thread.get("work"));
      does =
          "  "
              + work.get("messageClass")
              + " in "
              + work.get("actorPath")
              + (work.get("forNanos") == null
                  ? ""
                  : String.format(Locale.ROOT, " for %.3f s", number(work, "forNanos") / 1e9))
              + (work.get("traceId") == null ? "" : " trace " + work.get("traceId"));
    }
    out.println(
        "  "
            + ActorTable.printable(thread.get("name"))
            + "  "
            + ActorTable.printable(thread.get("state"))
            + ActorTable.printable(does));
  }

  private static String known(Map<String, @Nullable Object> of, String name) {
    return of.get(name) == null ? "?" : String.format(Locale.ROOT, "%.0f", number(of, name));
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
