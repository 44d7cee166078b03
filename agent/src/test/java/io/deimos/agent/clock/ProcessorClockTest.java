// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each JVM ends well, and all its readings lie between those of {@code nanoTime} around them. */
class ProcessorClockTest {
  private static final String NANO_TIME = "-Dclock.nano-time=true ";

  @TempDir private static Path folder;
  private static Path agent;

  @BeforeAll
  static void makeAgent() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", ClockStress.class.getName());
    attributes.putValue("Can-Redefine-Classes", "true");
    attributes.putValue("Can-Retransform-Classes", "true");
    agent = folder.resolve("agent.jar");
    try (OutputStream out = Files.newOutputStream(agent)) {
      new JarOutputStream(out, manifest).close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseG1GC -XX:+SafepointALot -XX:GuaranteedSafepointInterval=1",
        "-XX:+UseSerialGC -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN -XX:+StressCCP",
        "-XX:+UseParallelGC -XX:+VerifyBeforeGC -XX:-TieredCompilation",
        "-XX:+UseZGC -Xshare:off -XX:ReservedCodeCacheSize=8m",
        "-XX:+UseShenandoahGC -XX:-UseCompressedOops",
        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0",
      })
  void run_underStress_readsTheCounterWhereTheMachineHasOne(String flags) throws Exception {
    String answer = run(flags);
    if (!answer.equals("counter")) {
      assertThat(answer)
          .matches(
              "nanoTime: (it needs Linux on|the kernel's own clock is|the processor does not say"
                  + "|it needs Java 17, or 22|the processor's counter does not run evenly"
                  + "|this JVM does not compile|the processor's counter is not read by).*");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xint",
        "-Xcomp -XX:TieredStopAtLevel=1",
        NANO_TIME + "-XX:TieredStopAtLevel=1",
        NANO_TIME + "-XX:-Inline",
      })
  void run_withoutTheCompiler_readsNanoTimeOrTheCounter(String flags) throws Exception {
    assertThat(run(flags)).matches("counter|nanoTime: .*");
  }

  /** Returns the last line of what the program says. */
  private static String run(String flags) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:ErrorFile=" + folder.resolve("error.log"),
                "-XX:-CreateCoredumpOnCrash",
                "-javaagent:" + agent));
    command.addAll(List.of(flags.split(" ")));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ClockStress.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(flags + ": " + said).isZero();
    return said.strip().lines().reduce("", (before, line) -> line);
  }
}
