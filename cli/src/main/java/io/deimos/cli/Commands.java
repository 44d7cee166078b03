// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code java -jar deimos.jar actors …} and the other {@link Command}s: asks the page of a running
 * application, by the interface that docs/page-api.md describes, and prints the answer.
 */
final class Commands {
  private static final String PAGE_OPTIONS =
      "  --json           the answer as the page gave it\n"
          + "  --page URL       the page's address, as the line \"deimos: page at\" of the"
          + " application\n"
          + "                   has it; http://127.0.0.1:9797 if not given\n"
          + GivenToken.USAGE
          + "\n";

  private static final String OTHER_OPTIONS =
      "  --find WORDS     only what has all the words in it\n"
          + "  --limit N        how many; 20 if not given\n"
          + PAGE_OPTIONS;

  static final String USAGE =
      "usage: java -javaagent:deimos.jar[=page.port=9800,…] -jar app.jar\n"
          + Command.usages()
          + TapCommand.USAGE
          + ProfileCommand.USAGE
          + ControlCommand.USAGE
          + DumpCommands.USAGES
          + PageCommand.USAGE
          + Command.options()
          + TapCommand.OPTIONS
          + ProfileCommand.OPTIONS
          + ControlCommand.OPTIONS
          + PageCommand.OPTIONS
          + "options of all others:\n"
          + OTHER_OPTIONS
          + "java -jar deimos.jar COMMAND --help has one command alone";

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
    return run(System.getenv(), arguments);
  }

  /** The same with this environment. */
  int run(Map<String, String> environment, String... arguments) {
    String name = arguments[0];
    try {
      return name.equals(PageCommand.NAME) || name.equals("open")
          ? ask(arguments)
          : ask(GivenToken.into(arguments, PAGE, environment, err));
    } catch (IOException e) {
      return misused(String.valueOf(e.getMessage()));
    }
  }

  private int ask(String... arguments) {
    Deque<String> given = new ArrayDeque<>(Arrays.asList(arguments));
    String name = given.removeFirst();
    if (name.equals("--help") || name.equals("-h") || name.equals("help")) {
      out.println(USAGE);
      return OK;
    }
    if (given.contains("--help") || given.contains("-h")) {
      String help = help(name);
      if (help != null) {
        out.print(help);
        return OK;
      }
    }
    if (DumpCommands.are(name)) {
      return new DumpCommands(out, err).run(PAGE, arguments);
    }
    if (TapCommand.is(name)) {
      return new TapCommand(out, err).run(PAGE, arguments);
    }
    if (name.equals(ProfileCommand.NAME)) {
      return new ProfileCommand(out, err).run(PAGE, given);
    }
    if (name.equals(ControlCommand.NAME)) {
      return new ControlCommand(out, err).run(PAGE, given);
    }
    if (name.equals(PageCommand.NAME)) {
      return new PageCommand(err).run(arguments);
    }
    Command command = Command.named(name);
    if (command == null) {
      return misused("there is no command \"" + name + "\"" + Nearest.hint(name, names()));
    }
    String argument = command.argument();
    String asked = "";
    Map<String, String> query = command.query();
    String page = PAGE;
    boolean json = false;
    while (!given.isEmpty()) {
      String option = given.removeFirst();
      if (option.equals("--json")) {
        json = true;
        continue;
      }
      if (command.takesWords() && !option.startsWith("--")) {
        query.merge("q", option, (before, more) -> before + " " + more);
        continue;
      }
      if (!option.startsWith("--") && !argument.isEmpty() && asked.isEmpty()) {
        asked = option;
        continue;
      }
      String value = given.pollFirst();
      if (value == null) {
        return misused(option + " needs a value, or is no option of " + name);
      }
      if (option.equals("--page")) {
        page = value;
      } else if (!command.take(option, value, query)) {
        return misused(
            option + " is no option of " + name + Nearest.hint(option, command.optionNames()));
      }
    }
    if (asked.isEmpty() && !argument.isEmpty() && !argument.startsWith("[")) {
      return misused(name + " needs " + argument);
    }
    return ask(page, command, target(command.path(asked), query), json);
  }

  /** How one command is used, or null if there is none of this name. */
  private static @Nullable String help(String name) {
    switch (name) {
      case "dump":
      case "open":
        return "usage:\n" + DumpCommands.USAGES;
      case "tap":
        return "usage:\n" + TapCommand.USAGE + TapCommand.OPTIONS;
      case ProfileCommand.NAME:
        return "usage:\n" + ProfileCommand.USAGE + ProfileCommand.OPTIONS + PAGE_OPTIONS;
      case ControlCommand.NAME:
        return "usage:\n" + ControlCommand.USAGE + ControlCommand.OPTIONS;
      case PageCommand.NAME:
        return "usage:\n" + PageCommand.USAGE + PageCommand.OPTIONS;
      default:
        Command command = Command.named(name);
        return command == null ? null : "usage:\n" + command.usage() + OTHER_OPTIONS;
    }
  }

  private static List<String> names() {
    List<String> names =
        new ArrayList<>(
            Arrays.asList(
                "dump", "open", "tap", ProfileCommand.NAME, ControlCommand.NAME, PageCommand.NAME));
    for (Command command : Command.values()) {
      names.add(command.word());
    }
    return names;
  }

  private int ask(String page, Command command, String target, boolean json) {
    try {
      PageClient.Reply reply = PageClient.of(page).get(target);
      if (json) {
        out.println(reply.body);
      } else if (reply.status == 200) {
        command.print(PlainJson.object(PlainJson.read(reply.body)), out);
      } else {
        err.println("deimos: " + reason(reply));
      }
      return reply.status == 200 ? OK : FAILED;
    } catch (IOException | IllegalArgumentException e) {
      err.println("deimos: " + noPage(page, e));
      return FAILED;
    }
  }

  /** What to say of a page that does not answer, or of an address that is none. */
  static String noPage(String page, Exception why) {
    if (why instanceof PageClient.Unproven) {
      return String.valueOf(why.getMessage());
    }
    String shown = page.replaceAll("#.*", "");
    return why instanceof IOException
        ? "no page at "
            + shown
            + " ("
            + why
            + "). Give the address that the application's line \"deimos: page at\" has, as --page"
            + " URL"
        : shown + " is no page of Deimos: " + why.getMessage();
  }

  static String reason(PageClient.Reply reply) {
    @Nullable Object said = null;
    try {
      said = PlainJson.object(PlainJson.read(reply.body)).get("error");
    } catch (IllegalArgumentException e) {
      // Told by its status.
    }
    return said instanceof String ? (String) said : "the page answered with status " + reply.status;
  }

  static String target(String path, Map<String, String> query) {
    StringBuilder text = new StringBuilder(path);
    char before = path.indexOf('?') < 0 ? '?' : '&';
    for (Map.Entry<String, String> pair : query.entrySet()) {
      text.append(before)
          .append(pair.getKey())
          .append('=')
          .append(Command.encoded(pair.getValue()));
      before = '&';
    }
    return text.toString();
  }

  private int misused(String what) {
    err.println("deimos: " + what);
    err.println(USAGE);
    return MISUSED;
  }
}
