// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code java -jar deimos.jar actors …} and the other commands: reads what is written, runs it. */
public final class Commands {
  private static final int OK = 0;

  private final List<Command> commands = CommandList.all();
  private final PrintStream out;
  private final PrintStream err;
  private final String version;

  Commands(PrintStream out, PrintStream err, String version) {
    this.out = out;
    this.err = err;
    this.version = version;
  }

  /**
   * Runs a command; called by {@code io.deimos.launch.Main}.
   *
   * @param version what the jar says of itself
   * @return the exit code
   */
  @SuppressWarnings("SystemOut") // a program of the command line
  public static int run(String version, String[] arguments) {
    return new Commands(System.out, System.err, version).run(System.getenv(), arguments);
  }

  int run(Map<String, String> environment, String... arguments) {
    CommandLine all = line();
    if (arguments.length == 0) {
      out.println(version);
      return help(all);
    }
    if (arguments[0].equals("help")) {
      return run(environment, arguments.length == 1 ? "--help" : arguments[1], "--help");
    }
    try {
      ParseResult given = all.parseArgs(arguments);
      ParseResult asked = given.hasSubcommand() ? given.subcommand() : given;
      if (given.isVersionHelpRequested()) {
        out.println(version);
        return OK;
      }
      if (!given.unmatched().isEmpty()) {
        return misused(all, noCommand(given.unmatched().get(0), all));
      }
      if (asked.isUsageHelpRequested()) {
        return help(asked.commandSpec().commandLine());
      }
      for (Command command : commands) {
        if (command.spec() == asked.commandSpec()) {
          return run(command, new Call(asked, environment, out, err));
        }
      }
      return misused(all, "name a command");
    } catch (ParameterException e) {
      return misused(e.getCommandLine(), message(e));
    }
  }

  private CommandLine line() {
    CommandSpec all = CommandSpec.create().name(Command.JAR);
    all.addOption(Command.help());
    all.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("which version this is")
            .build());
    all.usageMessage()
        .synopsisHeading("usage: ")
        .customSynopsis(
            "java -javaagent:deimos.jar[=page.port=9800,…] -jar app.jar",
            "       " + Command.JAR + " COMMAND [options]")
        .commandListHeading("%ncommands:%n")
        .optionListHeading("%noptions:%n")
        .footer("%n" + Command.JAR + " COMMAND --help has the options of one command");
    commands.forEach(command -> all.addSubcommand(command.spec().name(), command.spec()));
    return new CommandLine(all)
        .setExpandAtFiles(false)
        .setInterpolateVariables(false)
        .setPosixClusteredShortOptionsAllowed(false)
        .setOverwrittenOptionsAllowed(true);
  }

  private int run(Command command, Call call) {
    try {
      command.run(call);
      return OK;
    } catch (Failure e) {
      if (e.code() == Failure.MISUSED && !e.sentence().isEmpty()) {
        return misused(command.spec().commandLine(), e.sentence());
      }
      return failed(e.code(), e.sentence());
    } catch (IOException e) {
      return failed(
          Failure.FAILED,
          "no page at "
              + page(call)
              + " ("
              + e
              + "). Give the address that the application's line \"deimos: page at\" has, as --page"
              + " URL");
    } catch (IllegalArgumentException e) {
      return failed(Failure.FAILED, page(call) + " is no page of Deimos: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Failure.FAILED;
    }
  }

  /** The page's address without a token. */
  private static String page(Call call) {
    return call.value(Command.PAGE).replaceAll("#.*", "");
  }

  private int failed(int code, String sentence) {
    if (!sentence.isEmpty()) {
      err.println("deimos: " + sentence);
    }
    return code;
  }

  private int misused(CommandLine line, String what) {
    err.print(usage(line));
    return failed(Failure.MISUSED, what);
  }

  private int help(CommandLine line) {
    out.print(usage(line));
    return OK;
  }

  private static String usage(CommandLine line) {
    return line.setSeparator(" ").getUsageMessage(Help.Ansi.OFF);
  }

  private static String noCommand(String name, CommandLine all) {
    return "there is no command \""
        + name
        + "\""
        + Nearest.hint(name, all.getSubcommands().keySet());
  }

  private static String message(ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    if (e instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().get(0);
      return spec.parent() == null
          ? noCommand(first, e.getCommandLine())
          : first
              + " is no option of "
              + spec.name()
              + Nearest.hint(first, spec.optionsMap().keySet());
    }
    if (e instanceof MissingParameterException missing) {
      ArgSpec of = missing.getMissing().get(0);
      String what = of.paramLabel().equals(Command.FILE) ? " needs a file" : " needs a value";
      return (of instanceof OptionSpec option ? option.longestName() : of.paramLabel()) + what;
    }
    return String.valueOf(e.getMessage());
  }
}
