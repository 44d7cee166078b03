// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.util.ArrayList;
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
  TRACES(
      TraceLines::list,
      "  QUERY            terms that all have to hold, such as \"duration>500ms status:error\",\n"
          + "                   \"actor:Cart message:Charge\" or \"event:dead_letter\"; all are"
          + " in\n"
          + "                   docs/page-api.md\n"
          + "  --errors yes     only traces in which something went wrong\n",
      "the traces that match a query",
      "--errors") {
    @Override
    String argument() {
      return "[QUERY]";
    }

    @Override
    String path(String query) {
      return super.path(query) + (query.isEmpty() ? "" : "?q=" + encoded(query));
    }
  },
  TRACE(TraceLines::trace, "", "the spans of one trace") {
    @Override
    String argument() {
      return "ID";
    }

    @Override
    String path(String id) {
      return "/api/v1/traces/" + encoded(id);
    }
  },
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
  CLUSTER(ClusterLines::print, "", "the cluster, as all its nodes see it"),
  NODES(NodeLines::print, "", "the processes on its page, and what is not here of them"),
  TOP(SystemLines::print, "", "the last minute, and what is counted") {
    @Override
    String path(String argument) {
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
      text.append(command.line());
    }
    return text.toString();
  }

  private String line() {
    return String.format(
        Locale.ROOT, "       java -jar deimos.jar %-24s %s%n", synopsis(), summary);
  }

  /** How it is used, with the options that it alone has. */
  String usage() {
    return line() + (help.isEmpty() ? "" : "options:\n" + help);
  }

  /** All that it takes. */
  List<String> optionNames() {
    List<String> names =
        new ArrayList<>(Arrays.asList("--find", "--limit", "--json", "--page", "--help"));
    names.addAll(options);
    return names;
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
    return word() + (argument().isEmpty() ? "" : " " + argument()) + " [options]";
  }

  /** Whether what is no option is looked for. */
  boolean takesWords() {
    return false;
  }

  /** What may stand among the options: {@code ID}, or {@code [QUERY]} if it need not. */
  String argument() {
    return "";
  }

  /**
   * Where the answer is.
   *
   * @param argument what stood among the options; empty for nothing
   */
  String path(String argument) {
    return "/api/v1/" + word();
  }

  static String encoded(String text) {
    try {
      return URLEncoder.encode(text, "UTF-8");
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("every JDK has UTF-8", e);
    }
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
    query.put("limit", this == TRACE ? "1000" : "20");
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
    } else if (option.equals("--errors") && options.contains(option)) {
      query.put("errors", value.equals("no") ? "false" : "true");
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
