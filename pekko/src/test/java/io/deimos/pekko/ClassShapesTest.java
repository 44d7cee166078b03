// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class ClassShapesTest {
  private final ClassFiles files = ClassFiles.of(ClassShapesTest.class.getClassLoader());
  private final ClassShapes shapes = new ClassShapes(files);

  /** The shapes of every class that we weave, and some others. */
  @Test
  void methods_ofEachClass_areWhatAsmReads() throws IOException {
    TreeSet<String> types = new TreeSet<>(Toolkit.PEKKO.byType().keySet());
    types.remove("scala.concurrent.impl.CallbackRunnable"); // Scala 2.12
    types.add("java.util.concurrent.CompletableFuture");
    types.add("java.lang.String");
    types.add("java.lang.Double");
    types.add(ClassShapes.class.getName());
    for (String type : types) {
      assertThat(shapes.methods(type)).as(type).isEqualTo(byAsm(type));
    }
  }

  @Test
  void parameters_objectsPrimitivesAndArrays_areNamedAsClassesAre() {
    ClassShapes.Shape shape =
        new ClassShapes.Shape(0, "some", "(ILjava/lang/String;[J[[Ljava/util/Map$Entry;)V");
    assertThat(shape.parameters())
        .containsExactly("int", "java.lang.String", "[J", "[[Ljava.util.Map$Entry;");
  }

  @Test
  void methods_ofNoClass_areNull() {
    assertThat(shapes.methods("some.Type")).isNull();
    assertThat(shapes.isThere("some.Type")).isFalse();
  }

  private List<ClassShapes.Shape> byAsm(String type) throws IOException {
    List<ClassShapes.Shape> all = new ArrayList<>();
    new ClassReader(Objects.requireNonNull(files.read(type)))
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public @Nullable MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                all.add(new ClassShapes.Shape(access & 0xffff, name, descriptor));
                return null;
              }
            },
            ClassReader.SKIP_CODE);
    return all;
  }
}
