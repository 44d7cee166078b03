// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Akka's names for what Pekko has. Pekko is a fork of Akka 2.6, so names differ by their first
 * part: packages, settings, the scheme of paths, and what scalac makes of a package in names of
 * members.
 */
final class AkkaNames {
  private static final Remapper REMAPPER =
      new Remapper(Opcodes.ASM9) {
        @Override
        public String map(String internalName) {
          return text(internalName);
        }

        @Override
        public String mapMethodName(String owner, String name, String descriptor) {
          return text(name);
        }

        @Override
        public String mapFieldName(String owner, String name, String descriptor) {
          return text(name);
        }

        @Override
        public Object mapValue(Object value) {
          return value instanceof String text ? text(text) : super.mapValue(value);
        }
      };

  private AkkaNames() {}

  /** A class file that was compiled against Pekko, as if it had been compiled against Akka. */
  static byte[] classFile(byte[] compiled) {
    ClassReader reader = new ClassReader(compiled);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(new ClassRemapper(writer, REMAPPER), 0);
    return writer.toByteArray();
  }

  /** A name of a class or a member, a setting or an address; any other text stays as it is. */
  static String text(String pekkos) {
    if (pekkos.equals("pekko") || pekkos.startsWith("pekko.") || pekkos.startsWith("pekko:")) {
      return "akka" + pekkos.substring("pekko".length());
    }
    String akkas =
        pekkos
            .replace("org.apache.pekko.", "akka.")
            .replace("org/apache/pekko/", "akka/")
            .replace("org$apache$pekko$", "akka$");
    return akkas.equals(pekkos)
        ? pekkos
        : akkas.replace("Pekko", "Akka"); // some classes' own names
  }
}
