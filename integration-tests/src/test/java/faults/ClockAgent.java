// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package faults;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * A clock that is wrong: whatever of the JVM's classes asks what time it is, the JDK's own left
 * out, is told some milliseconds more or less. Must stand before the agent on the command line.
 */
public final class ClockAgent implements ClassFileTransformer {
  private static final List<String> LEFT_OUT =
      List.of("java/", "javax/", "jdk/", "sun/", "com/sun/", "net/bytebuddy/", "faults/");

  private final long millis;

  private ClockAgent(long millis) {
    this.millis = millis;
  }

  /**
   * Called by the JVM before {@code main}.
   *
   * @param millis how far the clock is ahead; negative if it is behind
   */
  public static void premain(String millis, Instrumentation instrumentation) {
    instrumentation.addTransformer(new ClockAgent(Long.parseLong(millis)));
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String type, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (type == null || LEFT_OUT.stream().anyMatch(type::startsWith)) {
      return null;
    }
    boolean[] changed = {false};
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return wrong(
                super.visitMethod(access, name, descriptor, signature, exceptions), changed);
          }
        },
        0);
    return changed[0] ? writer.toByteArray() : null;
  }

  private MethodVisitor wrong(MethodVisitor to, boolean[] changed) {
    return new MethodVisitor(Opcodes.ASM9, to) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        if (owner.equals("java/lang/System") && name.equals("currentTimeMillis")) {
          changed[0] = true;
          visitLdcInsn(millis);
          visitInsn(Opcodes.LADD);
        } else if (owner.equals("java/time/Instant")
            && name.equals("now")
            && descriptor.startsWith("()")) {
          changed[0] = true;
          visitLdcInsn(millis);
          super.visitMethodInsn(
              Opcodes.INVOKEVIRTUAL,
              "java/time/Instant",
              "plusMillis",
              "(J)Ljava/time/Instant;",
              false);
        }
      }
    };
  }
}
