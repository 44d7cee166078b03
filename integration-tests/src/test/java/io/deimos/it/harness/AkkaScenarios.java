// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;

/**
 * The scenarios as an application of Akka: their class files with Akka's names for Pekko's, as if
 * their imports had been changed, which is how users moved from one to the other.
 */
final class AkkaScenarios {
  /** A setting or an address, not a part of a longer name. */
  private static final Pattern ROOT = Pattern.compile("(?<![\\w./-])pekko(?=[.:]|$)");

  private AkkaScenarios() {}

  /** Writes them into a directory of their own. */
  static Path renamed(Path scenarios) {
    Path to = Layout.target().resolve("akka-scenarios");
    try (Stream<Path> files = Files.walk(scenarios)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path relative = scenarios.relativize(file);
        if (relative.startsWith("scenarios") || relative.getNameCount() == 1) {
          write(file, to.resolve(relative.toString()));
        }
      }
      return to;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path from, Path to) throws IOException {
    byte[] bytes = Files.readAllBytes(from);
    Files.createDirectories(to.getParent());
    Files.write(to, from.toString().endsWith(".class") ? classFile(bytes) : bytes);
  }

  private static byte[] classFile(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes).accept(new ClassRemapper(writer, new Names()), 0);
    return writer.toByteArray();
  }

  private static String text(String pekkos) {
    String akkas =
        pekkos
            .replace("org.apache.pekko.", "akka.")
            .replace("org/apache/pekko/", "akka/")
            .replace("org$apache$pekko$", "akka$");
    return ROOT.matcher(akkas).replaceAll("akka");
  }

  private static final class Names extends Remapper {
    Names() {
      super(Opcodes.ASM9);
    }

    @Override
    public String map(String internalName) {
      return text(internalName);
    }

    @Override
    public String mapMethodName(String owner, String name, String descriptor) {
      return name.contains("$pekko$") ? text(name) : name;
    }

    @Override
    public Object mapValue(Object value) {
      return value instanceof String s ? text(s) : super.mapValue(value);
    }
  }
}
