// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.deimos.agent.nodes.SharedToken;
import io.deimos.agent.settings.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of the documentation resolve, and everything that it tells readers to type exists. */
class DocsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path INDEX = ROOT.resolve("docs/README.md").toAbsolutePath().normalize();
  private static final Path REMOTE =
      ROOT.resolve("remote/src/main/resources/io/deimos/remote/reference.conf");

  /** A key, or the name of a metric: not part of a package, a host, a file or a path. */
  private static final Pattern NAME =
      Pattern.compile("(?:(?<=-D)|(?<![\\w./$@-]))deimos((?:\\.[a-z][a-z_-]*)+)(?![\\w(/*$])");

  /** Settings behind the agent's jar, with or without {@code deimos.} before them. */
  private static final Pattern ARGUMENTS =
      Pattern.compile("deimos\\.jar=([a-z][\\w.-]*=[^`\\s;\\])]*)");

  private static final Pattern LITERAL = Pattern.compile("\"(deimos(?:\\.[a-z_-]+)+)\"");
  private static final Pattern VARIABLE = Pattern.compile("\\bDEIMOS_[A-Z_]+\\b");

  /** Where pages name a version of ours: coordinates, images, the property. */
  private static final Pattern OUR_VERSION =
      Pattern.compile(
          "(\\bdeimos-[a-z]+(?:[:-]|\"? %+ \")|<deimos\\.version>|\\bdeimos )"
              + "(\\d+\\.\\d+\\.\\d+(?:-[A-Z]+)?)");

  /** Names that are neither keys nor metrics: files, and Maven's property for the jar. */
  private static final Set<String> OTHERS =
      Set.of("deimos.jar", "deimos.version", "deimos.token", "deimos.api", "deimos.internal");

  private static final Set<String> OTEL =
      Set.of(
          "OTEL_BSP",
          "OTEL_CONFIG_FILE",
          "OTEL_EXPORTER_OTLP_CERTIFICATE",
          "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
          "OTEL_EXPORTER_OTLP_CLIENT_KEY",
          "OTEL_EXPORTER_OTLP_COMPRESSION",
          "OTEL_EXPORTER_OTLP_ENDPOINT",
          "OTEL_EXPORTER_OTLP_HEADERS",
          "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
          "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
          "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
          "OTEL_EXPORTER_OTLP_PROTOCOL",
          "OTEL_EXPORTER_OTLP_TIMEOUT",
          "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
          "OTEL_EXPORTER_PROMETHEUS_HOST",
          "OTEL_EXPORTER_PROMETHEUS_PORT",
          "OTEL_JAVAAGENT_DEBUG",
          "OTEL_JAVAAGENT_ENABLED",
          "OTEL_LOGS_EXPORTER",
          "OTEL_METRICS_EXEMPLAR_FILTER",
          "OTEL_METRICS_EXPORTER",
          "OTEL_RESOURCE_ATTRIBUTES",
          "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN",
          "OTEL_SERVICE_NAME",
          "OTEL_TRACES_EXPORTER",
          "OTEL_TRACES_SAMPLER",
          "OTEL_TRACES_SAMPLER_ARG");

  private final DocsPages pages = new DocsPages(ROOT);

  @Test
  void links_ofAllPages_resolve() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages.all()) {
      broken.addAll(pages.brokenLinks(page, Files.readString(page)));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void commands_ofAllPages_exist() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages.all()) {
      broken.addAll(pages.brokenCommands(page, Files.readString(page)));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void keys_ofAllPages_exist() throws IOException {
    Set<String> keys = keys();
    Set<String> names = literals();
    Set<String> unknown = new TreeSet<>();
    int found = 0;
    for (Path page : pages.all()) {
      for (String code : DocsPages.code(Files.readString(page))) {
        Matcher arguments = ARGUMENTS.matcher(code);
        while (arguments.find()) {
          for (String argument : arguments.group(1).split(",", -1)) {
            String key = argument.split("=", 2)[0];
            if (!key.equals("…") && !isKey(keys, key) && !isKey(keys, "deimos." + key)) {
              unknown.add(pages.name(page) + ": " + argument);
            }
          }
        }
        Matcher name = NAME.matcher(code);
        while (name.find()) {
          found++;
          if (!isKey(keys, name.group())
              && !names.contains(name.group())
              && !OTHERS.contains(name.group())) {
            unknown.add(pages.name(page) + ": " + name.group());
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(found).isGreaterThan(300);
  }

  @Test
  void variables_ofAllPages_areThoseOfKeys() throws IOException {
    Set<String> variables = new HashSet<>();
    keys().forEach(key -> variables.add(variable(key)));
    variables.addAll(Set.of(SharedToken.VARIABLE, "DEIMOS_PAGE_TOKEN")); // secrets, no settings
    Set<String> unknown = new TreeSet<>();
    for (Path page : pages.all()) {
      Matcher variable = VARIABLE.matcher(Files.readString(page));
      while (variable.find()) {
        if (!variables.contains(variable.group())) {
          unknown.add(pages.name(page) + ": " + variable.group());
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** OpenTelemetry's own are listed here, so that a mistyped one is found. */
  @Test
  void openTelemetrysVariables_ofAllPages_areItsOwn() throws IOException {
    Pattern variable = Pattern.compile("\\bOTEL_[A-Z_]*[A-Z]\\b");
    Set<String> unknown = new TreeSet<>();
    for (Path page : pages.all()) {
      Matcher named = variable.matcher(Files.readString(page));
      while (named.find()) {
        if (!OTEL.contains(named.group())) {
          unknown.add(pages.name(page) + ": " + named.group());
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void hocon_ofAllPages_namesKeys() throws IOException {
    Set<String> keys = keys();
    Pattern block = Pattern.compile("(?ms)^```hocon\n(.*?)^```");
    Set<String> unknown = new TreeSet<>();
    int found = 0;
    for (Path page : pages.all()) {
      Matcher hocon = block.matcher(Files.readString(page));
      while (hocon.find()) {
        Config config = ConfigFactory.parseString(hocon.group(1));
        for (var entry : config.entrySet()) {
          String path = String.join(".", ConfigUtil.splitPath(entry.getKey()));
          if (path.startsWith("deimos.")) {
            found++;
            if (!isKey(keys, path) && keys.stream().noneMatch(key -> path.startsWith(key + "."))) {
              unknown.add(pages.name(page) + ": " + path);
            }
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(found).isPositive();
  }

  /** By the changelog. {@code ./release} writes it, and {@code -Ddocs.write=true}. */
  @Test
  void versionOfDeimos_onAllPages_isTheNewestThatIsOut() throws IOException {
    String newest = newestVersion();
    Set<String> others = new TreeSet<>();
    int found = 0;
    for (Path page : pages.all()) {
      String text = Files.readString(page);
      Matcher version = OUR_VERSION.matcher(text);
      if (Boolean.getBoolean("docs.write")) {
        Files.writeString(page, version.replaceAll("$1" + newest));
        version = OUR_VERSION.matcher(Files.readString(page));
      }
      while (version.find()) {
        found++;
        if (!version.group(2).equals(newest)) {
          others.add(pages.name(page) + ": " + version.group());
        }
      }
    }
    assertThat(others).isEmpty();
    assertThat(found).isGreaterThan(1);
  }

  /** The build is made with the versions that the README calls tested. */
  @Test
  void versionsOfOthers_inTheReadme_areThoseOfTheBuild() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    assertThat(readme)
        .contains("OpenTelemetry Java agent " + pinned("pom.xml", "otel.agent.version"))
        .contains("| Pekko | " + pinned("pom.xml", "pekko.version") + " for Scala 2.13")
        .contains("(docs/how-to/play.md) " + minor(pinned("samples/play/pom.xml", "play.version")))
        .contains(
            "(docs/how-to/spring-boot.md) "
                + minor(pinned("samples/spring-boot/pom.xml", "spring-boot.version")));
  }

  private static String pinned(String pom, String property) throws IOException {
    String[] parts = Files.readString(ROOT.resolve(pom)).split("</?" + property + ">", -1);
    assertThat(parts).as("%s in %s", property, pom).hasSizeGreaterThan(2);
    return parts[1];
  }

  private static String minor(String version) {
    return version.replaceFirst("\\.\\d+$", "");
  }

  /** A reader who types what a page shows has the property that it uses. */
  @Test
  void propertyOfTheVersion_whereItIsUsed_isDefinedThereOrOnePageOn() throws IOException {
    Set<String> undefined = new TreeSet<>();
    for (Path page : pages.all()) {
      if (Files.readString(page).contains("${deimos.version}")) {
        boolean defined = definesVersion(page);
        for (Path next : pages.linked(page)) {
          defined |= next.toString().endsWith(".md") && definesVersion(next);
        }
        if (!defined) {
          undefined.add(pages.name(page));
        }
      }
    }
    assertThat(undefined).isEmpty();
  }

  private static boolean definesVersion(Path page) throws IOException {
    return Files.readString(page).contains("<deimos.version>");
  }

  /** The newest that is out, which has a date; before the first, the one that is to come. */
  private static String newestVersion() throws IOException {
    String changelog = Files.readString(ROOT.resolve("CHANGELOG.md"));
    for (String end : List.of(" - \\d", "")) {
      Matcher section =
          Pattern.compile("(?m)^## \\[(\\d+\\.\\d+\\.\\d+)]" + end).matcher(changelog);
      if (section.find()) {
        return section.group(1);
      }
    }
    throw new AssertionError("CHANGELOG.md has no version");
  }

  @Test
  void index_ofDocs_namesEachPage() throws IOException {
    Set<Path> linked = pages.linked(INDEX);
    assertThat(pages.all())
        .filteredOn(page -> page.startsWith(INDEX.getParent()) && !page.equals(INDEX))
        .hasSizeGreaterThan(10)
        .allMatch(linked::contains);
  }

  @Test
  void check_ofAPageWithErrors_namesThem() throws IOException {
    String wrong =
        """
        # A page
        [none](none.md) [no heading](settings.md#none) [here](#a-page) [not here](#elsewhere)
        `./demo --loudly`, `benchmarks/walk`, `./test quickly`, `NeverWrittenTest`, `docs/none.md`
        """;
    Path page = INDEX;
    assertThat(pages.brokenLinks(page, wrong))
        .containsExactly(
            "docs/README.md: none.md: no such file",
            "docs/README.md: settings.md#none: no such heading",
            "docs/README.md: #elsewhere: no such heading");
    assertThat(pages.brokenCommands(page, wrong))
        .containsExactly(
            "docs/README.md: ./demo --loudly: no such option",
            "docs/README.md: benchmarks/walk: no such program",
            "docs/README.md: benchmarks/walk: no such file",
            "docs/README.md: ./test quickly: no such argument",
            "docs/README.md: NeverWrittenTest: no such test",
            "docs/README.md: docs/none.md: no such file");
  }

  /** Whether it is a key or the block that keys stand in. */
  private static boolean isKey(Set<String> keys, String name) {
    return keys.contains(name) || keys.stream().anyMatch(key -> key.startsWith(name + "."));
  }

  private static String variable(String key) {
    return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  private static Set<String> keys() {
    Set<String> keys = new HashSet<>();
    Keys.all().forEach(key -> keys.add(key.name()));
    ConfigFactory.parseFile(REMOTE.toFile()).entrySet().forEach(entry -> keys.add(entry.getKey()));
    return keys;
  }

  /** Names that the code itself uses: those of metrics, attributes and properties. */
  private static Set<String> literals() throws IOException {
    Set<String> names = new HashSet<>();
    for (String module :
        List.of(
            "launcher",
            "cli",
            "settings",
            "telemetry",
            "inspect",
            "page",
            "agent",
            "recorder",
            "pekko",
            "remote",
            "testkit")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          Matcher literal = LITERAL.matcher(Files.readString(file));
          while (literal.find()) {
            names.add(literal.group(1));
          }
        }
      }
    }
    return names;
  }
}
