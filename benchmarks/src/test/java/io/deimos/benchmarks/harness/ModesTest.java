// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ModesTest {
  private final Modes modes = new Modes(Path.of("/nowhere"), Path.of("/nowhere/deimos.jar"));

  @Test
  void mode_everyUsualName_isThere() {
    assertThat(Modes.OURS).allSatisfy(name -> assertThat(modes.mode(name).name()).isEqualTo(name));
    assertThat(Modes.PEERS).allSatisfy(name -> assertThat(modes.mode(name).name()).isEqualTo(name));
    assertThat(Modes.SCALE).allSatisfy(name -> assertThat(modes.mode(name).name()).isEqualTo(name));
  }

  @Test
  void mode_none_hasNothing() {
    assertThat(modes.mode("none").jvmFlags()).isEmpty();
    assertThat(modes.mode("none").files()).isEmpty();
  }

  @Test
  void mode_ours_needsTheAgentAndExportsNothing() {
    Mode full = modes.mode("full");
    assertThat(full.files()).containsExactly(Path.of("/nowhere/deimos.jar"));
    assertThat(full.jvmFlags())
        .contains("-javaagent:/nowhere/deimos.jar", "-Dotel.traces.exporter=none");
  }

  @Test
  void mode_peerNotFetched_needsAFileThatIsMissing() {
    assertThat(modes.mode("kamon").files()).anyMatch(file -> !file.toFile().exists());
    assertThat(modes.mode("sdk").files()).anyMatch(file -> !file.toFile().exists());
  }

  @Test
  void mode_unknown_namesAllThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> modes.mode("fast"))
        .withMessageContaining("--modes=fast")
        .withMessageContaining("datadog");
  }
}
