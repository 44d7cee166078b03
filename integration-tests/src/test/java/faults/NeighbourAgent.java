// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package faults;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;

/**
 * Another agent, which must stand before ours: it writes one class of Pekko anew as it is loaded,
 * with other bytes for the same code. When another class is loaded, it retransforms all of Pekko's
 * that are there, and says so.
 */
public final class NeighbourAgent {
  private NeighbourAgent() {}

  /**
   * Called by the JVM before {@code main}.
   *
   * @param types the class to write anew, a comma, and the one to wait for; with slashes
   */
  public static void premain(String types, Instrumentation instrumentation) {
    String[] both = types.split(",", -1);
    instrumentation.addTransformer(new Writer(both[0]));
    instrumentation.addTransformer(
        new Watch(
            both[1], () -> new Thread(() -> retransform(instrumentation), "retransformer").start()),
        true);
  }

  private static void retransform(Instrumentation instrumentation) {
    List<Class<?>> pekkos = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getName().startsWith("org.apache.pekko.") && !type.isHidden()) {
        pekkos.add(type);
      }
    }
    try {
      instrumentation.retransformClasses(pekkos.toArray(new Class<?>[0]));
      System.out.println("@retransformed " + pekkos.size());
    } catch (UnmodifiableClassException | LinkageError e) {
      System.out.println("@not retransformed: " + e);
    }
  }

  /** Does to a class what changes its bytes, and nothing else. */
  private record Writer(String type) implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] old) {
      if (!type.equals(name)) {
        return null;
      }
      ClassWriter writer = new ClassWriter(0);
      writer.newUTF8("a neighbour was here");
      new ClassReader(old).accept(writer, 0);
      return writer.toByteArray();
    }
  }

  /** Runs something when a class is loaded. */
  private record Watch(String type, Runnable then) implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] old) {
      if (type.equals(name) && redefined == null) {
        then.run();
      }
      return null;
    }
  }
}
