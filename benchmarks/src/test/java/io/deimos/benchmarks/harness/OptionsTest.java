// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void parse_nameAlone_usesTheAgentBesideTheFolder() {
    Options options = Options.parse(List.of("phases", "--home", "/x/benchmarks"));
    assertThat(options.name()).isEqualTo("phases");
    assertThat(options.agent()).isEqualTo(Path.of("/x/agent/target/deimos.jar"));
    assertThat(options.forksOr(5, 2)).isEqualTo(5);
  }

  @Test
  void parse_quickAndForks_forksWin() {
    Options options = Options.parse(List.of("peers", "--quick", "--forks", "3"));
    assertThat(options.quick()).isTrue();
    assertThat(options.forksOr(5, 1)).isEqualTo(3);
    assertThat(Options.parse(List.of("peers", "--quick")).forksOr(5, 1)).isEqualTo(1);
  }

  @Test
  void parse_modes_areSplitAtCommas() {
    assertThat(Options.parse(List.of("peers", "--modes", "none,sdk")).runs().modes())
        .containsExactly("none", "sdk");
  }

  @Test
  void parse_badForks_namesKeyAndValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(List.of("peers", "--forks", "many")))
        .withMessage("--forks=many: expected 1 or more");
  }

  @Test
  void parse_collector_isG1UnlessNamed() {
    assertThat(Options.parse(List.of("phases")).jvm().collector()).isEqualTo(Collector.G1);
    assertThat(Options.parse(List.of("phases", "--gc", "zgc")).jvm().collector())
        .isEqualTo(Collector.ZGC);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(List.of("phases", "--gc", "serial")))
        .withMessage("--gc=serial: expected g1, parallel, zgc");
  }

  @Test
  void parse_unknownOption_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(List.of("peers", "--fast")))
        .withMessageContaining("--fast");
  }

  @Test
  void parse_valueMissing_namesTheOption() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(List.of("peers", "--jdk")))
        .withMessageContaining("--jdk");
  }
}
