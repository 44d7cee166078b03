// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.field.FieldList;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes a class implement one of the recorder's field interfaces: a field for each method without
 * parameters, which reads it, and one setter that takes all of them in the order in which it names
 * them.
 *
 * <p>Works below Byte Buddy's own {@code defineField}, which the OpenTelemetry agent forbids. A
 * later retransformation adds the identical members again, as the JVM demands.
 */
final class AddedFields extends AsmVisitorWrapper.AbstractBase {
  private final Class<?> fields;

  AddedFields(Class<?> fields) {
    this.fields = fields;
  }

  @Override
  public ClassVisitor wrap(
      TypeDescription instrumentedType,
      ClassVisitor classVisitor,
      Implementation.Context implementationContext,
      TypePool typePool,
      FieldList<FieldDescription.InDefinedShape> fieldList,
      MethodList<?> methods,
      int writerFlags,
      int readerFlags) {
    return new Adder(classVisitor, fields, instrumentedType.getInternalName());
  }

  private static final class Adder extends ClassVisitor {
    private final Class<?> fields;
    private final String owner;

    Adder(ClassVisitor to, Class<?> fields, String owner) {
      super(Opcodes.ASM9, to);
      this.fields = fields;
      this.owner = owner;
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] interfaces) {
      List<String> all =
          new ArrayList<>(interfaces == null ? List.of() : Arrays.asList(interfaces));
      all.add(Type.getInternalName(fields));
      super.visit(version, access, name, signature, superName, all.toArray(new String[0]));
    }

    @Override
    public void visitEnd() {
      Map<String, Class<?>> added = new TreeMap<>(); // reflection has no order of its own
      Method setter = null;
      for (Method method : fields.getMethods()) {
        if (method.getParameterCount() == 0) {
          added.put(method.getName(), method.getReturnType());
        } else {
          setter = method;
        }
      }
      added.forEach(this::add);
      if (setter != null) {
        addSetter(setter, added);
      }
      super.visitEnd();
    }

    private void add(String name, Class<?> type) {
      Type asm = Type.getType(type);
      int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC;
      super.visitField(access, name, asm.getDescriptor(), null, null).visitEnd();
      MethodVisitor getter =
          super.visitMethod(
              Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC,
              name,
              Type.getMethodDescriptor(asm),
              null,
              null);
      getter.visitCode();
      getter.visitVarInsn(Opcodes.ALOAD, 0);
      getter.visitFieldInsn(Opcodes.GETFIELD, owner, name, asm.getDescriptor());
      getter.visitInsn(asm.getOpcode(Opcodes.IRETURN));
      getter.visitMaxs(asm.getSize(), 1);
      getter.visitEnd();
    }

    /** The setter's parameters are told apart by type, and by order among equal ones. */
    private void addSetter(Method setter, Map<String, Class<?>> added) {
      MethodVisitor code =
          super.visitMethod(
              Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC,
              setter.getName(),
              Type.getMethodDescriptor(setter),
              null,
              null);
      code.visitCode();
      int slot = 1;
      List<String> order = FieldOrder.of(fields);
      for (int i = 0; i < order.size(); i++) {
        String name = order.get(i);
        Class<?> type = added.get(name);
        if (type == null || type != setter.getParameterTypes()[i]) {
          throw new IllegalStateException(
              fields.getName() + ": parameter " + i + " of " + setter + " is not field " + name);
        }
        Type asm = Type.getType(type);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitVarInsn(asm.getOpcode(Opcodes.ILOAD), slot);
        code.visitFieldInsn(Opcodes.PUTFIELD, owner, name, asm.getDescriptor());
        slot += asm.getSize();
      }
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(3, slot);
      code.visitEnd();
    }
  }
}
