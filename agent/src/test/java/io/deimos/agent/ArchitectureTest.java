// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.page.LivePage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Each room of the agent uses only those below it, and settings change in one of them only. */
@TestInstance(Lifecycle.PER_CLASS) // all classes are read once
class ArchitectureTest {
  private static final String ROOT = "io.deimos.agent";

  /** From the top to the bottom. The root package, which composes all, lies above. */
  private static final List<String> ROOMS =
      List.of(
          "lean",
          "alone",
          "end",
          "report",
          "pipeline",
          "sdk",
          "page",
          "metrics",
          "grpc",
          "nodes",
          "otlp",
          "export",
          "tap",
          "observer",
          "profile",
          "store",
          "tail",
          "context",
          "clock",
          "span",
          "control",
          "settings",
          "budget",
          "log",
          "start");

  private final JavaClasses agent =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  @Test
  void rooms_references_leadDownOnly() {
    for (int i = 0; i < ROOMS.size(); i++) {
      noClasses()
          .that()
          .resideInAPackage(packageOf(ROOMS.get(i)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(above(i))
          .because("a room uses only those below it: " + String.join(" > ", ROOMS))
          .check(agent);
    }
  }

  @Test
  void rooms_ofAllClasses_areInTheOrder() {
    assertThat(agent.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(Stream.of(ROOT), ROOMS.stream().map(ArchitectureTest::packageOf))
                .toList());
  }

  /** Where a value can change there is no setting but a state, and states are control's. */
  @Test
  void settings_fields_areFinal() {
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(packageOf("settings"))
        .should()
        .beFinal()
        .because("settings reads, checks and describes values; control changes them")
        .check(agent);
  }

  /** All others are given the {@code Settings} in force, and a call when there are new ones. */
  @Test
  void liveSettings_areKnown_toControlAndItsWiringOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, packageOf("control"))
        .and()
        .doNotHaveFullyQualifiedName(LivePage.class.getName())
        .should()
        .dependOnClassesThat()
        .areAssignableTo(LiveSettings.class)
        .because("settings change in control only")
        .check(agent);
  }

  /** The JVM may look at these before the recorder is on the bootstrap path. */
  @Test
  void services_types_areInTheRootAndNoneOfTheRecorder() throws IOException {
    Set<String> services = services();
    assertThat(services)
        .hasSize(12)
        .allMatch(name -> agent.get(name).getPackageName().equals(ROOT));
    noClasses()
        .that(
            DescribedPredicate.<JavaClass>describe(
                "are services", type -> services.contains(type.getName())))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.deimos.recorder..")
        .check(agent);
  }

  @Test
  void start_types_areNoneOfTheRecorder() {
    noClasses()
        .that()
        .resideInAPackage(packageOf("start"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.deimos.recorder..")
        .check(agent);
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

  private static String packageOf(String room) {
    return ROOT + "." + room;
  }

  private static String[] above(int room) {
    return Stream.concat(
            Stream.of(ROOT), ROOMS.subList(0, room).stream().map(ArchitectureTest::packageOf))
        .toArray(String[]::new);
  }
}
