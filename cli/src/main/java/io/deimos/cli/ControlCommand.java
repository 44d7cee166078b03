// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code control}: what is changed in a running application and by whom; with arguments it begins a
 * preset, sets a setting, or ends either.
 */
final class ControlCommand {
  static final String NAME = "control";

  static final String USAGE =
      "       java -jar deimos.jar control [WHAT] [options]\n"
          + "                                          what is changed in it, or a change\n";

  static final String OPTIONS =
      "options of control, which takes --json and --page, too:\n"
          + "  PRESET           begins a preset: look-closely or production\n"
          + "  KEY=VALUE        sets a setting\n"
          + "  end WHAT         ends a preset, or takes a setting back\n"
          + "  --for TIME       how long it holds, such as 30s, 5m or 1h\n";

  private static final String PATH = "/api/v1/settings";
  private static final String OURS = "deimos.";
  private static final int MAX_ENTRIES = 20;
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final PrintStream err;

  ControlCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /**
   * Runs it; returns the exit code.
   *
   * @param given the page that is asked if no option says otherwise
   */
  int run(String given, Deque<String> arguments) {
    String page = given;
    String during = "";
    boolean json = false;
    List<String> words = new ArrayList<>();
    while (!arguments.isEmpty()) {
      String word = arguments.removeFirst();
      if (word.equals("--json")) {
        json = true;
      } else if (word.equals("--page") || word.equals("--for")) {
        String value = arguments.pollFirst();
        if (value == null) {
          return misused(word + " needs a value");
        }
        if (word.equals("--page")) {
          page = value;
        } else {
          during = value;
        }
      } else if (word.startsWith("--")) {
        return misused(word + " is no option of control");
      } else {
        words.add(word);
      }
    }
    Map<String, String> wanted = wanted(words);
    if (wanted == null) {
      return misused("control takes a preset, KEY=VALUE, or end and one of them");
    }
    if (!during.isEmpty()) {
      if (wanted.isEmpty()) {
        return misused("--for belongs to a change");
      }
      wanted.put("for", during);
    }
    return ask(page, wanted, json);
  }

  /** What is asked of the page; empty for no change, null for what is none. */
  private static @Nullable Map<String, String> wanted(List<String> words) {
    Map<String, String> wanted = new LinkedHashMap<>();
    boolean ends = !words.isEmpty() && words.get(0).equals("end");
    if (words.size() > (ends ? 2 : 1) || (ends && words.size() == 1)) {
      return null;
    }
    if (words.isEmpty()) {
      return wanted;
    }
    String what = words.get(words.size() - 1);
    int equals = what.indexOf('=');
    if (ends) {
      wanted.put(what.startsWith(OURS) ? "key" : "end", what);
    } else if (equals > 0) {
      wanted.put("key", what.substring(0, equals));
      wanted.put("value", what.substring(equals + 1));
    } else {
      wanted.put("preset", what);
    }
    return wanted;
  }

  private int ask(String page, Map<String, String> wanted, boolean json) {
    try {
      PageClient client = PageClient.of(page);
      if (!wanted.isEmpty()) {
        wanted.put("who", who());
      }
      String target = Commands.target(PATH, wanted);
      PageClient.Reply reply = wanted.isEmpty() ? client.get(target) : client.post(target);
      if (json) {
        out.println(reply.body);
      } else if (reply.status == 200) {
        print(PlainJson.object(PlainJson.read(reply.body)));
      } else {
        err.println("deimos: " + Commands.reason(reply));
      }
      return reply.status == 200 ? 0 : FAILED;
    } catch (IOException | IllegalArgumentException e) {
      err.println("deimos: " + Commands.noPage(page, e));
      return FAILED;
    }
  }

  private static String who() {
    String user = System.getProperty("user.name", "");
    return (user.length() > 40 ? user.substring(0, 40) : user) + " at the command line";
  }

  private void print(Map<String, @Nullable Object> answer) {
    List<@Nullable Object> changes = PlainJson.list(answer.get("changes"));
    out.println(
        changes.isEmpty() ? "Nothing is changed from the page or from here." : "Changed now:");
    for (@Nullable Object one : changes) {
      Map<String, @Nullable Object> change = PlainJson.object(one);
      @Nullable Object preset = change.get("preset");
      line(
          "  "
              + (preset == null ? change.get("key") + "=" + change.get("value") : preset)
              + ends(change.get("leftMillis"))
              + ", by "
              + change.get("by"));
    }
    out.println("Presets:");
    for (@Nullable Object one : PlainJson.list(answer.get("presets"))) {
      Map<String, @Nullable Object> preset = PlainJson.object(one);
      line("  " + preset.get("name") + "  " + preset.get("does"));
      for (@Nullable Object held : PlainJson.list(preset.get("settings"))) {
        Map<String, @Nullable Object> setting = PlainJson.object(held);
        if (!String.valueOf(setting.get("now")).equals(setting.get("then"))) {
          line(
              "    "
                  + setting.get("key")
                  + " from "
                  + setting.get("now")
                  + " to "
                  + setting.get("then"));
        }
      }
      if (preset.get("refused") != null) {
        line("    cannot begin: " + preset.get("refused"));
      }
    }
    history(PlainJson.list(answer.get("history")));
  }

  private void history(List<@Nullable Object> entries) {
    out.println(
        entries.isEmpty() ? "Nobody has changed anything since the start." : "Who changed what:");
    for (@Nullable Object one : entries.subList(0, Math.min(MAX_ENTRIES, entries.size()))) {
      Map<String, @Nullable Object> entry = PlainJson.object(one);
      @Nullable Object at = entry.get("atMillis");
      Instant when = Instant.ofEpochMilli(at instanceof Double ? ((Double) at).longValue() : 0);
      line(
          "  "
              + when.truncatedTo(ChronoUnit.SECONDS)
              + "  "
              + entry.get("by")
              + ": "
              + entry.get("what"));
      for (@Nullable Object changed : PlainJson.list(entry.get("settings"))) {
        Map<String, @Nullable Object> setting = PlainJson.object(changed);
        line(
            "    "
                + setting.get("key")
                + " from "
                + setting.get("from")
                + " to "
                + setting.get("to"));
      }
    }
  }

  private static String ends(@Nullable Object leftMillis) {
    return leftMillis instanceof Double
        ? ", for " + (long) Math.ceil((Double) leftMillis / 1000) + " s more"
        : ", until it is ended";
  }

  private void line(String text) {
    out.println(ActorTable.printable(text));
  }

  private int misused(String what) {
    err.println("deimos: " + what);
    err.print(OPTIONS);
    return MISUSED;
  }
}
