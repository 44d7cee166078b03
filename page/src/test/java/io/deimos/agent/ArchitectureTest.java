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
  /** The classes that a request reaches, but for the links between processes. */
  private static final String[] REQUESTED = {
    "io.deimos.agent.http..",
    "io.deimos.agent.routes..",
    "io.deimos.agent.source..",
    "io.deimos.agent.processes..",
    "io.deimos.agent.answers..",
    "io.deimos.agent.page.."
  };

  @Test
  void rooms_references_areThoseDeclared() {
    Rooms.of("io.deimos.agent")
        .room("grpc")
        .room("http", "budget grpc json")
        .room("nodes", "bootstrap http json observer otlp store")
        .room("routes", "budget http json log")
        .room("source", "budget check http json logs nodes observer profile routes settings tail")
        .room(
            "processes",
            "budget check grpc http json log logs nodes observer otlp routes rules.cluster"
                + " settings source store")
        .room(
            "answers",
            "bootstrap budget check http json log logs messages nodes observer processes profile"
                + " routes rules settings source span store tail")
        .room(
            "page",
            "answers budget control grpc http json log metrics nodes observer processes routes"
                + " settings source store")
        .check();
  }

  /**
   * The classes that a request can reach. Files are written by the dump alone, where an operator
   * names one.
   */
  @Test
  void page_ofRequests_runsNoCodeReadsNoEnvironmentAndConnectsToNobody() {
    noClasses()
        .that()
        .resideInAnyPackage(REQUESTED)
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
