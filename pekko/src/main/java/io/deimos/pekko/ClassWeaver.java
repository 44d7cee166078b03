// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.HookPoint;
import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.security.ProtectionDomain;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.implementation.bytecode.StackManipulation;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/**
 * Weaves a class, by Byte Buddy. Its hundreds of classes are loaded with this one, so it is called
 * only for what was not woven ahead.
 */
final class ClassWeaver {
  /**
   * The first part of the names of the advice classes, and of classes that are loaded beside an
   * actor system.
   */
  private static final String OURS = "io.deimos.pekko.";

  private static final ClassFileLocator FILES = new OurClasses(loader(ClassWeaver.class));

  private ClassWeaver() {}

  /** Returns the class woven. */
  static byte[] weave(
      String type,
      byte[] original,
      Plan plan,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain) {
    ClassFileLocator classes =
        new ClassFileLocator.Compound(
            ClassFileLocator.Simple.of(type, original), ClassFileLocator.ForClassLoader.of(loader));
    TypeDescription description = TypePool.Default.of(classes).describe(type).resolve();
    DynamicType.Builder<?> builder =
        new ByteBuddy()
            .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
            .decorate(description, classes);
    return weave(builder, plan, description, loader, null, domain).make().getBytes();
  }

  /** Adds what is done to a class to what an agent builder does. */
  static DynamicType.Builder<?> weave(
      DynamicType.Builder<?> builder,
      Plan plan,
      TypeDescription description,
      @Nullable ClassLoader loader,
      @Nullable JavaModule module,
      @Nullable ProtectionDomain domain) {
    WovenAhead.countMade();
    DynamicType.Builder<?> result = builder;
    if (plan.fields() != null) {
      result = result.visit(new AddedFields(plan.fields()));
    }
    for (HookPoint hook : plan.hooks()) {
      result = advice(plan.toolkit(), hook).transform(result, description, loader, module, domain);
    }
    return result;
  }

  private static AgentBuilder.Transformer advice(Toolkit toolkit, HookPoint hook) {
    return new AgentBuilder.Transformer.ForAdvice()
        .include(toolkit == Toolkit.PEKKO ? FILES : new Renamed(toolkit, FILES))
        .withExceptionHandler(new Advice.ExceptionHandler.Simple(caught()))
        .advice(matcher(hook), hook.advice());
  }

  private static ElementMatcher<MethodDescription> matcher(HookPoint hook) {
    return ElementMatchers.failSafe(
        new ElementMatcher.Junction.ForNonNullValues<>() {
          @Override
          protected boolean doMatch(MethodDescription method) {
            return ShapeCheck.matches(
                hook, method.getInternalName(), method.getModifiers(), () -> parameters(method));
          }
        });
  }

  private static List<String> parameters(MethodDescription method) {
    return method.getParameters().asTypeList().asErasures().stream()
        .map(TypeDescription::getName)
        .toList();
  }

  private static StackManipulation caught() {
    try {
      return MethodInvocation.invoke(
          new MethodDescription.ForLoadedMethod(Faults.class.getMethod("caught", Throwable.class)));
    } catch (NoSuchMethodException e) {
      throw new LinkageError("Faults.caught", e);
    }
  }

  private static ClassLoader loader(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  /** Our classes, as if they had been compiled against another library. */
  private record Renamed(Toolkit toolkit, ClassFileLocator compiled) implements ClassFileLocator {
    @Override
    public Resolution locate(String name) throws IOException {
      Resolution found = compiled.locate(name);
      return name.startsWith(OURS) && found.isResolved()
          ? new Resolution.Explicit(toolkit.ours(found.resolve()))
          : found;
    }

    @Override
    public void close() throws IOException {
      compiled.close();
    }
  }
}
