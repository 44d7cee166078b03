// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The Akka that a class loader has, read from its class files. */
final class AkkaVersion {
  /** The last that Pekko was forked from, and the last under the Apache licence. */
  private static final String SUPPORTED = "2.6.";

  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+.*");

  private AkkaVersion() {}

  /** Why an Akka is not recorded, in one sentence; null if it is. */
  static @Nullable String obstacle(ClassFiles classes) {
    String version = read(classes);
    return version == null || version.startsWith(SUPPORTED)
        ? null
        : "Akka "
            + version
            + " is not supported, so its actors are not recorded: Deimos knows Akka 2.6 and Pekko."
            + " To have contexts pass through its actors as the OpenTelemetry agent does it, set"
            + " -Dotel.instrumentation.akka-actor.enabled=true; to have actors recorded, move to"
            + " Pekko";
  }

  private static @Nullable String read(ClassFiles classes) {
    try {
      byte[] found = classes.read("akka.Version$");
      if (found == null) {
        return null;
      }
      String[] version = new String[1];
      new ClassReader(found)
          .accept(
              new ClassVisitor(Opcodes.ASM9) {
                @Override
                public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                  return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitLdcInsn(Object value) {
                      if (version[0] == null
                          && value instanceof String text
                          && VERSION.matcher(text).matches()) {
                        version[0] = text;
                      }
                    }
                  };
                }
              },
              ClassReader.SKIP_DEBUG);
      return version[0];
    } catch (IOException e) {
      return null;
    }
  }
}
