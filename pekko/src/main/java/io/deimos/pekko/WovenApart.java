// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.base.Faults;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * Weaves one class that the agent around us is told to leave alone: the mailbox. To that agent it
 * is a task like any other, and its advice for tasks is a cost that every run of every mailbox
 * would pay for contexts that a mailbox never carries.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class.
 */
final class WovenApart implements ClassFileTransformer {
  /** What is done to the class. */
  interface Weaving {
    DynamicType.Builder<?> weave(
        DynamicType.Builder<?> builder,
        TypeDescription type,
        @Nullable ClassLoader loader,
        ProtectionDomain domain);
  }

  private final String type;
  private final String internalName;
  private final Weaving weaving;

  WovenApart(String type, Weaving weaving) {
    this.type = type;
    this.internalName = type.replace('.', '/');
    this.weaving = weaving;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    if (!internalName.equals(name)) {
      return null;
    }
    try {
      ClassFileLocator classes =
          new ClassFileLocator.Compound(
              ClassFileLocator.Simple.of(type, bytes), ClassFileLocator.ForClassLoader.of(loader));
      TypeDescription description = TypePool.Default.of(classes).describe(type).resolve();
      DynamicType.Builder<?> builder =
          new ByteBuddy()
              .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
              .decorate(description, classes);
      return weaving.weave(builder, description, loader, domain).make().getBytes();
    } catch (RuntimeException | LinkageError e) {
      Faults.caught(e);
      return null;
    }
  }
}
