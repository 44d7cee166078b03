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
  private final Feature core;
  private final Set<Feature> features = new LinkedHashSet<>();
  private final Set<HookPoint> hooks = new LinkedHashSet<>();
  private final List<String> missing = new ArrayList<>();

  ShapeCheck(ClassFileLocator locator) {
    this(locator, Toolkit.PEKKO);
  }

  ShapeCheck(ClassFileLocator locator, Toolkit toolkit) {
    pool =
        new TypePool.Default(
            new TypePool.CacheProvider.Simple(), locator, TypePool.Default.ReaderMode.FAST);
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
    return feature.markers().stream().allMatch(marker -> pool.describe(marker).isResolved());
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
      if (!pool.describe(type).isResolved()) {
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
    TypePool.Resolution type = pool.describe(hook.type());
    return type.isResolved()
        && type.resolve().getDeclaredMethods().stream()
            .anyMatch(method -> method.isMethod() != hook.isConstructor() && matches(hook, method));
  }

  /** A bridge is no match: Byte Buddy leaves it as it is. */
  static boolean matches(HookPoint hook, MethodDescription method) {
    return (hook.isConstructor() ? method.isConstructor() : hook.isNamed(method.getName()))
        && !method.isAbstract()
        && !method.isBridge()
        && method.getParameters().asTypeList().asErasures().stream()
            .map(TypeDescription::getName)
            .toList()
            .equals(hook.parameters());
  }
}
