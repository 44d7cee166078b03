// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The documentation of the settings, made of their declarations. */
final class SettingsDocs {
  private static final int WIDTH = 100;

  /** A table in the page, of the settings or blocks of settings that its first line names. */
  private static final Pattern TABLE =
      Pattern.compile("(<!-- Keys\\.java: ([^\n]+) -->\n)(?s:.*?)(?=<!-- end -->\n)");

  private static final String KIND =
      "^an? (?:(?:whole number|number|duration|amount of memory) in |list of |HOCON object)?";

  private static final Map<Key.When, String> RUN_TIME =
      Map.of(
          Key.When.START,
          "",
          Key.When.IF_ON_AT_START,
          "if on",
          Key.When.LIVE,
          "yes",
          Key.When.LIVE_FOR_OPERATOR,
          "file");

  private SettingsDocs() {}

  /** The page with its tables made of the declarations; each setting is in that of its block. */
  static String page(String page) {
    List<String> blocks =
        TABLE.matcher(page).results().flatMap(found -> blocks(found.group(2)).stream()).toList();
    return TABLE
        .matcher(page)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(found.group(1) + table(blocks(found.group(2)), blocks)));
  }

  private static List<String> blocks(String names) {
    return List.of(names.split(" ", -1));
  }

  private static String table(List<String> here, List<String> blocks) {
    StringBuilder table =
        new StringBuilder(
            """
            | key | default, range | at run time | what it does |
            |---|---|---|---|
            """);
    for (Key<?> key : Keys.all()) {
      if (here.contains(nearest(key.name(), blocks))) {
        table.append(
            String.format(
                "| `%s` | %s | %s | %s |%n",
                key.name(), values(key), RUN_TIME.get(key.when()), KeyText.of(key).does()));
      }
    }
    return table.toString();
  }

  private static String nearest(String name, List<String> blocks) {
    return blocks.stream()
        .filter(block -> name.equals(block) || name.startsWith(block + "."))
        .max(Comparator.comparingInt(String::length))
        .orElse("");
  }

  /**
   * The table of the transport's settings, made of its {@code reference.conf}: a setting's own
   * comment, after that of the block in which it stands.
   */
  static String remoteTable(String reference) {
    StringBuilder table = new StringBuilder("| key | default | what it does |\n|---|---|---|\n");
    Deque<String> names = new ArrayDeque<>();
    Deque<String> blocks = new ArrayDeque<>();
    StringBuilder comment = new StringBuilder();
    for (String line : reference.lines().map(String::strip).toList()) {
      if (line.startsWith("#")) {
        comment.append(line.substring(1).strip()).append(' ');
      } else if (line.isEmpty()) {
        comment.setLength(0);
      } else if (line.equals("}")) {
        names.removeLast();
        blocks.removeLast();
      } else if (line.endsWith("{")) {
        names.addLast(line.substring(0, line.length() - 1).strip());
        blocks.addLast(comment.toString());
        comment.setLength(0);
      } else {
        String[] setting = line.split(" = ", 2);
        table.append(
            String.format(
                "| `%s.%s` | `%s` | %s |%n",
                String.join(".", names),
                setting[0],
                setting[1],
                (String.join("", blocks) + comment).strip()));
        comment.setLength(0);
      }
    }
    return table.toString();
  }

  /** The default with the range behind it, or among the values if they are few. */
  private static String values(Key<?> key) {
    String shown = ValueType.show(key.otherwise());
    if (shown.equals("none")) {
      return shown;
    }
    String code = "`" + shown + "`";
    if (key.otherwise() instanceof Boolean) {
      return code;
    }
    String wanted = key.type().wanted();
    String marked = wanted.replaceFirst("(?<![^ ])" + Pattern.quote(shown) + "(?=,| |$)", code);
    String range = wanted.replaceFirst(KIND, "").replaceFirst(" such as .*", "");
    return marked.equals(wanted) ? (code + " " + range).strip() : marked;
  }

  /** The agent's {@code reference.conf}: each key with its default, commented out. */
  static String reference() {
    return reference(
        "# ",
        """
            # Copyright the Deimos authors
            # SPDX-License-Identifier: Apache-2.0

            # The settings of Deimos, each with its default. They are all commented out, so that the
            # defaults are those of the agent in use. Put what you change into your application.conf, or
            # give it as a system property (-Ddeimos.page.port=0) or variable (DEIMOS_PAGE_PORT=0).
            """);
  }

  /** That of {@code deimos-api}, which is merged with the application's configuration. */
  static String apiReference() {
    return reference(
        "",
        """
        # Copyright the Deimos authors
        # SPDX-License-Identifier: Apache-2.0

        # The settings of Deimos, each with its default, for tools and for substitutions. The agent
        # knows its own defaults: what says the same here counts as not said. Put what you change
        # into your application.conf.
        """);
  }

  private static String reference(String mark, String head) {
    StringBuilder text = new StringBuilder(head);
    for (Key<?> key : Keys.all()) {
      text.append('\n');
      wrap("# ", plain(KeyText.of(key).does()) + ".")
          .forEach(line -> text.append(line).append('\n'));
      wrap("# ", "Values: " + key.type().wanted() + ".")
          .forEach(line -> text.append(line).append('\n'));
      wrap("# ", "Cost: " + plain(KeyText.of(key).costs()) + ".")
          .forEach(line -> text.append(line).append('\n'));
      text.append(
          switch (key.when()) {
            case START -> "# Read when the JVM starts.\n";
            case IF_ON_AT_START -> "# May be changed at run time, if on when the JVM starts.\n";
            case LIVE -> "# May be changed at run time.\n";
            case LIVE_FOR_OPERATOR -> "# May be changed at run time, but not from the page.\n";
          });
      String shown = ValueType.show(key.otherwise());
      text.append(mark)
          .append(key.name())
          .append(" = ")
          .append(shown.equals("none") ? "\"\"" : shown)
          .append('\n');
    }
    return text.toString();
  }

  /** Without the marks of Markdown. */
  private static String plain(String marked) {
    return marked.replace("`", "").replaceAll("\\[([^\\]]+)]\\([^)]*\\)", "$1");
  }

  private static List<String> wrap(String mark, String sentence) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(mark.strip());
    String text = Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(mark.strip());
      }
      line.append(' ').append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
