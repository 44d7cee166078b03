// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ArgumentsTest {
  @Test
  void integers_list_isSplit() {
    Arguments arguments = new Arguments(new String[] {"--sizes=3000,300000", "--name=a=b"});
    assertThat(arguments.integers("sizes", "1")).containsExactly(3000, 300000);
    assertThat(arguments.string("name", "")).isEqualTo("a=b");
    assertThat(arguments.integer("rounds", 7)).isEqualTo(7);
  }

  @Test
  void constructor_notAnOption_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Arguments(new String[] {"rounds=7"}))
        .withMessageContaining("rounds=7");
  }
}
