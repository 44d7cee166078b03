// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The texts in a file that people read: comments, strings, paragraphs, list items, cells. */
final class Prose {
  private static final Pattern TAG = Pattern.compile("\\{@\\w+ ([^{}]*)}");
  private static final Pattern PARAGRAPH =
      Pattern.compile("</?(?:p|li|ul|ol|h\\d|pre)>|(?m)^@\\w+( <?[\\w.]+>?)?|^\\s*$");
  private static final Pattern JSX = Pattern.compile("[>}]\\s*([A-Z][^<>{}]+)(?=[<{])");
  private static final Pattern XML = Pattern.compile("<!--(.*?)-->|>([^<>]+)(?=<)", Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)\\]\\([^)]*\\)");
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern MORE = Pattern.compile("\\s*\\+\\s*\"");
  private static final Pattern ITEM = Pattern.compile("\\s*(?:[-*]|\\d+\\.) +(.*)");

  /**
   * @param line the first one, from 1
   */
  record Passage(int line, String text) {
    /** Its sentences; a part after a colon is one, too. */
    List<String> sentences() {
      return List.of(text.strip().split("(?<=[.!?:])[)\"'*_]*\\s+", -1));
    }
  }

  private final String text;
  private final List<Passage> passages = new ArrayList<>();
  private int lineAt;
  private int line = 1;

  private Prose(String text) {
    this.text = text;
  }

  /**
   * @param extension of the file's name
   */
  static List<Passage> of(String extension, String text) {
    Prose prose = new Prose(text);
    switch (extension) {
      case "java", "ts", "mjs" -> prose.program();
      case "tsx" -> {
        prose.program();
        prose.matches(JSX);
      }
      case "md" -> prose.markdown();
      case "xml", "html" -> prose.matches(XML);
      case "conf" -> prose.hashes();
      default -> throw new IllegalArgumentException(extension);
    }
    return prose.passages;
  }

  private void program() {
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("//", at)) {
        at = lineComments(at);
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        end = end < 0 ? text.length() : end;
        comment(at, text.substring(at, end).replaceFirst("/\\*+", ""));
        at = end + 2;
      } else if (text.startsWith("\"\"\"", at)) {
        int end = text.indexOf("\"\"\"", at + 3);
        end = end < 0 ? text.length() : end;
        lines(at, text.substring(at, end));
        at = end + 3;
      } else if ("\"'`".indexOf(text.charAt(at)) >= 0) {
        at = strings(at);
      } else {
        at++;
      }
    }
  }

  /** Comments on lines that follow each other are one. */
  private int lineComments(int from) {
    StringBuilder all = new StringBuilder();
    int at = from;
    while (text.startsWith("//", at)) {
      int end = text.indexOf('\n', at);
      end = end < 0 ? text.length() : end;
      all.append(text, at + 2, end).append('\n');
      at = end;
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
    }
    comment(from, all.toString());
    return at;
  }

  private void comment(int at, String comment) {
    String plain = comment.replaceAll("(?m)^[ \\t]*\\*?[ \\t]?", "");
    Matcher tag = TAG.matcher(plain);
    plain = tag.replaceAll("x");
    int from = 0;
    Matcher paragraph = PARAGRAPH.matcher(plain);
    while (paragraph.find()) {
      add(at, plain.substring(from, paragraph.start()));
      from = paragraph.end();
    }
    add(at, plain.substring(from));
  }

  /** Strings that are added to each other are one. */
  private int strings(int from) {
    StringBuilder all = new StringBuilder();
    int at = from;
    while (true) {
      char quote = text.charAt(at);
      int end = at + 1;
      while (end < text.length()
          && text.charAt(end) != quote
          && (text.charAt(end) != '\n' || quote == '`')) {
        end += text.charAt(end) == '\\' ? 2 : 1;
      }
      end = Math.min(end, text.length());
      all.append(text, at + 1, end);
      at = Math.min(end + 1, text.length());
      Matcher more = MORE.matcher(text).region(at, text.length());
      if (!more.lookingAt()) {
        add(from, all.toString());
        return at;
      }
      at = more.end() - 1;
    }
  }

  private void lines(int at, String block) {
    int line = at;
    for (String one : block.split("\n", -1)) {
      add(line, one.strip());
      line += one.length() + 1;
    }
  }

  private void matches(Pattern pattern) {
    Matcher found = pattern.matcher(text);
    while (found.find()) {
      int group = found.group(1) == null ? 2 : 1;
      add(found.start(group), found.group(group).strip());
    }
  }

  private void hashes() {
    Matcher comment = Pattern.compile("(?m)(^[ \\t]*#.*\n)+").matcher(text);
    while (comment.find()) {
      add(comment.start(), comment.group().replaceAll("(?m)^[ \\t]*# ?", ""));
    }
  }

  /** Headings are titles, and left out; so is code. */
  private void markdown() {
    StringBuilder paragraph = new StringBuilder();
    int begun = 0;
    int at = 0;
    boolean fenced = false;
    for (String line : text.split("\n", -1)) {
      boolean isFence = line.startsWith("```");
      fenced ^= isFence;
      Matcher item = ITEM.matcher(line);
      boolean isItem = item.matches();
      boolean isCode = line.startsWith("    ") && paragraph.isEmpty();
      boolean begins = isItem || line.isBlank() || line.startsWith("#") || line.startsWith("|");
      if (begins || isFence) {
        add(begun, paragraph.toString());
        paragraph.setLength(0);
      }
      if (line.startsWith("|")) {
        for (String cell : line.split("\\|", -1)) {
          add(at, words(cell.strip()));
        }
      } else if (!fenced && !isFence && !isCode && !line.isBlank() && !line.startsWith("#")) {
        begun = paragraph.isEmpty() ? at : begun;
        paragraph.append(words(isItem ? item.group(1) : line.strip())).append(' ');
      }
      at += line.length() + 1;
    }
    add(begun, paragraph.toString());
  }

  private static String words(String line) {
    return LINK.matcher(CODE.matcher(line).replaceAll("x")).replaceAll("$1");
  }

  private void add(int at, String passage) {
    if (!passage.isBlank()) {
      if (at < lineAt) {
        lineAt = 0;
        line = 1;
      }
      for (; lineAt < at; lineAt++) {
        line += text.charAt(lineAt) == '\n' ? 1 : 0;
      }
      passages.add(new Passage(line, SPACE.matcher(passage).replaceAll(" ").stripLeading()));
    }
  }
}
