// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the project's Markdown and lists what does not resolve: links, anchors, commands. */
final class DocsPages {
  private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.+)");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern PROGRAM =
      Pattern.compile(
          "(?<![\\w/.-])(\\./(?:demo|release|test)|(?:benchmarks|images|integration-tests)/[a-z-]+(?![\\w./-]))"
              + "([^\n`#|;)]*)");
  private static final Pattern OPTION = Pattern.compile("(?<=\\s)--?[a-z][a-z-]*");
  private static final Pattern FILE =
      Pattern.compile(
          "(?<![\\w/.$-])(?:agent|page|inspect|telemetry|settings|cli|launcher|api|recorder|pekko|remote|testkit|dashboard|benchmarks|grafana"
              + "|images|kubernetes|integration-tests|samples|docs|\\.ci)/[\\w./-]*\\w");
  private static final Pattern TEST = Pattern.compile("\\b[A-Z]\\w+Test\\b");

  private final Path root;
  private final Set<String> tests;

  DocsPages(Path root) {
    this.root = root.toAbsolutePath().normalize();
    this.tests = new HashSet<>();
    tests(this.root).forEach(this::collectTests);
  }

  /** The directories with tests, of all modules. */
  static List<Path> tests(Path root) {
    try (Stream<Path> modules = Files.list(root)) {
      return modules
          .flatMap(module -> Stream.of("src/test", "test", "browser-test").map(module::resolve))
          .filter(Files::isDirectory)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void collectTests(Path sources) {
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Test.java"))
          .forEach(name -> tests.add(name.substring(0, name.length() - ".java".length())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every page a reader may open: the root's, those of {@code docs}, and the modules'. */
  List<Path> all() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(root)) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    pages.add(root.resolve(".github/pull_request_template.md"));
    try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    try (Stream<Path> modules = Files.list(root)) {
      modules
          .sorted()
          .flatMap(module -> Stream.of("README.md", "RATIONALE.md").map(module::resolve))
          .filter(file -> Files.isRegularFile(file) && !pages.contains(file))
          .forEach(pages::add);
    }
    pages.add(root.resolve("benchmarks/ping-pong/README.md"));
    try (Stream<Path> manifests = Files.list(root.resolve("kubernetes"))) {
      manifests.sorted().forEach(pages::add);
    }
    try (Stream<Path> results = Files.list(root.resolve("benchmarks/results"))) {
      results.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  String name(Path page) {
    return root.relativize(page.toAbsolutePath().normalize()).toString();
  }

  /** Links of a page to files or headings that are not there. */
  List<String> brokenLinks(Path page, String text) throws IOException {
    List<String> broken = new ArrayList<>();
    Matcher link = LINK.matcher(withoutCode(text));
    while (link.find()) {
      String target = link.group(1);
      if (target.matches("[a-z]+:.*")) {
        continue;
      }
      String[] parts = target.split("#", 2);
      Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      if (!Files.exists(file)) {
        broken.add(name(page) + ": " + target + ": no such file");
      } else if (parts.length == 2) {
        String to = file.equals(page) ? text : Files.readString(file);
        if (!anchors(to).contains(parts[1])) {
          broken.add(name(page) + ": " + target + ": no such heading");
        }
      }
    }
    return broken;
  }

  /** The files a page links to. */
  Set<Path> linked(Path page) throws IOException {
    Set<Path> files = new HashSet<>();
    Matcher link = LINK.matcher(withoutCode(Files.readString(page)));
    while (link.find()) {
      files.add(page.resolveSibling(link.group(1).split("#", 2)[0]).normalize());
    }
    return files;
  }

  /** Programs that are missing or not executable, their options, files and tests that are not. */
  List<String> brokenCommands(Path page, String text) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String code : code(text)) {
      Matcher program = PROGRAM.matcher(code);
      while (program.find()) {
        Path file = root.resolve(program.group(1)).normalize();
        if (Files.isDirectory(file)) {
          continue;
        }
        if (!Files.isExecutable(file)) {
          broken.add(name(page) + ": " + program.group(1) + ": no such program");
          continue;
        }
        String arguments = program.group(2).split(" -- ", 2)[0];
        String script = Files.readString(file);
        Path passedTo = file.resolveSibling(arguments.strip().split(" ", 2)[0]).resolve("run");
        if (Files.isExecutable(passedTo)) {
          script += Files.readString(passedTo);
        }
        Matcher option = OPTION.matcher(arguments);
        while (option.find()) {
          if (option.group().startsWith("--") && !script.contains(option.group())) {
            broken.add(name(page) + ": " + program.group().strip() + ": no such option");
          }
        }
        if (arguments.strip().matches("[a-z]+") && !script.contains(arguments.strip())) {
          broken.add(name(page) + ": " + program.group().strip() + ": no such argument");
        }
      }
      Matcher file = FILE.matcher(code);
      while (file.find()) {
        if (!file.group().contains("/target/") && !exists(page, file.group())) {
          broken.add(name(page) + ": " + file.group() + ": no such file");
        }
      }
      Matcher test = TEST.matcher(code);
      while (test.find()) {
        if (code.equals(test.group()) && !tests.contains(test.group())) {
          broken.add(name(page) + ": " + test.group() + ": no such test");
        }
      }
    }
    return broken;
  }

  private boolean exists(Path page, String file) {
    return Files.exists(root.resolve(file)) || Files.exists(page.resolveSibling(file));
  }

  /** The code in a page: */
  static List<String> code(String text) {
    List<String> code = new ArrayList<>();
    boolean inFence = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith("```")) {
        inFence = !inFence;
      } else if (inFence || line.startsWith("    ")) {
        code.add(line.strip());
      } else {
        Matcher span = CODE.matcher(line);
        while (span.find()) {
          code.add(span.group(1));
        }
      }
    }
    return code;
  }

  private static String withoutCode(String text) {
    StringBuilder rest = new StringBuilder();
    boolean inFence = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith("```")) {
        inFence = !inFence;
      } else if (!inFence && !line.startsWith("    ")) {
        rest.append(CODE.matcher(line).replaceAll("code")).append(' ');
      }
    }
    return rest.toString();
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    boolean inFence = false;
    for (String line : text.lines().toList()) {
      Matcher heading = HEADING.matcher(line);
      if (line.startsWith("```")) {
        inFence = !inFence;
      } else if (!inFence && heading.matches()) {
        String slug =
            heading
                .group(1)
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        String anchor = slug;
        for (int n = 1; !anchors.add(anchor); n++) {
          anchor = slug + "-" + n;
        }
      }
    }
    return anchors;
  }
}
