// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageClassesTest {
  @Test
  void instances_many_areOfDistinctClasses() throws ReflectiveOperationException {
    Object[] instances = new MessageClasses().instances(1000);
    assertThat(Arrays.stream(instances).map(Object::getClass).distinct()).hasSize(1000);
    assertThat(instances[999].getClass().getSimpleName()).isEqualTo("Message0999");
  }

  @Test
  void instances_none_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new MessageClasses().instances(0));
  }
}
