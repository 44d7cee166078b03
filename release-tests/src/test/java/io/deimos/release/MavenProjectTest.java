// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Maven project made of what the documentation tells readers to type. Maven is offline, and has
 * dist/ for what is ours; what others made comes from the local repository of this machine.
 */
class MavenProjectTest {
  @TempDir private Path directory;

  @Test
  void project_madeByTheDocumentation_runsAndTestsWithTheAgent() throws IOException {
    Docs build = Docs.page("how-to/build-tools.md");
    Docs testkit = Docs.page("testkit.md");
    List<String> maven = build.blocks("Maven", "xml");
    String ofTests = testkit.blocks("Setting up", "xml").get(0);
    Docs api = Docs.page("api.md");
    write(
        "pom.xml",
        POM.formatted(
                Docs.elements("properties", maven.get(0)),
                api.blocks("The API", "xml").get(0) + Docs.elements("dependency", ofTests),
                Docs.elements("plugin", maven.get(0))
                    + maven.get(1)
                    + Docs.elements("plugin", ofTests))
            .replace("GROUP", Clone.property("group"))
            .replace("PEKKO", Clone.property("pekko"))
            .replace("JUNIT", Clone.property("junit"))
            .replace("ASSERTJ", Clone.property("assertj"))
            .replace("COMPILER", ours("maven-compiler-plugin"))
            .replace("RESOURCES", ours("maven-resources-plugin")));
    write("src/main/java/com/acme/Orders.java", APPLICATION);
    write(
        "src/main/java/com/acme/Main.java",
        MAIN.formatted(api.blocks("Settings for one actor", "java").get(0)));
    write(
        "src/test/java/com/acme/OrdersTest.java",
        IMPORTS + testkit.blocks("Asserting", "java").get(0));
    write("settings.xml", SETTINGS.formatted(Made.repository().toUri()));

    assertThat(build.text()).contains("    mvn compile exec:exec\n");
    Program said =
        Program.run(
            directory,
            Map.of("DEIMOS_PAGE_ENABLED", "false"),
            "mvn",
            "-B",
            "-ntp",
            "-o",
            // what lies in files is there without a network
            "-Daether.offline.protocols=file",
            "-Dmaven.repo.local=" + repository(),
            "-s",
            "settings.xml",
            "test",
            "exec:exec");
    assertThat(said.succeeds())
        .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0")
        .contains("@ran");
    assertThat(said.out() + said.err())
        .contains("deimos " + Clone.VERSION + " (OpenTelemetry agent");
  }

  /** All that is there but what is ours, which comes from dist/ into folders of its own. */
  private Path repository() throws IOException {
    Path here =
        Path.of(
            System.getProperty(
                "maven.repo.local", System.getProperty("user.home") + "/.m2/repository"));
    Path repository = directory.resolve("repository");
    Path folder = Path.of("");
    for (Path part : Path.of(Clone.property("group").replace('.', '/'))) {
      link(here.resolve(folder), Files.createDirectories(repository.resolve(folder)), part);
      folder = folder.resolve(part);
    }
    return repository;
  }

  private static void link(Path from, Path to, Path but) throws IOException {
    if (Files.isDirectory(from)) {
      try (Stream<Path> parts = Files.list(from)) {
        for (Path part : parts.filter(part -> !part.endsWith(but)).toList()) {
          Files.createSymbolicLink(to.resolve(part.getFileName()), part);
        }
      }
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** The version of a plug-in that Deimos itself is built with, so that it is here. */
  private static String ours(String plugin) throws IOException {
    String pom = Files.readString(Clone.ROOT.resolve("pom.xml"));
    String after = pom.substring(pom.indexOf("<artifactId>" + plugin + "<"));
    return after.substring(after.indexOf("<version>") + 9, after.indexOf("</version>"));
  }

  private static final String SETTINGS =
      """
      <settings>
        <profiles>
          <profile>
            <id>dist</id>
            <repositories>
              <repository>
                <id>dist</id>
                <url>%s</url>
              </repository>
            </repositories>
          </profile>
        </profiles>
        <activeProfiles>
          <activeProfile>dist</activeProfile>
        </activeProfiles>
      </settings>
      """;

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>com.acme</groupId>
        <artifactId>orders</artifactId>
        <version>1</version>
        %s
        <dependencyManagement>
          <dependencies>
            <dependency>
              <groupId>GROUP</groupId>
              <artifactId>deimos-bom</artifactId>
              <version>${deimos.version}</version>
              <type>pom</type>
              <scope>import</scope>
            </dependency>
          </dependencies>
        </dependencyManagement>
        <dependencies>
          %s
          <dependency>
            <groupId>GROUP</groupId>
            <artifactId>deimos-remote</artifactId>
            <scope>provided</scope>
          </dependency>
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
            %s
            <plugin>
              <artifactId>maven-compiler-plugin</artifactId>
              <version>COMPILER</version>
              <configuration>
                <release>17</release>
                <encoding>UTF-8</encoding>
                <showWarnings>true</showWarnings>
                <failOnWarning>true</failOnWarning>
                <compilerArgs>
                  <arg>-Xlint:all,-processing,-auxiliaryclass</arg>
                </compilerArgs>
              </configuration>
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

  private static final String MAIN =
      """
      package com.acme;

      import io.deimos.api.Deimos;
      import io.deimos.api.InstrumentSettings;
      import org.apache.pekko.actor.ActorRef;
      import org.apache.pekko.actor.ActorSystem;
      import org.apache.pekko.actor.Props;

      public final class Main {
        private Main() {}

        public static void main(String[] arguments) {
          ActorSystem system = Orders.SYSTEM;
          %s
          orders.tell(new Place(1), ActorRef.noSender());
          system.terminate();
          system.getWhenTerminated().toCompletableFuture().join();
          System.out.println("@ran");
        }
      }
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
