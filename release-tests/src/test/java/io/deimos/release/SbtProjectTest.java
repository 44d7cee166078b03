// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An sbt project in Scala, made of what the documentation tells readers to type. Our own artifacts
 * come from dist/; sbt, its plug-in and other libraries are fetched, and kept in the home
 * directory.
 */
class SbtProjectTest {
  @TempDir private Path directory;

  @Test
  void project_madeByTheDocumentation_runsAndTestsWithTheAgent() throws IOException {
    Docs build = Docs.page("how-to/build-tools.md");
    Docs testkit = Docs.page("testkit.md");
    Docs api = Docs.page("api.md");
    write("repositories", REPOSITORIES.formatted(Made.repository().toUri()));
    write("project/build.properties", "sbt.version=" + Clone.property("sbt") + "\n");
    write("project/plugins.sbt", build.blocks("sbt", "scala").get(0));
    write(
        "build.sbt",
        String.join(
            "\n",
            BUILD.formatted(
                Clone.property("scala"), Clone.property("pekko"), Clone.property("munit")),
            build.blocks("sbt", "scala").get(1),
            api.block("The API", "scala"),
            testkit.block("Setting up", "scala")));
    write(
        "src/main/scala/com/acme/Main.scala",
        MAIN.formatted(api.block("Settings for one actor", "scala")));
    write(
        "src/test/scala/com/acme/OrdersTest.scala", IMPORTS + testkit.block("Asserting", "scala"));

    assertThat(build.text()).contains("    sbt run\n");
    Program said =
        Program.run(
            directory,
            Map.of("DEIMOS_PAGE_ENABLED", "false"),
            "java",
            "-XX:TieredStopAtLevel=1",
            "-Dsbt.override.build.repos=true",
            "-Dsbt.repository.config=" + directory.resolve("repositories"),
            "-Dsbt.global.base=" + directory.resolve("global"),
            "-Dsbt.server.autostart=false",
            "-Dsbt.supershell=false",
            "-Dsbt.color=false",
            "-jar",
            Clone.TARGET.resolve("sbt/sbt-launch.jar").toString(),
            "test",
            "run");
    assertThat(said.succeeds()).contains("Passed: Total 1, Failed 0, Errors 0, Passed 1");
    assertThat(said.out()).contains("@ran");
    assertThat(said.out() + said.err())
        .contains("deimos " + Clone.VERSION + " (OpenTelemetry agent");
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static final String REPOSITORIES =
      """
      [repositories]
        dist: %s
        maven-central
      """;

  private static final String BUILD =
      """
      scalaVersion := "%s"
      scalacOptions ++= Seq("-Xlint", "-Werror", "-release", "17")
      libraryDependencies += "org.apache.pekko" %%%% "pekko-actor-typed" %% "%s"
      libraryDependencies += "org.scalameta" %%%% "munit" %% "%s" %% Test
      """;

  private static final String MAIN =
      """
      package com.acme

      import io.deimos.api.Deimos
      import io.deimos.api.InstrumentSettings
      import org.apache.pekko.actor.Actor
      import org.apache.pekko.actor.ActorRef
      import org.apache.pekko.actor.ActorSystem
      import org.apache.pekko.actor.Props
      import scala.concurrent.Await
      import scala.concurrent.duration.Duration

      final case class Place(number: Int)
      final case class Charge(number: Int)

      class Orders extends Actor {
        override def receive: Receive = { case Place(number) => Shop.payments ! Charge(number) }
      }

      class Payments extends Actor {
        override def receive: Receive = { case Charge(_) => () }
      }

      object Shop {
        val system: ActorSystem = ActorSystem("shop")
        val payments: ActorRef = system.actorOf(Props(new Payments), "payments")
        val orders: ActorRef = system.actorOf(Props(new Orders), "orders")
      }

      object Main {
        def main(arguments: Array[String]): Unit = {
          val system = Shop.system
          %s
          orders ! Place(1)
          Await.result(system.terminate(), Duration.Inf)
          println("@ran")
        }
      }
      """;

  private static final String IMPORTS =
      """
      package com.acme

      import Shop.orders
      import io.deimos.testkit.Telemetry
      import scala.jdk.CollectionConverters._
      import scala.util.Using

      """;
}
