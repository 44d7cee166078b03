// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code java -jar deimos.jar actors …} and {@code trouble …}: ask the page of a running
 * application, by the interface that docs/page-api.md describes, and print the answer.
 */
final class Commands {
  static final String USAGE =
      "usage: java -javaagent:deimos.jar[=page.port=9800,…] -jar app.jar\n"
          + "       java -jar deimos.jar actors [options]    the living actors of a running"
          + " application\n"
          + "       java -jar deimos.jar trouble [options]   what went wrong in it\n"
          + "options of actors:\n"
          + "  --sort WHAT      mailbox (the default), rate, busy, wait, messages, failures,"
          + " restarts, age;\n"
          + "                   the greatest first, or with a + before it the smallest\n"
          + "  --class CLASS    only those of a class\n"
          + "  --parent PATH    only the children of an actor, such as pekko://shop/user\n"
          + "options of trouble:\n"
          + "  --kind KIND      only failure, ask_timeout, ask_failed, dead_letter, stuck,"
          + " restart,\n"
          + "                   unhandled, dropped, quarantine, problem or deimos\n"
          + "options of both:\n"
          + "  --find WORDS     only those with all the words in them\n"
          + "  --limit N        how many, in [1, 500]; 20 if not given\n"
          + "  --json           the answer as the page gave it\n"
          + "  --page URL       the page's address, as the line \"deimos: page at\" of the"
          + " application\n"
          + "                   has it, with its token if it needs one; http://127.0.0.1:9797 if"
          + " not given";

  private static final List<String> OF_ACTORS =
      Arrays.asList("--sort", "--class", "--parent", "--find", "--limit");
  private static final List<String> OF_TROUBLE = Arrays.asList("--kind", "--find", "--limit");
  private static final String PAGE = "http://127.0.0.1:9797";
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final PrintStream err;

  Commands(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs a command; returns the exit code. */
  int run(String... arguments) {
    Deque<String> given = new ArrayDeque<>(Arrays.asList(arguments));
    String command = given.removeFirst();
    boolean actors = command.equals("actors");
    if (!actors && !command.equals("trouble")) {
      return misused("there is no command \"" + command + "\"");
    }
    List<String> options = actors ? OF_ACTORS : OF_TROUBLE;
    Map<String, String> query = new LinkedHashMap<>();
    if (actors) {
      query.put("sort", "-mailbox");
    }
    query.put("limit", "20");
    String page = PAGE;
    boolean json = false;
    while (!given.isEmpty()) {
      String option = given.removeFirst();
      if (option.equals("--json")) {
        json = true;
        continue;
      }
      String value = given.pollFirst();
      if (value == null) {
        return misused(option + " needs a value, or is no option of " + command);
      }
      if (option.equals("--page")) {
        page = value;
      } else if (options.contains(option)) {
        put(option, value, query);
      } else {
        return misused(option + " is no option of " + command);
      }
    }
    return ask(page, command, query, json);
  }

  private static void put(String option, String value, Map<String, String> query) {
    if (option.equals("--sort")) {
      query.put("sort", value.startsWith("+") ? value.substring(1) : "-" + value);
    } else if (option.equals("--find")) {
      query.put("q", value);
    } else {
      query.put(option.substring(2), value);
    }
  }

  private int ask(String page, String command, Map<String, String> query, boolean json) {
    try {
      PageClient.Reply reply = PageClient.of(page).get("/api/v1/" + command + "?" + encoded(query));
      if (json) {
        out.println(reply.body);
      } else if (reply.status == 200) {
        Map<String, @Nullable Object> answer = PlainJson.object(PlainJson.read(reply.body));
        if (command.equals("actors")) {
          ActorTable.print(answer, out);
        } else {
          TroubleLines.print(answer, out);
        }
      } else {
        err.println("deimos: " + reason(reply));
      }
      return reply.status == 200 ? OK : FAILED;
    } catch (IOException e) {
      err.println(
          "deimos: no page at "
              + page.replaceAll("#.*", "")
              + " ("
              + e
              + "). Give the address that the application's line \"deimos: page at\" has, as --page"
              + " URL");
      return FAILED;
    } catch (IllegalArgumentException e) {
      err.println(
          "deimos: " + page.replaceAll("#.*", "") + " is no page of Deimos: " + e.getMessage());
      return FAILED;
    }
  }

  private static String reason(PageClient.Reply reply) {
    @Nullable Object said = null;
    try {
      said = PlainJson.object(PlainJson.read(reply.body)).get("error");
    } catch (IllegalArgumentException e) {
      // Told by its status.
    }
    return said instanceof String ? (String) said : "the page answered with status " + reply.status;
  }

  private static String encoded(Map<String, String> query) throws UnsupportedEncodingException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> pair : query.entrySet()) {
      text.append(text.length() == 0 ? "" : "&")
          .append(pair.getKey())
          .append('=')
          .append(URLEncoder.encode(pair.getValue(), "UTF-8"));
    }
    return text.toString();
  }

  private int misused(String what) {
    err.println("deimos: " + what);
    err.println(USAGE);
    return MISUSED;
  }
}
