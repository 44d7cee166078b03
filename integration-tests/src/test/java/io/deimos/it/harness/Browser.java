// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs the programs in {@code src/test/browser}, which look at a page in headless Chromium. */
public final class Browser {
  private Browser() {}

  /** The output of a program; fails if the program did. */
  public static String looks(String program, String url, String... arguments)
      throws IOException, InterruptedException {
    return looks(program, url, List.of(arguments), Map.of(), line -> {});
  }

  /**
   * The output of a program; fails if the program did.
   *
   * @param url of the page; may have a token, so it is no argument
   * @param variables of its environment
   * @param onLine gets each line as soon as it is printed
   */
  public static String looks(
      String program,
      String url,
      List<String> arguments,
      Map<String, String> variables,
      Consumer<String> onLine)
      throws IOException, InterruptedException {
    return answered(
        program,
        url,
        arguments,
        variables,
        line -> {
          onLine.accept(line);
          return null;
        });
  }

  /**
   * The same for a program that asks.
   *
   * @param answers gets each line as soon as it is printed, and says what the program is to read
   */
  public static String answered(
      String program,
      String url,
      List<String> arguments,
      Map<String, String> variables,
      Function<String, @Nullable String> answers)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("node"));
    command.add(Layout.root().resolve("integration-tests/src/test/browser/" + program).toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    builder.environment().put("PAGE_URL", url);
    Process process = builder.start();
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.append(line).append('\n');
        String answer = answers.apply(line);
        if (answer != null) {
          process.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
          process.getOutputStream().flush();
        }
      }
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends: %s", said).isTrue();
    assertThat(process.exitValue()).as(said.toString()).isZero();
    return said.toString();
  }
}
