// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.HookPoint;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.hooks.Registered;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves {@code CompletableFuture} as Byte Buddy does with {@code StageAdvice}, without Byte Buddy.
 * Each JDK has a class of its own, so it cannot be woven ahead; but all that is done is one call at
 * the start of a method, which replaces an argument.
 */
final class StageWeaving {
  private StageWeaving() {}

  /** Returns the class woven. */
  static byte[] weave(byte[] original, List<HookPoint> hooks) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            Type[] parameters = Type.getArgumentTypes(descriptor);
            return hooks.stream().anyMatch(hook -> is(hook, access, name, parameters))
                ? new Start(to, parameters)
                : to;
          }
        },
        0);
    return writer.toByteArray();
  }

  private static boolean is(HookPoint hook, int access, String name, Type[] parameters) {
    return (access & Opcodes.ACC_STATIC) == 0
        && ShapeCheck.matches(
            hook, name, access, () -> Arrays.stream(parameters).map(Type::getClassName).toList());
  }

  /** Replaces the last argument, which is the function. */
  private static final class Start extends MethodVisitor {
    private static final String REGISTERED = Type.getInternalName(Registered.class);
    private static final String FAULTS = Type.getInternalName(Faults.class);
    private static final String THROWABLE = "java/lang/Throwable";

    private final Type function;
    private final int slot;

    Start(MethodVisitor to, Type[] parameters) {
      super(Opcodes.ASM9, to);
      function = parameters[parameters.length - 1];
      slot = parameters.length; // after this, and no parameter takes two
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label start = new Label();
      Label end = new Label();
      Label caught = new Label();
      Label after = new Label();
      super.visitTryCatchBlock(start, end, caught, THROWABLE);
      super.visitLabel(start);
      super.visitVarInsn(Opcodes.ALOAD, slot);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          REGISTERED,
          method(),
          Type.getMethodDescriptor(function, function),
          false);
      super.visitVarInsn(Opcodes.ASTORE, slot);
      super.visitLabel(end);
      super.visitJumpInsn(Opcodes.GOTO, after);
      super.visitLabel(caught);
      super.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {THROWABLE});
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, FAULTS, "caught", "(Ljava/lang/Throwable;)V", false);
      super.visitLabel(after);
      super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      super.visitInsn(Opcodes.NOP); // a frame of the method's own may follow
    }

    /** For {@code Registered}, by the function's type. */
    private String method() {
      String name = function.getClassName();
      String simple = name.substring(name.lastIndexOf('.') + 1);
      return Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(Math.max(maxStack, 1), maxLocals);
    }
  }
}
