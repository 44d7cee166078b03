// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ForksTest {
  @Test
  void flags_nameTheCollector_andAYoungSizeWhereItHasOne() {
    assertThat(flags("g1")).contains("-XX:+UseG1GC").contains("-Xmn1g");
    assertThat(flags("parallel")).contains("-XX:+UseParallelGC -XX:-UseAdaptiveSizePolicy");
    assertThat(flags("zgc")).contains("-XX:+UseZGC").doesNotContain("-Xmn");
  }

  private static String flags(String collector) {
    return new Forks(Options.parse(List.of("phases", "--gc", collector)), "2g", "1g").flags();
  }
}
