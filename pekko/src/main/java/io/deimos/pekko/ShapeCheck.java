// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.Feature;
import io.deimos.pekko.feature.Features;
import io.deimos.pekko.feature.HookPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.objectweb.asm.Opcodes;

/**
 * Looks at the Pekko of one class loader before any of it is woven: which features it has, and
 * whether every method of a feature is there in the shape we know. Reads class files, loads
 * nothing.
 */
final class ShapeCheck {
  private final ClassShapes shapes;
  private final Feature core;
  private final Set<Feature> features = new LinkedHashSet<>();
  private final Set<HookPoint> hooks = new LinkedHashSet<>();
  private final List<String> missing = new ArrayList<>();

  ShapeCheck(ClassFiles files) {
    this(files, Toolkit.PEKKO);
  }

  ShapeCheck(ClassFiles files, Toolkit toolkit) {
    shapes = new ClassShapes(files);
    List<Feature> all = toolkit.features();
    core = core(all);
    for (Feature feature : all) {
      if (isUsed(feature) && isWhole(feature)) {
        features.add(feature);
      }
    }
    if (!features.contains(core)) {
      features.removeIf(feature -> hasPekko() || !feature.isOfLibrary());
    }
  }

  private static Feature core(List<Feature> all) {
    return all.stream()
        .filter(feature -> feature.name().equals(Features.ACTORS.name()))
        .findFirst()
        .orElseThrow();
  }

  private boolean isUsed(Feature feature) {
    return feature.markers().stream().allMatch(shapes::isThere);
  }

  /** False for a class loader that at best has a library which actors elsewhere use. */
  boolean hasPekko() {
    return isUsed(core);
  }

  /**
   * The features that can be woven. Without {@link Features#ACTORS} there are none, but for {@link
   * Feature#isOfLibrary} where there is no Pekko at all.
   */
  Set<Feature> features() {
    return features;
  }

  /** The hooks of those features, each in the form that is there. */
  Set<HookPoint> hooks() {
    return hooks;
  }

  /** The hooks whose method is not there in any form, by name. */
  List<String> missing() {
    return missing;
  }

  private boolean isWhole(Feature feature) {
    boolean whole = true;
    for (String type : feature.fields().keySet()) {
      if (!shapes.isThere(type)) {
        missing.add(type);
        whole = false;
      }
    }
    Map<String, HookPoint> found = new LinkedHashMap<>();
    for (HookPoint hook : feature.hooks()) {
      if (found.get(hook.name()) == null) {
        found.put(hook.name(), isThere(hook) ? hook : null);
      }
    }
    for (Map.Entry<String, HookPoint> hook : found.entrySet()) {
      if (hook.getValue() == null) {
        missing.add(hook.getKey());
        whole = false;
      }
    }
    if (whole) {
      hooks.addAll(found.values());
    }
    return whole;
  }

  private boolean isThere(HookPoint hook) {
    List<ClassShapes.Shape> methods = shapes.methods(hook.type());
    return methods != null && methods.stream().anyMatch(method -> matches(hook, method));
  }

  private static boolean matches(HookPoint hook, ClassShapes.Shape method) {
    return matches(hook, method.name(), method.access(), method::parameters);
  }

  /** A bridge is no match: Byte Buddy leaves it as it is. */
  static boolean matches(
      HookPoint hook, String name, int access, Supplier<List<String>> parameters) {
    return (hook.isConstructor()
            ? name.equals("<init>")
            : !name.startsWith("<") && hook.isNamed(name))
        && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_BRIDGE)) == 0
        && parameters.get().equals(hook.parameters());
  }
}
