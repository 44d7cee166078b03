// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.bytebuddy.dynamic.ClassFileLocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class AkkaNamesTest {
  private static final ClassFileLocator OURS =
      ClassFileLocator.ForClassLoader.of(AkkaNamesTest.class.getClassLoader());

  /** Classes that are copied into Pekko or loaded beside it. */
  private static List<String> written() throws IOException, URISyntaxException {
    Path classes =
        Path.of(AkkaNames.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.matches("io.deimos.pekko.(advice|selftest|gauges).*class"))
          .map(name -> name.substring(0, name.lastIndexOf('.')))
          .toList();
    }
  }

  private static String text(byte[] classFile) {
    return new String(classFile, StandardCharsets.ISO_8859_1);
  }

  @Test
  void text_namesOfPekko_areAkkas() {
    assertThat(AkkaNames.text("org.apache.pekko.actor.Props")).isEqualTo("akka.actor.Props");
    assertThat(AkkaNames.text("pekko.actor.provider")).isEqualTo("akka.actor.provider");
    assertThat(AkkaNames.text("pekko")).isEqualTo("akka");
    assertThat(AkkaNames.text("org.apache.pekko.dispatch.MonitorableThreadFactory$PekkoThread"))
        .isEqualTo("akka.dispatch.MonitorableThreadFactory$AkkaThread");
    assertThat(AkkaNames.text("org$apache$pekko$actor$Cell$$field"))
        .isEqualTo("akka$actor$Cell$$field");
  }

  @Test
  void text_anythingElse_isItself() {
    assertThat(AkkaNames.text("io.deimos.pekko.advice.CellAdvice"))
        .isEqualTo("io.deimos.pekko.advice.CellAdvice");
    assertThat(AkkaNames.text("on this version of Pekko")).isEqualTo("on this version of Pekko");
  }

  @Test
  void classFile_allThatIsWrittenForPekko_namesNothingOfIt() throws Exception {
    for (String type : written()) {
      String akkas = text(AkkaNames.classFile(OURS.locate(type).resolve()));
      assertThat(akkas).as(type).doesNotContain("apache/pekko", "apache.pekko", "apache$pekko");
    }
  }

  /**
   * A switch has the hash codes of the names as they were compiled. The compiler's own, for lambdas
   * that somebody deserialises, is never run.
   */
  @Test
  void classFile_allThatIsWrittenForPekko_switchesOverNoNameOfIt() throws Exception {
    for (String type : written()) {
      new ClassReader(OURS.locate(type).resolve())
          .accept(
              new ClassVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] thrown) {
                  return name.equals("$deserializeLambda$")
                      ? null
                      : new NoSwitch(type + "." + name);
                }
              },
              ClassReader.SKIP_DEBUG);
    }
  }

  private static final class NoSwitch extends MethodVisitor {
    private final String method;
    private boolean hashes;
    private boolean names;

    NoSwitch(String method) {
      super(Opcodes.ASM9);
      this.method = method;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      hashes |= owner.equals("java/lang/String") && name.equals("hashCode");
    }

    @Override
    public void visitLdcInsn(Object value) {
      names |= value instanceof String text && !AkkaNames.text(text).equals(text);
    }

    @Override
    public void visitEnd() {
      assertThat(hashes && names).as(method).isFalse();
    }
  }
}
