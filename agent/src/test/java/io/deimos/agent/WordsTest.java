// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One dialect in code, documentation and the page, as CONTRIBUTING.md says. */
class WordsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> READ =
      Set.of("java", "ts", "tsx", "mjs", "md", "xml", "html", "conf");
  private static final Set<String> PASSED = Set.of("target", "node_modules", "results");

  /** A sentence that begins with its object, or with a clause in place of a noun. */
  private static final Pattern OPENING =
      Pattern.compile("[\"'(*_]*(What|Who|Whose|Whom|Whoever|Which|Of)\\s(?!course\\b).*");

  private static final Pattern OLD_WORD =
      Pattern.compile("(?i:question)(?!(?i: marks?\\b))|\\bMOST_(?=[A-Z])");

  /** Names that classes had; those that are words of English as well count where one is named. */
  private static final Pattern OLD_CLASS =
      Pattern.compile("\\b(?:(Deeds|Spoken|Loom|PageReading)|Told|Hold|Users|Stories|Effort)\\b");

  private static final Pattern NAMED =
      Pattern.compile(".*(?:\\{@(?:link|code) |`|import [\\w.]+\\.)");

  /** Files that may have old words, each for a reason. */
  private static final List<String> ALLOWED =
      List.of(
          "agent/src/test/java/io/deimos/agent/WordsTest.java", // names them
          "integration-tests/src/test/java/", // a question is a message of the applications there
          "telemetry/src/test/java/io/deimos/agent/context/ActorClassTest.java"); // likewise

  @Test
  void texts_ofAllFiles_haveTheProjectsWords() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Path> files = files();
    for (Path file : files) {
      wrong.addAll(wrong(ROOT.relativize(file).toString(), Files.readString(file)));
    }
    assertThat(wrong).isEmpty();
    assertThat(files).hasSizeGreaterThan(1000);
  }

  @Test
  void check_ofTextsWithOldWordsAndOpenings_findsEach() {
    assertThat(wrong("recorder/A.java", "/** What a span holds. */\nclass A {}"))
        .containsExactly("recorder/A.java:1: What a span holds.");
    assertThat(wrong("recorder/A.java", "int a; // Counted.\n  // Of the last\n  // second alone"))
        .containsExactly("recorder/A.java:1: Of the last second alone");
    assertThat(wrong("recorder/A.java", "f(\"It failed.\"\n  + \" Whose was it, says \" + a);"))
        .containsExactly("recorder/A.java:1: Whose was it, says");
    assertThat(wrong("page/A.java", "String a =\n  \"\"\"\n  Which one it is\n  \"\"\";"))
        .containsExactly("page/A.java:3: Which one it is");
    assertThat(wrong("dashboard/a.tsx", "return <p title=\"Who asks\">\n  Of {n} traces</p>;"))
        .containsExactly("dashboard/a.tsx:1: Who asks", "dashboard/a.tsx:2: Of");
    assertThat(wrong("docs/a.md", "# A\n\n- Good. What is\n  not known is null\n\n| a | Of it |"))
        .containsExactly("docs/a.md:3: What is not known is null", "docs/a.md:6: Of it");
    assertThat(wrong("a/pom.xml", "<a><!-- Whom it serves. --></a>"))
        .containsExactly("a/pom.xml:1: Whom it serves.");
    assertThat(wrong("a/a.conf", "# Who may\n# read\na = 1\n"))
        .containsExactly("a/a.conf:1: Who may read");
    assertThat(wrong("recorder/A.java", "int MOST_BYTES;\nvoid ask(Object aQuestion) {}"))
        .containsExactly("recorder/A.java:1: MOST_", "recorder/A.java:2: Question");
    assertThat(wrong("recorder/A.java", "/** As {@link Told} says. */ import a.b.Users;\nDeeds a;"))
        .containsExactly(
            "recorder/A.java:1: Told", "recorder/A.java:1: Users", "recorder/A.java:2: Deeds");
  }

  @Test
  void check_ofQuestionsHeadingsCodeAndWordsThatOnlyLookAlike_findsNothing() {
    assertThat(
            List.of(
                wrong("docs/a.md", "## What it records\n\nWhich jar? `What x`, of course.\n"),
                wrong("docs/a.md", "```\nWhat it prints\n```\n\n    Of the shell\n"),
                wrong("recorder/A.java", "/** Office. {@code What a} is fine; whose it is. */"),
                wrong("recorder/A.java", "f(\"Whatever comes\", '\"', \"a question mark\");"),
                wrong("page/A.java", "/** Why? */ Hold users = Told.of(\"Users hold it.\");"),
                wrong("dashboard/a.ts", "const a = (b: Of) => b; // of which")))
        .allMatch(List::isEmpty);
  }

  private static List<String> wrong(String name, String text) {
    List<String> wrong = new ArrayList<>();
    if (ALLOWED.stream().noneMatch(name::startsWith)) {
      OLD_WORD.matcher(text).results().forEach(word -> wrong.add(at(name, text, word)));
      OLD_CLASS
          .matcher(text)
          .results()
          .filter(word -> word.group(1) != null || isNamed(text, word.start()))
          .forEach(word -> wrong.add(at(name, text, word)));
    }
    if (!name.endsWith("WordsTest.java")) {
      for (Prose.Passage passage : Prose.of(extension(name), text)) {
        for (String sentence : passage.sentences()) {
          if (OPENING.matcher(sentence + " ").matches() && !sentence.endsWith("?")) {
            wrong.add(name + ":" + passage.line() + ": " + sentence);
          }
        }
      }
    }
    return wrong;
  }

  private static boolean isNamed(String text, int at) {
    String before = text.substring(text.lastIndexOf('\n', at) + 1, at);
    return NAMED.matcher(before).matches();
  }

  private static String at(String name, String text, MatchResult word) {
    long line = 1 + text.substring(0, word.start()).chars().filter(c -> c == '\n').count();
    return name + ":" + line + ": " + word.group();
  }

  private static String extension(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** All that is written by hand or made of it. */
  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean isHidden = name.startsWith(".") && !directory.equals(ROOT);
            return isHidden || PASSED.contains(name)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (READ.contains(extension(file.getFileName().toString()))) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
