// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs scenarios as it is told by lines on standard input: {@code run <name> [<argument>]},
 * answered by {@code @done <name>} or {@code @failed <name> <why>}; {@code end} ends the JVM, and
 * so does the end of the input.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws IOException {
    Tool.start();
    for (String name : args) {
      run(name, "");
    }
    System.out.println("@ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
      String[] words = line.split(" ", 3);
      run(words[1], words.length > 2 ? words[2] : "");
    }
    System.out.println("@ending");
    System.exit(0);
  }

  private static void run(String name, String argument) {
    try (Stage stage = new Stage(name, argument)) {
      Tool.request(name, () -> Scenarios.named(name).run(stage));
    } catch (Throwable t) {
      t.printStackTrace();
      System.out.println("@failed " + name + " " + t);
      return;
    }
    System.out.println("@done " + name);
  }
}
