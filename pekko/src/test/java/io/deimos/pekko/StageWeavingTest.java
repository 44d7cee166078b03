// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.pekko.feature.Features;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * {@code CompletableFuture} is woven as Byte Buddy would weave it. That it then works is for the
 * self-test.
 */
class StageWeavingTest {
  private static final String TYPE = Features.STAGES_TYPE;

  private static byte[] original() throws IOException {
    return Objects.requireNonNull(ClassFiles.of(ClassLoader.getSystemClassLoader()).read(TYPE));
  }

  /** The recorder's calls in each method, with the arguments that it sets. */
  private static Map<String, String> calls(byte[] woven) {
    Map<String, String> calls = new TreeMap<>();
    new ClassReader(woven)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String method,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  private boolean isOurs;

                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String name, String type, boolean isInterface) {
                    isOurs = owner.startsWith("io/deimos/recorder/");
                    if (isOurs) {
                      calls.merge(method + descriptor, " " + name + type, String::concat);
                    }
                  }

                  @Override
                  public void visitVarInsn(int opcode, int slot) {
                    if (isOurs) {
                      calls.merge(method + descriptor, " to " + slot, String::concat);
                    }
                    isOurs = false;
                  }
                };
              }
            },
            0);
    return calls;
  }

  @Test
  void weave_allHooks_callsWhatByteBuddyWovenOnesCall() throws IOException {
    Plan plan = new Plan(Toolkit.PEKKO, null, Features.STAGES);
    Map<String, String> calls = calls(StageWeaving.weave(original(), Features.STAGES));
    assertThat(calls).hasSize(Features.STAGES.size());
    assertThat(calls)
        .isEqualTo(
            calls(
                ClassWeaver.weave(
                    TYPE, original(), plan, ClassLoader.getSystemClassLoader(), null)));
  }

  @Test
  void weave_oneHook_leavesTheOtherMethodsAlone() throws IOException {
    byte[] woven = StageWeaving.weave(original(), List.of(Features.STAGES.get(0)));
    assertThat(calls(woven)).hasSize(1);
  }
}
