// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.Features;
import io.deimos.recorder.base.Faults;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Weaves classes without an agent builder, which asks about each class that is loaded; here a name
 * decides before anything is read. Where there is an agent around us, {@link FirstLoads} says which
 * classes that are.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class.
 */
final class WovenApart implements ClassFileTransformer {
  /** The transformation of a class. */
  interface Weaving {
    /** Null for nothing. */
    @Nullable Plan plan(String type, @Nullable ClassLoader loader, @Nullable Class<?> redefined);

    /** Told of each class that is woven, before it is there. */
    default void woven(String type, @Nullable ClassLoader loader) {
      // most need not know
    }
  }

  /** The classes that are woven. */
  interface Weavings {
    /**
     * Asked about each class that is loaded.
     *
     * @param name as in class files, with slashes
     */
    @Nullable Weaving of(String name);
  }

  private static final Module RECORDER = Faults.class.getModule();

  private final Instrumentation instrumentation;
  private final Weavings weavings;

  WovenApart(Instrumentation instrumentation, Weavings weavings) {
    this.instrumentation = instrumentation;
    this.weavings = weavings;
  }

  /**
   * Weaves from now on. It is asked once before, so that all classes that an answer needs are
   * loaded: the JVM would ask about them while it waits for that answer.
   */
  static void install(Instrumentation instrumentation, Weavings weavings) {
    if (weavings.of("") != null) {
      throw new IllegalArgumentException("weaves a class without a name");
    }
    instrumentation.addTransformer(new WovenApart(instrumentation, weavings));
  }

  Instrumentation instrumentation() {
    return instrumentation;
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    Weaving weaving = name == null ? null : weavings.of(name);
    if (name == null || weaving == null) {
      return null;
    }
    try {
      String type = name.replace('/', '.');
      Plan plan = weaving.plan(type, loader, redefined);
      if (plan == null) {
        return null;
      }
      byte[] woven = weave(type, bytes, plan, loader, domain);
      showRecorder(module);
      weaving.woven(type, loader);
      return woven;
    } catch (RuntimeException | LinkageError e) {
      Faults.caught(e);
      return null;
    }
  }

  private static byte[] weave(
      String type,
      byte[] original,
      Plan plan,
      @Nullable ClassLoader loader,
      ProtectionDomain domain) {
    if (type.equals(Features.STAGES_TYPE)) {
      return StageWeaving.weave(original, plan.hooks());
    }
    byte[] ahead = WovenAhead.find(type, original, plan);
    return ahead == null ? ClassWeaver.weave(type, original, plan, loader, domain) : ahead;
  }

  /** Woven code calls the recorder, which is in no module that a named one reads by itself. */
  private void showRecorder(Module to) {
    if (to.isNamed() && !to.canRead(RECORDER)) {
      instrumentation.redefineModule(to, Set.of(RECORDER), Map.of(), Map.of(), Set.of(), Map.of());
    }
  }
}
