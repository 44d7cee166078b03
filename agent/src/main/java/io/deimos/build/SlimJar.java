// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.build;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.TypePath;

/**
 * Copies a jar without what its classes say to debuggers and to compilers alone: names and types of
 * local variables, and notes about null. Lines, which stack traces have, stay, and so does all
 * else. Entries are not compressed; those of jars inside neither.
 */
public final class SlimJar {
  private static final String NOTES = "Lorg/jspecify/annotations/";

  private SlimJar() {}

  /**
   * Copies jars.
   *
   * @param arguments of each the jar, and the file to be written
   */
  public static void main(String[] arguments) throws IOException {
    for (int i = 0; i < arguments.length; i += 2) {
      try (InputStream in = Files.newInputStream(Path.of(arguments[i]));
          OutputStream out = Files.newOutputStream(Path.of(arguments[i + 1]))) {
        copy(in, out);
      }
    }
  }

  static void copy(InputStream from, OutputStream to) throws IOException {
    ZipInputStream in = new ZipInputStream(from);
    List<Entry> entries = new ArrayList<>();
    for (ZipEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
      entries.add(new Entry(next, in.readAllBytes()));
    }
    ZipOutputStream out = new ZipOutputStream(to);
    for (Entry entry : entries.parallelStream().map(Entry::slim).toList()) {
      entry.write(out);
    }
    out.finish();
  }

  private static final class Entry {
    private final ZipEntry head;
    private final byte[] bytes;

    Entry(ZipEntry head, byte[] bytes) {
      this.head = head;
      this.bytes = bytes;
    }

    Entry slim() {
      String name = head.getName();
      if (name.endsWith(".class") || name.endsWith(".classdata")) {
        return new Entry(head, SlimJar.slim(bytes));
      }
      return name.endsWith(".jar") ? new Entry(head, slimInside()) : this;
    }

    private byte[] slimInside() {
      ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
      try {
        copy(new ByteArrayInputStream(bytes), out);
      } catch (IOException e) {
        throw new UncheckedIOException(head.getName(), e);
      }
      return out.toByteArray();
    }

    void write(ZipOutputStream out) throws IOException {
      ZipEntry stored = new ZipEntry(head.getName());
      CRC32 sum = new CRC32();
      sum.update(bytes);
      stored.setMethod(ZipEntry.STORED);
      stored.setSize(bytes.length);
      stored.setCrc(sum.getValue());
      stored.setTimeLocal(head.getTimeLocal());
      out.putNextEntry(stored);
      out.write(bytes);
      out.closeEntry();
    }
  }

  /** A class without. */
  static byte[] slim(byte[] file) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(file).accept(new OfClass(writer), 0);
    return writer.toByteArray();
  }

  private static boolean isNote(String descriptor) {
    return descriptor.startsWith(NOTES);
  }

  private static IllegalArgumentException unknown(Attribute attribute) {
    return new IllegalArgumentException(
        "attribute " + attribute.type + " may refer to what moves; teach SlimJar what it is");
  }

  private static final class OfClass extends ClassVisitor {
    OfClass(ClassVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      throw unknown(attribute);
    }

    @Override
    public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return isNote(descriptor) ? null : super.visitAnnotation(descriptor, visible);
    }

    @Override
    public @Nullable AnnotationVisitor visitTypeAnnotation(
        int type, @Nullable TypePath path, String descriptor, boolean visible) {
      return isNote(descriptor) ? null : super.visitTypeAnnotation(type, path, descriptor, visible);
    }

    @Override
    public FieldVisitor visitField(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        @Nullable Object value) {
      return new OfField(super.visitField(access, name, descriptor, signature, value));
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      return new OfMethod(super.visitMethod(access, name, descriptor, signature, exceptions));
    }
  }

  private static final class OfField extends FieldVisitor {
    OfField(FieldVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      throw unknown(attribute);
    }

    @Override
    public @Nullable AnnotationVisitor visitTypeAnnotation(
        int type, @Nullable TypePath path, String descriptor, boolean visible) {
      return isNote(descriptor) ? null : super.visitTypeAnnotation(type, path, descriptor, visible);
    }
  }

  private static final class OfMethod extends MethodVisitor {
    OfMethod(MethodVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitAttribute(Attribute attribute) {
      throw unknown(attribute);
    }

    @Override
    public @Nullable AnnotationVisitor visitTypeAnnotation(
        int type, @Nullable TypePath path, String descriptor, boolean visible) {
      return isNote(descriptor) ? null : super.visitTypeAnnotation(type, path, descriptor, visible);
    }

    @Override
    public @Nullable AnnotationVisitor visitInsnAnnotation(
        int type, @Nullable TypePath path, String descriptor, boolean visible) {
      return isNote(descriptor) ? null : super.visitInsnAnnotation(type, path, descriptor, visible);
    }

    @Override
    public void visitLocalVariable(
        String name,
        String descriptor,
        @Nullable String signature,
        Label start,
        Label end,
        int index) {
      // the JVM has no use for it
    }

    @Override
    public @Nullable AnnotationVisitor visitLocalVariableAnnotation(
        int type,
        @Nullable TypePath path,
        Label[] start,
        Label[] end,
        int[] index,
        String descriptor,
        boolean visible) {
      return null;
    }
  }
}
