// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package faults;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.jar.JarFile;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Puts a call of {@link Fault#at} at the beginning of the public methods of all classes of woven
 * calls (those named {@code …Hooks}), and of the methods that {@code -Dfaults.inside} names. Must
 * stand before the agent on the command line.
 */
public final class FaultAgent implements ClassFileTransformer {
  private static final int HOOK = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;

  private final Set<String> inside = Set.of(System.getProperty("faults.inside", "").split(","));

  private FaultAgent() {}

  /**
   * Called by the JVM before {@code main}.
   *
   * @param boot the jar with {@link Fault}, for the bootstrap loader
   */
  public static void premain(String boot, Instrumentation instrumentation) throws IOException {
    instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(new File(boot)));
    instrumentation.addTransformer(new FaultAgent());
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String type, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (type == null || !type.startsWith("io/deimos/") || type.contains("/selftest/")) {
      return null;
    }
    String simple = type.substring(type.lastIndexOf('/') + 1);
    if (!simple.endsWith("Hooks") && inside.stream().noneMatch(i -> i.startsWith(simple + "."))) {
      return null;
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            String place = simple + "." + name;
            boolean hook = simple.endsWith("Hooks") && (access & HOOK) == HOOK;
            return hook || inside.contains(place) ? failing(to, place) : to;
          }
        },
        0);
    return writer.toByteArray();
  }

  private static MethodVisitor failing(MethodVisitor to, String place) {
    return new MethodVisitor(Opcodes.ASM9, to) {
      @Override
      public void visitCode() {
        super.visitCode();
        visitLdcInsn(place);
        visitMethodInsn(Opcodes.INVOKESTATIC, "faults/Fault", "at", "(Ljava/lang/String;)V", false);
      }
    };
  }
}
