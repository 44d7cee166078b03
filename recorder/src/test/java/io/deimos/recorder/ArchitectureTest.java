// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The bootstrap class loader has nothing but the JDK's base module and us; and each room of the
 * recorder uses only those below it.
 */
@TestInstance(Lifecycle.PER_CLASS) // all classes are read once
class ArchitectureTest {
  private static final String ROOT = "io.deimos.recorder";

  /** From the top to the bottom. The root package, which composes all, lies above. */
  private static final List<String> ROOMS =
      List.of(
          "housekeeping",
          "hooks",
          "trouble",
          "wire",
          "context",
          "ring",
          "counts",
          "spans",
          "woven",
          "trace",
          "actors",
          "clock",
          "base",
          "names");

  private final JavaClasses recorder =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.deimos.recorder");

  @Test
  void recorder_dependencies_areJavaBaseOnly() {
    classes()
        .that()
        .resideInAPackage("io.deimos.recorder..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.deimos.recorder..",
            "java.lang..",
            "java.util..",
            "java.nio..",
            "java.time..",
            "java.security..",
            "org.jspecify.annotations..")
        .check(recorder);
  }

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
          .check(recorder);
    }
  }

  @Test
  void rooms_ofAllClasses_areInTheOrder() {
    assertThat(recorder.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(Stream.of(ROOT), ROOMS.stream().map(ArchitectureTest::packageOf))
                .toList());
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
