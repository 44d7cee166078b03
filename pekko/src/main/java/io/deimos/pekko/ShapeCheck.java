// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;

/**
 * Looks at the Pekko of one class loader before any of it is woven: which features it has, and
 * whether every method of a feature is there in the shape we know. Reads class files, loads
 * nothing.
 */
final class ShapeCheck {
  private final TypePool pool;
  private final Set<Feature> features = EnumSet.noneOf(Feature.class);
  private final List<String> missing = new ArrayList<>();

  ShapeCheck(ClassFileLocator locator) {
    pool =
        new TypePool.Default(
            new TypePool.CacheProvider.Simple(), locator, TypePool.Default.ReaderMode.FAST);
    for (Feature feature : Feature.values()) {
      if (isUsed(feature) && isWhole(feature)) {
        features.add(feature);
      }
    }
    if (!features.contains(Feature.ACTORS)) {
      features.removeIf(feature -> hasPekko() || !feature.isOfLogging());
    }
  }

  private boolean isUsed(Feature feature) {
    return pool.describe(feature.marker()).isResolved()
        && pool.describe(feature.beside()).isResolved();
  }

  /** False for a class loader that at best has a library which actors elsewhere log with. */
  boolean hasPekko() {
    return isUsed(Feature.ACTORS);
  }

  /**
   * The features that can be woven. Without {@link Feature#ACTORS} there are none, but for {@link
   * Feature#isOfLogging} where there is no Pekko at all.
   */
  Set<Feature> features() {
    return features;
  }

  /** The hooks whose method is not there, by name. */
  List<String> missing() {
    return missing;
  }

  private boolean isWhole(Feature feature) {
    boolean whole = true;
    for (Map.Entry<String, Feature> fields : HookPoints.FIELD_FEATURES.entrySet()) {
      if (fields.getValue() == feature && !pool.describe(fields.getKey()).isResolved()) {
        missing.add(fields.getKey());
        whole = false;
      }
    }
    for (HookPoint hook : HookPoints.ALL) {
      if (hook.feature() == feature && !isThere(hook)) {
        missing.add(hook.name());
        whole = false;
      }
    }
    return whole;
  }

  private boolean isThere(HookPoint hook) {
    TypePool.Resolution type = pool.describe(hook.type());
    return type.isResolved()
        && type.resolve().getDeclaredMethods().stream()
            .anyMatch(method -> method.isMethod() != hook.isConstructor() && matches(hook, method));
  }

  static boolean matches(HookPoint hook, MethodDescription method) {
    return (hook.isConstructor() ? method.isConstructor() : method.getName().equals(hook.method()))
        && !method.isAbstract()
        && method.getParameters().asTypeList().asErasures().stream()
            .map(TypeDescription::getName)
            .toList()
            .equals(hook.parameters());
  }
}
