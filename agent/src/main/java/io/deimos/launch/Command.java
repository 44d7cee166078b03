// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command that asks the page of a running application: what it asks for, its options, and how the
 * answer is printed.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are
enum Command {
  ACTORS(
      ActorTable::print,
      "  --sort WHAT      mailbox (the default), rate, busy, wait, messages, failures,"
          + " restarts, age;\n"
          + "                   the greatest first, or with a + before it the smallest\n"
          + "  --class CLASS    only those of a class\n"
          + "  --parent PATH    only the children of an actor, such as pekko://shop/user\n",
      "the living actors of a running application",
      "--sort",
      "--class",
      "--parent"),
  TROUBLE(
      TroubleLines::print,
      "  --kind KIND      only failure, ask_timeout, ask_failed, dead_letter, stuck,"
          + " starvation,\n"
          + "                   restart, unhandled, dropped, quarantine, problem or deimos\n",
      "what went wrong in it",
      "--kind"),
  MAP(
      MapLines::print,
      "  --seconds N      of the last N seconds, in [1, 3600]; 60 if not given\n"
          + "  --open CLASS     the actors of a class one by one\n",
      "who tells whom in it",
      "--seconds",
      "--open"),
  THREADS(
      ThreadLines::print,
      "  --busy no        threads without a message, too\n",
      "what each thread of its dispatchers does",
      "--busy"),
  WHERE(
      WhereLines::print,
      "  QUERY            message:CLASS, actor:PATH, sender:PATH, text:WORDS, trace:ID, or a word\n"
          + "                   that is part of any of these\n",
      "what became of a message") {
    @Override
    String synopsis() {
      return "where QUERY";
    }

    @Override
    boolean takesWords() {
      return true;
    }
  },
  TOP(SystemLines::print, "", "the last minute, and what is counted") {
    @Override
    String path() {
      return "/api/v1/system";
    }
  };

  private final Printer printer;
  private final String help;
  private final String summary;
  private final List<String> options;

  Command(Printer printer, String help, String summary, String... options) {
    this.printer = printer;
    this.help = help;
    this.summary = summary;
    this.options = Collections.unmodifiableList(Arrays.asList(options));
  }

  /** The command of this name, or null if there is none. */
  static @Nullable Command named(String name) {
    for (Command command : values()) {
      if (command.word().equals(name)) {
        return command;
      }
    }
    return null;
  }

  /** How they are all used, a line each. */
  static String usages() {
    StringBuilder text = new StringBuilder();
    for (Command command : values()) {
      text.append(
          String.format(
              Locale.ROOT,
              "       java -jar deimos.jar %-18s %s%n",
              command.synopsis(),
              command.summary));
    }
    return text.toString();
  }

  /** The options of each. */
  static String options() {
    StringBuilder text = new StringBuilder();
    for (Command command : values()) {
      if (!command.help.isEmpty()) {
        text.append("options of ").append(command.word()).append(":\n").append(command.help);
      }
    }
    return text.toString();
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How it is written. */
  String synopsis() {
    return word() + " [options]";
  }

  /** Whether what is no option is looked for. */
  boolean takesWords() {
    return false;
  }

  /** Where the answer is. */
  String path() {
    return "/api/v1/" + word();
  }

  /** What is asked if no option says otherwise. */
  Map<String, String> query() {
    Map<String, String> query = new LinkedHashMap<>();
    if (this == ACTORS) {
      query.put("sort", "-mailbox");
    }
    if (this == THREADS) {
      query.put("busy", "true");
    }
    query.put("limit", "20");
    return query;
  }

  /** Takes an option over into what is asked; false if it is none of this command. */
  boolean take(String option, String value, Map<String, String> query) {
    if (option.equals("--find")) {
      query.put("q", value);
    } else if (option.equals("--sort") && options.contains(option)) {
      query.put("sort", value.startsWith("+") ? value.substring(1) : "-" + value);
    } else if (option.equals("--busy") && options.contains(option)) {
      query.put("busy", value.equals("no") ? "false" : "true");
    } else if (option.equals("--limit") || options.contains(option)) {
      query.put(option.substring(2), value);
    } else {
      return false;
    }
    return true;
  }

  void print(Map<String, @Nullable Object> answer, PrintStream out) {
    printer.print(answer, out);
  }

  private interface Printer {
    void print(Map<String, @Nullable Object> answer, PrintStream out);
  }
}
