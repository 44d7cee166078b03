// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class SlimJarTest {
  private static final LocalDateTime TIME = LocalDateTime.of(2001, 2, 3, 4, 5, 6);
  private static final byte[] TEXT = "as it is".getBytes(StandardCharsets.UTF_8);

  /** Has what is left out. */
  private static final class Noted {
    static @Nullable String text(@Nullable Function<String, String> of, String given) {
      String result = of == null ? null : of.apply(given);
      return result;
    }
  }

  private static byte[] file(Class<?> type) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    try (InputStream in = SlimJarTest.class.getClassLoader().getResourceAsStream(name)) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  /** The parts of a class that the JVM knows, in one order. */
  private static byte[] core(byte[] file) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(file).accept(writer, ClassReader.SKIP_DEBUG);
    return writer.toByteArray();
  }

  private static List<String> debug(byte[] file) {
    List<String> all = new ArrayList<>();
    new ClassReader(file)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public void visitSource(@Nullable String source, @Nullable String debug) {
                all.add("file " + source);
              }

              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String method,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitLineNumber(int line, Label start) {
                    all.add(method + " line " + line);
                  }

                  @Override
                  public void visitLocalVariable(
                      String name,
                      String type,
                      @Nullable String ofType,
                      Label start,
                      Label end,
                      int index) {
                    all.add(method + " variable " + name);
                  }
                };
              }
            },
            0);
    return all;
  }

  @Test
  void slim_aClass_isTheSameWithLinesAndWithoutVariables() throws IOException {
    byte[] file = file(SlimJarTest.class);
    byte[] slim = SlimJar.slim(file);
    assertThat(core(slim)).isEqualTo(core(file));
    List<String> lines = debug(file);
    lines.removeIf(line -> line.contains(" variable "));
    assertThat(lines).contains("file SlimJarTest.java").hasSizeGreaterThan(50);
    assertThat(debug(slim)).isEqualTo(lines);
  }

  @Test
  void slim_aClassWithNotesAboutNull_hasNone() throws IOException {
    assertThat(Noted.text(null, "")).isNull();
    byte[] file = file(Noted.class);
    assertThat(new String(file, StandardCharsets.ISO_8859_1)).contains("jspecify", "result");
    assertThat(new String(SlimJar.slim(file), StandardCharsets.ISO_8859_1))
        .doesNotContain("jspecify", "result")
        .contains("Ljava/util/function/Function<Ljava/lang/String;");
  }

  @Test
  void copy_aJarWithOneInside_keepsEntriesAndTimes() throws IOException {
    byte[] file = file(SlimJarTest.class);
    byte[] inner = jar(Map.of("inner/A.class", file));
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("b.txt", TEXT);
    entries.put("a/A.classdata", file);
    entries.put("c/inner.jar", inner);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SlimJar.copy(new ByteArrayInputStream(jar(entries)), out);

    Map<String, byte[]> copied = entries(out.toByteArray());
    assertThat(copied.keySet()).containsExactly("b.txt", "a/A.classdata", "c/inner.jar");
    assertThat(copied.get("b.txt")).isEqualTo(TEXT);
    assertThat(copied.get("a/A.classdata")).isEqualTo(SlimJar.slim(file));
    assertThat(entries(Objects.requireNonNull(copied.get("c/inner.jar"))).get("inner/A.class"))
        .isEqualTo(SlimJar.slim(file));
  }

  private static byte[] jar(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        ZipEntry head = new ZipEntry(entry.getKey());
        head.setTimeLocal(TIME);
        out.putNextEntry(head);
        out.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static Map<String, byte[]> entries(byte[] jar) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar));
    for (ZipEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
      assertThat(next.getTimeLocal()).as(next.getName()).isEqualTo(TIME);
      entries.put(next.getName(), in.readAllBytes());
    }
    return entries;
  }
}
