// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.deimos.recorder.Rooms;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Settings are read, checked and described in one room, and changed in another. */
class ArchitectureTest {
  private static final JavaClasses SETTINGS =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  @Test
  void rooms_references_areThoseDeclared() {
    Rooms.of("io.deimos.agent")
        .room("settings", "log")
        .room("control", "log settings")
        .room("log")
        .room("bootstrap")
        .check();
  }

  /** Where a value can change there is no setting but a state, and states are control's. */
  @Test
  void settings_fields_areFinal() {
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("io.deimos.agent.settings")
        .should()
        .beFinal()
        .because("settings reads, checks and describes values; control changes them")
        .check(SETTINGS);
  }

  /** The JVM may look at these before the recorder is on the bootstrap path. */
  @Test
  void start_types_areNoneOfTheRecorder() {
    noClasses()
        .that()
        .resideInAPackage("io.deimos.agent.bootstrap")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.deimos.recorder..")
        .check(SETTINGS);
  }
}
