// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The packages of this module, and the ones that each of them uses: these, and no others. */
class ArchitectureTest {
  private static final String ROOT = "io.deimos.remote";

  private final Map<String, Set<String>> declared = new LinkedHashMap<>();

  private void room(String name) {
    declared.put(name, Set.of());
  }

  private void room(String name, String uses) {
    Set<String> used = Set.of(uses.split(" ", -1));
    assertThat(declared.keySet()).as("before %s", name).containsAll(used);
    declared.put(name, used);
  }

  @Test
  void packages_references_areThoseDeclared() {
    room(".");
    room("weave", ".");
    room("engine.settings");
    room("engine.task");
    room("engine.pekko");
    room("engine.net");
    room("engine.tls");
    room("engine.count", ".");
    room("engine.wire", ". engine.pekko");
    room(
        "engine.core",
        ". engine.count engine.net engine.pekko engine.settings engine.task engine.tls"
            + " engine.wire");
    room(
        "engine.link",
        ". engine.core engine.count engine.net engine.pekko engine.task engine.tls engine.wire");
    room(
        "engine.out",
        ". engine.core engine.count engine.link engine.pekko engine.settings engine.task"
            + " engine.wire");
    room(
        "engine.in",
        "engine.core engine.count engine.net engine.pekko engine.settings engine.task"
            + " engine.tls engine.wire");
    room("engine.compress", "engine.core engine.count engine.pekko engine.wire");
    room(
        "engine.decode",
        ". engine.compress engine.core engine.count engine.in engine.pekko engine.task"
            + " engine.wire");
    room(
        "engine",
        ". engine.core engine.count engine.decode engine.in engine.net engine.out engine.pekko"
            + " engine.settings engine.tls");
    Map<String, Set<String>> found = new HashMap<>();
    for (JavaClass type : new ClassFileImporter().importPath(Path.of("target/classes"))) {
      String room = room(type);
      Set<String> uses = found.computeIfAbsent(room, unknown -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass used = dependency.getTargetClass().getBaseComponentType();
        if (used.getPackageName().startsWith(ROOT) && !room(used).equals(room)) {
          uses.add(room(used));
        }
      }
    }
    assertThat(found).isEqualTo(declared);
  }

  private static String room(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? "." : name.substring(ROOT.length() + 1);
  }
}
