// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Does what docs/testkit.md says, word for word, in a project that has nothing else of Deimos. */
class TestKitDocsTest {
  private static final Pattern PROPERTIES =
      Pattern.compile("<properties>(.*?)</properties>", Pattern.DOTALL);
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);
  private static final Pattern PLUGIN = Pattern.compile("<plugin>.*?</plugin>", Pattern.DOTALL);
  private static final Pattern MODULES =
      Pattern.compile("mvn -q -DskipTests -pl (\\S+) -am install");

  @TempDir private Path directory;

  @Test
  void projectMadeByTheDocumentation_itsTestRuns_passes() throws Exception {
    String docs = Files.readString(Layout.root().resolve("docs/testkit.md"));
    String xml = block(docs, "xml");
    String version = found(Pattern.compile("<deimos.version>(.*?)<"), xml, 1);
    Path repository = repository(found(MODULES, docs, 1).split(",", -1), version);
    write(
        "pom.xml",
        POM.replace("PROPERTIES", found(PROPERTIES, xml, 1))
            .replace("DEPENDENCY", found(DEPENDENCY, xml, 0))
            .replace("PLUGIN", found(PLUGIN, xml, 0))
            .replace("PEKKO", ours("<pekko.version>"))
            .replace("JUNIT", ours("<junit.version>"))
            .replace("ASSERTJ", ours("<assertj.version>"))
            .replace(
                "COMPILER", ours("<artifactId>maven-compiler-plugin</artifactId>\\s*<version>"))
            .replace(
                "RESOURCES", ours("<artifactId>maven-resources-plugin</artifactId>\\s*<version>")));
    write("src/test/java/com/acme/Orders.java", APPLICATION);
    write("src/test/java/com/acme/OrdersTest.java", IMPORTS + block(docs, "java"));

    Path said = directory.resolve("said.txt");
    Process maven =
        new ProcessBuilder("mvn", "-B", "-ntp", "-o", "-Dmaven.repo.local=" + repository, "test")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(maven.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      maven.descendants().forEach(ProcessHandle::destroyForcibly);
      maven.destroyForcibly();
    }
    assertThat(said).content().contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
    assertThat(maven.exitValue()).isZero();
  }

  /** A local repository as the documented command leaves it; what is not ours comes from here. */
  private Path repository(String[] modules, String version) throws IOException {
    Path here =
        Path.of(
            System.getProperty(
                "localRepository", System.getProperty("user.home") + "/.m2/repository"));
    Path repository = directory.resolve("repository");
    Path ours = Files.createDirectories(repository.resolve("io/deimos"));
    link(here, repository);
    link(here.resolve("io"), repository.resolve("io"));
    Path root = Layout.root();
    install(ours, "deimos-parent", version, root.resolve("pom.xml"), ".pom");
    for (String module : modules) {
      String name = "deimos-" + module;
      install(ours, name, version, root.resolve(module + "/pom.xml"), ".pom");
      if (module.equals("agent")) {
        install(ours, name, version, Layout.deimos(), "-all.jar");
      } else {
        Path jar = root.resolve(module + "/target/" + name + "-" + version + ".jar");
        install(ours, name, version, jar, ".jar");
      }
    }
    return repository;
  }

  private static void link(Path from, Path to) throws IOException {
    try (Stream<Path> parts = Files.list(from)) {
      for (Path part : (Iterable<Path>) parts::iterator) {
        Path link = to.resolve(part.getFileName());
        if (!Files.exists(link)) {
          Files.createSymbolicLink(link, part);
        }
      }
    }
  }

  private static void install(Path ours, String name, String version, Path file, String end)
      throws IOException {
    Path folder = Files.createDirectories(ours.resolve(name).resolve(version));
    Files.copy(file, folder.resolve(name + "-" + version + end));
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** A version that Deimos itself is built with, so that it is here. */
  private static String ours(String before) throws IOException {
    return found(
        Pattern.compile(before + "([^<]+)<"),
        Files.readString(Layout.root().resolve("pom.xml")),
        1);
  }

  private static String block(String docs, String language) {
    return found(Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL), docs, 1);
  }

  private static String found(Pattern pattern, String text, int group) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("docs/testkit.md has %s", pattern).isTrue();
    return matcher.group(group);
  }

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>com.acme</groupId>
        <artifactId>orders</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>17</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          PROPERTIES
        </properties>
        <dependencies>
          DEPENDENCY
          <dependency>
            <groupId>org.apache.pekko</groupId>
            <artifactId>pekko-actor-typed_2.13</artifactId>
            <version>PEKKO</version>
          </dependency>
          <dependency>
            <groupId>org.junit.jupiter</groupId>
            <artifactId>junit-jupiter</artifactId>
            <version>JUNIT</version>
            <scope>test</scope>
          </dependency>
          <dependency>
            <groupId>org.assertj</groupId>
            <artifactId>assertj-core</artifactId>
            <version>ASSERTJ</version>
            <scope>test</scope>
          </dependency>
        </dependencies>
        <build>
          <plugins>
            PLUGIN
            <plugin>
              <artifactId>maven-compiler-plugin</artifactId>
              <version>COMPILER</version>
            </plugin>
            <plugin>
              <artifactId>maven-resources-plugin</artifactId>
              <version>RESOURCES</version>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  private static final String IMPORTS =
      """
      package com.acme;

      import static com.acme.Orders.orders;
      import static org.assertj.core.api.Assertions.assertThat;

      import io.deimos.testkit.*;
      import java.util.Map;
      import org.junit.jupiter.api.Test;
      import org.junit.jupiter.api.extension.ExtendWith;

      """;

  private static final String APPLICATION =
      """
      package com.acme;

      import org.apache.pekko.actor.AbstractActor;
      import org.apache.pekko.actor.ActorRef;
      import org.apache.pekko.actor.ActorSystem;
      import org.apache.pekko.actor.Props;

      class Orders extends AbstractActor {
        static final ActorSystem SYSTEM = ActorSystem.create("shop");
        static final ActorRef PAYMENTS = SYSTEM.actorOf(Props.create(Payments.class), "payments");
        static final Told orders =
            new Told(SYSTEM.actorOf(Props.create(Orders.class), "orders"));

        record Told(ActorRef to) {
          void tell(Object message) {
            to.tell(message, ActorRef.noSender());
          }
        }

        @Override
        public Receive createReceive() {
          return receiveBuilder()
              .match(Place.class, place -> PAYMENTS.tell(new Charge(place.number()), self()))
              .build();
        }
      }

      record Place(int number) {}

      record Charge(int number) {}

      class Payments extends AbstractActor {
        @Override
        public Receive createReceive() {
          return receiveBuilder().match(Charge.class, charge -> {}).build();
        }
      }
      """;
}
