// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** One call of a command: what was given, and where its answer goes. */
record Call(ParseResult given, Map<String, String> environment, PrintStream out, PrintStream err) {
  private static final Set<String> NO_PARAMETERS = Set.of(Command.PAGE, Command.JSON);

  /** An option's value, or null if it has none. */
  @Nullable String option(String name) {
    return given.commandSpec().findOption(name).getValue();
  }

  /** The value of an option that has one by default. */
  String value(String name) {
    return String.valueOf(option(name));
  }

  /** The value of an option that is a whole number in a range. */
  int number(String name, int least, int most) throws Failure {
    String value = value(name);
    boolean isNumber = value.matches("[0-9]{1,9}");
    if (!isNumber || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
      throw Failure.misuse(
          name + " " + value + ": must be a whole number in [" + least + ", " + most + "]");
    }
    return Integer.parseInt(value);
  }

  /** The words among the options. */
  List<String> words() {
    List<PositionalParamSpec> all = given.commandSpec().positionalParameters();
    List<String> words = all.isEmpty() ? null : all.get(0).getValue();
    return words == null ? List.of() : words;
  }

  /** The parameters of a request: options with a default, then all others as they were given. */
  Map<String, String> query() {
    Map<String, String> query = new LinkedHashMap<>();
    Stream.concat(
            given.commandSpec().options().stream().filter(one -> one.defaultValue() != null),
            given.matchedOptions().stream())
        .filter(one -> !NO_PARAMETERS.contains(one.longestName()))
        .filter(one -> !one.paramLabel().equals(Command.FILE))
        .forEach(one -> put(one.longestName(), value(one.longestName()), query));
    return query;
  }

  private static void put(String option, String value, Map<String, String> query) {
    switch (option) {
      case Command.FIND -> query.put("q", value);
      case "--sort" -> query.put("sort", value.startsWith("+") ? value.substring(1) : "-" + value);
      case "--busy", "--errors" ->
          query.put(option.substring(2), value.equals("no") ? "false" : "true");
      default -> query.put(option.substring(2), value);
    }
  }

  /** Prints an answer of the page, or says why there is none. */
  Json print(PageClient.Reply reply, View view) throws Failure {
    boolean isJson = Boolean.TRUE.equals(given.matchedOptionValue(Command.JSON, false));
    if (isJson) {
      out.println(reply.body().strip());
    }
    if (reply.status() != PageClient.OK) {
      throw isJson ? Failure.told(Failure.FAILED) : Failure.of(reply.reason());
    }
    Json answer = Json.readObject(reply.body());
    if (!isJson) {
      view.print(answer, new Lines(out));
    }
    return answer;
  }

  /** How an answer is printed. */
  interface View {
    void print(Json answer, Lines out);
  }
}
