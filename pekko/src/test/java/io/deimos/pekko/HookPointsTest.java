// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HookPointsTest {
  @Test
  void all_names_areUnique() {
    Set<String> names = new HashSet<>();
    assertThat(HookPoints.ALL).allSatisfy(hook -> assertThat(names.add(hook.name())).isTrue());
  }

  @Test
  void all_adviceClasses_areThere() {
    ClassLoader loader = HookPoints.class.getClassLoader();
    assertThat(HookPoints.ALL)
        .allSatisfy(
            hook ->
                assertThat(loader.getResource(hook.advice().replace('.', '/') + ".class"))
                    .as(hook.name())
                    .isNotNull());
  }

  @Test
  void fieldsOf_eachType_belongToAFeatureAndHaveAnOrder() {
    assertThat(HookPoints.FIELDS.keySet()).isEqualTo(HookPoints.FIELD_FEATURES.keySet());
    assertThat(HookPoints.FIELDS.values())
        .allSatisfy(fields -> assertThat(FieldOrder.of(fields)).isNotEmpty());
  }
}
