// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The bootstrap class loader has nothing but the JDK's base module and us. */
class ArchitectureTest {
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
}
