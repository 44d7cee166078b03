// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.base.Faults;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * Weaves classes without an agent builder, which asks about each class that is loaded; here a name
 * decides before anything is read. Where there is an agent around us it weaves the mailbox alone:
 * to that agent it is a task like any other, and its advice for tasks is a cost that every run of
 * every mailbox would pay for contexts that a mailbox never carries.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class.
 */
final class WovenApart implements ClassFileTransformer {
  /** What is done to a class. */
  interface Weaving {
    /** Whether anything is, before the class is read. */
    boolean isWanted(String type, @Nullable ClassLoader loader, @Nullable Class<?> redefined);

    DynamicType.Builder<?> weave(
        DynamicType.Builder<?> builder,
        TypeDescription type,
        @Nullable ClassLoader loader,
        ProtectionDomain domain);
  }

  /** Which classes are woven. */
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
      if (!weaving.isWanted(type, loader, redefined)) {
        return null;
      }
      ClassFileLocator classes =
          new ClassFileLocator.Compound(
              ClassFileLocator.Simple.of(type, bytes), ClassFileLocator.ForClassLoader.of(loader));
      TypeDescription description = TypePool.Default.of(classes).describe(type).resolve();
      DynamicType.Builder<?> builder =
          new ByteBuddy()
              .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
              .decorate(description, classes);
      byte[] woven = weaving.weave(builder, description, loader, domain).make().getBytes();
      showRecorder(module);
      return woven;
    } catch (RuntimeException | LinkageError e) {
      Faults.caught(e);
      return null;
    }
  }

  /** What is woven calls the recorder, which is in no module that a named one reads by itself. */
  private void showRecorder(Module to) {
    if (to.isNamed() && !to.canRead(RECORDER)) {
      instrumentation.redefineModule(to, Set.of(RECORDER), Map.of(), Map.of(), Set.of(), Map.of());
    }
  }
}
