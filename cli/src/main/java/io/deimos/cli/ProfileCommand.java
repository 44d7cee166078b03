// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code java -jar deimos.jar profile}: has a profile made for a while, and then prints which
 * classes of messages took the processor, or saves the stacks.
 */
final class ProfileCommand {
  static final String NAME = "profile";

  static final String USAGE =
      "       java -jar deimos.jar profile [options]  which message classes take the processor\n";

  static final String OPTIONS =
      "options of profile:\n"
          + "  --seconds N      for how long, in [1, 600]; 10 if not given\n"
          + "  --class CLASS    only actors of a class\n"
          + "  --message CLASS  only messages of a class\n"
          + "  --collapsed FILE   saves the stacks, one a line\n"
          + "  --speedscope FILE  saves the stacks for speedscope\n";

  private static final String PATH = "/api/v1/profile";
  private static final long PAUSE_MILLIS = 1000;
  private static final int MAX_SECONDS = 600;
  private static final int MISUSED = 2;
  private static final int FAILED = 1;

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> query = new LinkedHashMap<>();
  private final Map<String, Path> files = new LinkedHashMap<>();
  private int seconds = 10;
  private boolean json;
  private String page = "";

  ProfileCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /**
   * Runs it; returns the exit code.
   *
   * @param usual the page that is asked if no option says otherwise
   */
  int run(String usual, Deque<String> options) {
    page = usual;
    while (!options.isEmpty()) {
      String wrong = take(options.removeFirst(), options);
      if (wrong != null) {
        err.println("deimos: " + wrong);
        err.println(Commands.USAGE);
        return MISUSED;
      }
    }
    for (Path file : files.values()) {
      if (OwnFile.isThere(file)) {
        err.println("deimos: " + file + " is there already; name another file");
        return FAILED;
      }
    }
    query.put("seconds", Integer.toString(seconds));
    try {
      String refused = make(PageClient.of(page));
      if (refused != null) {
        err.println("deimos: " + refused);
      }
      return refused == null ? 0 : FAILED;
    } catch (IOException | IllegalArgumentException e) {
      err.println("deimos: " + Commands.noPage(page, e));
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }

  /** Takes one option; returns what is wrong with it, or null. */
  private @Nullable String take(String option, Deque<String> rest) {
    if (option.equals("--json")) {
      json = true;
      return null;
    }
    String value = rest.pollFirst();
    if (value == null) {
      return option + " needs a value, or is no option of profile";
    }
    switch (option) {
      case "--page":
        page = value;
        return null;
      case "--class":
      case "--message":
        query.put(option.substring(2), value);
        return null;
      case "--collapsed":
      case "--speedscope":
        files.put(option.substring(2), Paths.get(value));
        return null;
      case "--seconds":
        if (!value.matches("[0-9]{1,3}")
            || Integer.parseInt(value) < 1
            || Integer.parseInt(value) > MAX_SECONDS) {
          return "--seconds " + value + ": must be a whole number in [1, " + MAX_SECONDS + "]";
        }
        seconds = Integer.parseInt(value);
        return null;
      default:
        return option + " is no option of profile";
    }
  }

  private @Nullable String make(PageClient client) throws IOException, InterruptedException {
    while (true) {
      PageClient.Reply reply = client.get(Commands.target(PATH, query));
      if (reply.status != 200) {
        return Commands.reason(reply);
      }
      Map<String, @Nullable Object> answer = PlainJson.object(PlainJson.read(reply.body));
      if (ProfileLines.number(answer, "seconds") >= seconds - 1 && hasSamples(answer)) {
        return show(client, reply, answer);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static boolean hasSamples(Map<String, @Nullable Object> answer) {
    return "on".equals(answer.get("state"));
  }

  private @Nullable String show(
      PageClient client, PageClient.Reply reply, Map<String, @Nullable Object> answer)
      throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      Map<String, String> asked = new LinkedHashMap<>(query);
      asked.put("format", file.getKey());
      String refused = client.save(Commands.target(PATH, asked), file.getValue());
      if (refused != null) {
        return refused;
      }
      err.println(file.getValue() + ": " + Files.size(file.getValue()) + " bytes");
    }
    if (json) {
      out.println(reply.body);
    } else {
      ProfileLines.print(answer, out);
    }
    return null;
  }
}
