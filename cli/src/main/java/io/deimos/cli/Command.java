// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command: how it is written, and what it does. */
final class Command {
  static final String JAR = "java -jar deimos.jar";
  static final String JSON = "--json";
  static final String PAGE = "--page";
  static final String FIND = "--find";
  static final String TOKEN_FILE = "--token-file";

  /** The name of a value that is a file. */
  static final String FILE = "FILE";

  private static final int WIDTH = 110;

  private final CommandSpec spec = CommandSpec.create();
  private final Action action;
  private int leastWords;
  private int mostWords;
  private String needs = "";

  Command(String name, String summary, Action action) {
    this.action = action;
    spec.name(name)
        .addOption(help())
        .usageMessage()
        .synopsisHeading("usage: ")
        .customSynopsis(JAR + " " + name + " [options]")
        .description(summary)
        .parameterListHeading("%n")
        .optionListHeading("%noptions:%n")
        .sortOptions(false)
        .width(WIDTH);
  }

  /**
   * A command that asks a page.
   *
   * @param path where the answer is; {@code {}} stands for the words among the options, and without
   *     it they are looked for
   */
  static Command asking(String name, String path, Call.View view, String summary) {
    return new Command(
        name,
        summary,
        call -> {
          Map<String, String> query = call.query();
          String words = String.join(" ", call.words());
          if (!words.isEmpty() && !path.contains("{}")) {
            query.merge("q", words, (found, more) -> more + " " + found);
          }
          String place =
              words.isEmpty()
                  ? path.replaceAll("\\?.*", "")
                  : path.replace("{}", PageClient.encoded(words));
          call.print(GivenToken.page(call).get(PageClient.target(place, query)), view);
        });
  }

  static OptionSpec help() {
    return OptionSpec.builder("-h", "--help").usageHelp(true).description("this text").build();
  }

  /**
   * Takes words among its options.
   *
   * @param needs what to say if there are fewer or more
   */
  Command words(String label, int least, int most, String needs, String text) {
    leastWords = least;
    mostWords = most;
    this.needs = needs;
    spec.usageMessage().customSynopsis(JAR + " " + spec.name() + " " + label + " [options]");
    spec.addPositional(
        PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("0..*")
            .paramLabel(label)
            .hideParamSyntax(true)
            .description(text)
            .build());
    return this;
  }

  Command option(String name, String label, String text) {
    return option(name, label, null, text);
  }

  /** Takes an option that has a value if it is not given. */
  Command option(String name, String label, @Nullable String usual, String text) {
    spec.addOption(
        OptionSpec.builder(name)
            .paramLabel(label)
            .type(String.class)
            .defaultValue(usual)
            .description(usual == null ? text : text + "; " + usual + " if not given")
            .build());
    return this;
  }

  /** Takes the options of every command that asks for a list. */
  Command list(String limit) {
    return option(FIND, "WORDS", "only what has all the words in it")
        .option("--limit", "N", limit, "how many")
        .answer();
  }

  /** Takes the options of every command that prints an answer. */
  Command answer() {
    spec.addOption(
        OptionSpec.builder(JSON)
            .type(boolean.class)
            .description("the answer as the page gave it")
            .build());
    return page();
  }

  /** Takes the options that say which page is asked. */
  Command page() {
    return option(
            PAGE,
            "URL",
            "http://127.0.0.1:9797",
            "where the page is, as the line \"deimos: page at\" has it")
        .option(
            TOKEN_FILE,
            FILE,
            "the file with the page's token, if it needs one; or the variable DEIMOS_PAGE_TOKEN has"
                + " the token");
  }

  Command examples(String... examples) {
    spec.usageMessage()
        .footerHeading("%nexamples:%n")
        .footer(Stream.of(examples).map(one -> "  " + JAR + " " + one).toArray(String[]::new));
    return this;
  }

  CommandSpec spec() {
    return spec;
  }

  /** Runs it. */
  void run(Call call) throws IOException, InterruptedException {
    int words = call.words().size();
    if (words < leastWords || words > mostWords) {
      throw Failure.misuse(needs);
    }
    action.run(call);
  }

  /** The work of a command. */
  interface Action {
    void run(Call call) throws IOException, InterruptedException;
  }
}
