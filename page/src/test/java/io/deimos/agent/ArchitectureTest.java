// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.deimos.recorder.Rooms;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page's rooms lead one way. */
class ArchitectureTest {
  @Test
  void rooms_references_areThoseDeclared() {
    Rooms.of("io.deimos.agent")
        .room("grpc")
        .room("nodes", "json observer otlp bootstrap store")
        .room(
            "page",
            "budget control grpc json log messages metrics nodes observer otlp profile settings"
                + " span bootstrap store tail")
        .check();
  }

  /** What a request can reach. Files are written by the dump alone, where an operator names one. */
  @Test
  void page_ofRequests_runsNoCodeReadsNoEnvironmentAndConnectsToNobody() {
    noClasses()
        .that()
        .resideInAPackage("io.deimos.agent.page..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.net.http..", "java.lang.invoke..", "java.lang.reflect..", "javax.script..")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.(net\\.(URL|URLConnection|URLClassLoader)|lang\\.(Process|ProcessBuilder))")
        .orShould(callMethodWhere(isOf(Class.class, "forName")))
        .orShould(callMethodWhere(isOf(Runtime.class, "exec|load|loadLibrary")))
        .orShould(callMethodWhere(isOf(System.class, "getenv|getProperties|load|loadLibrary")))
        .check(new ClassFileImporter().importPath(Path.of("target/classes")));
  }

  private static DescribedPredicate<JavaCall<?>> isOf(Class<?> owner, String names) {
    return target(owner(equivalentTo(owner))).and(target(nameMatching(names)));
  }
}
