// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.bytebuddy.dynamic.ClassFileLocator;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The methods of classes, read from class files and no more of these than that takes: a hundred
 * classes are looked at while the application starts.
 */
final class ClassShapes {
  /**
   * A method.
   *
   * @param parameters its erased parameter types by name
   */
  record Shape(int access, String name, List<String> parameters) {}

  private final ClassFileLocator files;
  private final Map<String, Optional<List<Shape>>> read = new HashMap<>();

  ClassShapes(ClassFileLocator files) {
    this.files = files;
  }

  boolean isThere(String type) {
    return methods(type) != null;
  }

  /** Those that the class itself declares; null if it is not there. */
  @Nullable List<Shape> methods(String type) {
    return read.computeIfAbsent(type, this::read).orElse(null);
  }

  private Optional<List<Shape>> read(String type) {
    try {
      ClassFileLocator.Resolution found = files.locate(type);
      return found.isResolved() ? Optional.of(methods(found.resolve())) : Optional.empty();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + type, e);
    }
  }

  private static List<Shape> methods(byte[] file) {
    List<Shape> all = new ArrayList<>();
    new ClassReader(file)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public @Nullable MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                all.add(new Shape(access, name, parameters(descriptor)));
                return null;
              }
            },
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return all;
  }

  private static List<String> parameters(String descriptor) {
    return Arrays.stream(Type.getArgumentTypes(descriptor)).map(ClassShapes::name).toList();
  }

  /** As {@link Class#getName} has it. */
  private static String name(Type type) {
    return type.getSort() == Type.ARRAY
        ? type.getDescriptor().replace('/', '.')
        : type.getClassName();
  }
}
