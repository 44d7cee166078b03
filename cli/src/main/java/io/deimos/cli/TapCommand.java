// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code tap}: opens a tap on a running application and prints its messages as they come. */
final class TapCommand {
  static final String USAGE =
      "       java -jar deimos.jar tap [options]      its next messages, as they are processed\n";

  static final String OPTIONS =
      "options of tap, which takes --json and --page, too:\n"
          + "  --class CLASS    only messages of a class; * matches any part\n"
          + "  --to PATH        only those to an actor, such as '/user/payments/*'\n"
          + "  --count N        how many, in [1, 500]; 50 if not given\n"
          + "  --rate N         how many a second, in [1, 100]; 10 if not given\n"
          + "  --seconds N      for how long, in [1, 600]; 60 if not given\n";

  private static final String PATH = "/api/v1/tap";
  private static final List<String> NAMES =
      Arrays.asList("class", "to", "count", "rate", "seconds");
  private static final long POLL_MILLIS = 500;
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final PrintStream err;

  TapCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  static boolean is(String command) {
    return command.equals("tap");
  }

  /**
   * Runs it; returns the exit code.
   *
   * @param given what is asked if no option says otherwise
   */
  int run(String given, String... arguments) {
    Deque<String> options = new ArrayDeque<>(Arrays.asList(arguments));
    options.removeFirst();
    String page = given;
    boolean json = false;
    StringBuilder query = new StringBuilder();
    try {
      while (!options.isEmpty()) {
        String option = options.removeFirst();
        if (option.equals("--json")) {
          json = true;
          continue;
        }
        String name = option.startsWith("--") ? option.substring(2) : "";
        String value = options.pollFirst();
        if (value == null || !(name.equals("page") || NAMES.contains(name))) {
          err.println("deimos: " + option + " is no option of tap, or needs a value");
          err.print(OPTIONS);
          return MISUSED;
        }
        if (name.equals("page")) {
          page = value;
        } else {
          query
              .append(query.length() == 0 ? "?" : "&")
              .append(name)
              .append('=')
              .append(URLEncoder.encode(value, "UTF-8"));
        }
      }
      return follow(PageClient.of(page), query.toString(), json);
    } catch (IOException | IllegalArgumentException e) {
      err.println(
          "deimos: no tap at "
              + page.replaceAll("#.*", "")
              + " ("
              + e
              + "). Give the address that the application's line \"deimos: page at\" has, as --page"
              + " URL");
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }

  private int follow(PageClient page, String query, boolean json)
      throws IOException, InterruptedException {
    String next = PATH + query;
    while (true) {
      PageClient.Reply reply = page.get(next);
      if (reply.status != 200) {
        err.println("deimos: " + Commands.reason(reply));
        return FAILED;
      }
      Map<String, @Nullable Object> answer = PlainJson.object(PlainJson.read(reply.body));
      List<@Nullable Object> messages = PlainJson.list(answer.get("messages"));
      if (json) {
        out.println(reply.body.trim());
      } else {
        messages.forEach(message -> print(PlainJson.object(message)));
      }
      if (!"open".equals(answer.get("state"))) {
        if (!json) {
          end(answer);
        }
        return 0;
      }
      next = PATH + "/" + answer.get("id") + "?after=" + (long) number(answer, "last");
      Thread.sleep(POLL_MILLIS);
    }
  }

  private void print(Map<String, @Nullable Object> message) {
    Instant at = Instant.ofEpochMilli((long) number(message, "atMillis"));
    StringBuilder line = new StringBuilder();
    line.append(at.truncatedTo(ChronoUnit.MILLIS)).append("  ").append(message.get("class"));
    line.append(" to ").append(message.get("actorPath"));
    if (message.get("senderPath") != null) {
      line.append(" from ").append(message.get("senderPath"));
    }
    if (message.get("waitNanos") != null) {
      line.append(" waited ").append(ActorTable.duration(message.get("waitNanos")));
    }
    line.append(" took ").append(ActorTable.duration(message.get("processingNanos")));
    if (message.get("error") != null) {
      line.append(" failed with ").append(message.get("error"));
    }
    line.append(" trace ").append(message.get("traceId"));
    if (message.get("content") != null) {
      line.append(" says ").append(message.get("content"));
    }
    out.println(ActorTable.printable(line));
  }

  private void end(Map<String, @Nullable Object> answer) {
    out.printf(
        Locale.ROOT,
        "%.0f messages, %.0f more that the rate left out; ended by %s%n",
        number(answer, "taken"),
        number(answer, "leftOut"),
        ActorTable.printable(answer.get("endedBy")));
    @Nullable Object share = answer.get("recordedShare");
    if (share instanceof Double && (Double) share < 0.999) {
      out.printf(
          Locale.ROOT,
          "Only the %.1f %% of messages that are recorded can be seen.%n",
          (Double) share * 100);
    }
  }

  private static double number(Map<String, @Nullable Object> of, String name) {
    @Nullable Object value = of.get(name);
    return value instanceof Double ? (Double) value : 0;
  }
}
