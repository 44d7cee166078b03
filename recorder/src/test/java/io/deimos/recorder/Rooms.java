// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds the packages of one module to the references that its test declares: all of them, and no
 * others. A room is a package below the root, named without it; the root itself is {@code "."}. The
 * declared references are a partial order, so no room leads back to itself.
 */
public final class Rooms {
  private static final String ITSELF = ".";

  private final String root;
  private final Map<String, Set<String>> declared = new TreeMap<>();

  private Rooms(String root) {
    this.root = root;
  }

  /** The rooms below a package. */
  public static Rooms of(String root) {
    return new Rooms(root);
  }

  /** Declares a room of the module that uses no other. */
  public Rooms room(String name) {
    declared.put(name, Set.of());
    return this;
  }

  /** Declares a room of the module, and the rooms of this and other modules that it uses. */
  public Rooms room(String name, String uses) {
    declared.put(name, Set.of(uses.split(" ", -1)));
    return this;
  }

  /** Compares the declaration with the module's classes. */
  public void check() {
    Map<String, Set<String>> found = new TreeMap<>();
    for (JavaClass type : new ClassFileImporter().importPath(Path.of("target/classes"))) {
      String room = roomOf(type);
      if (room != null) {
        Set<String> uses = found.computeIfAbsent(room, any -> new TreeSet<>());
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          String used = roomOf(dependency.getTargetClass());
          if (used != null && !used.equals(room)) {
            uses.add(used);
          }
        }
      }
    }
    assertThat(found).isEqualTo(declared);
    declared.keySet().forEach(room -> assertThat(reached(room)).as(room).doesNotContain(room));
  }

  private Set<String> reached(String room) {
    Set<String> reached = new TreeSet<>();
    follow(room, reached);
    return reached;
  }

  private void follow(String room, Set<String> reached) {
    for (String used : declared.getOrDefault(room, Set.of())) {
      if (reached.add(used)) {
        follow(used, reached);
      }
    }
  }

  private @Nullable String roomOf(JavaClass type) {
    String name = type.getBaseComponentType().getPackageName();
    if (name.equals(root)) {
      return ITSELF;
    }
    return name.startsWith(root + ".") ? name.substring(root.length() + 1) : null;
  }
}
