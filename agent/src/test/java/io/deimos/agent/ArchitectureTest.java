// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.page.LivePage;
import io.deimos.recorder.Rooms;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The parts that put the agent together, and what holds for all of its modules. */
class ArchitectureTest {
  private static final String ROOT = "io.deimos.agent";

  private static final JavaClasses AGENT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  @Test
  void rooms_references_areThoseDeclared() {
    Rooms.of(ROOT)
        .room(
            ".",
            "answers budget check clock context control shutdown export lean log logs metrics"
                + " observer page pipeline profile report rules sdk settings source span bootstrap"
                + " store tail tap")
        .room(
            "standalone",
            "budget export log logs nodes page report rules settings source store tail")
        .room("clock", "log settings")
        .room("shutdown", "pipeline report")
        .room("lean", "log settings")
        .room("pipeline", "export log otlp sdk settings span store tail tap")
        .room(
            "report",
            "answers budget check export log logs metrics nodes observer page profile settings"
                + " source span bootstrap store tail")
        .check();
  }

  /** All others are given the {@code Settings} in force, and a call when there are new ones. */
  @Test
  void liveSettings_areKnown_toControlAndItsWiringOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, ROOT + ".control")
        .and()
        .doNotHaveFullyQualifiedName(LivePage.class.getName())
        .should()
        .dependOnClassesThat()
        .areAssignableTo(LiveSettings.class)
        .because("settings change in control only")
        .check(AGENT);
  }

  /** The JVM may look at these before the recorder is on the bootstrap path. */
  @Test
  void services_types_areInTheRootAndNoneOfTheRecorder() throws IOException {
    Set<String> services = services();
    assertThat(services)
        .hasSize(12)
        .allMatch(name -> AGENT.get(name).getPackageName().equals(ROOT));
    noClasses()
        .that(
            DescribedPredicate.<JavaClass>describe(
                "are services", type -> services.contains(type.getName())))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.deimos.recorder..")
        .check(AGENT);
  }

  private static Set<String> services() throws IOException {
    Set<String> services = new TreeSet<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of("src/main/resources/META-INF/services"))) {
      for (Path file : files) {
        services.addAll(Files.readAllLines(file));
      }
    }
    return services;
  }
}
