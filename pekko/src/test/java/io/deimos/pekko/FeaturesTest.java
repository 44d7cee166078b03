// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.pekko.feature.Features;
import io.deimos.pekko.feature.HookPoint;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FeaturesTest {
  private static List<HookPoint> all() {
    return Stream.concat(
            Features.ALL.stream().flatMap(feature -> feature.hooks().stream()),
            Features.STAGES.stream())
        .toList();
  }

  /** The methods that register a function with a future of this JDK; one more would go unseen. */
  @Test
  void stages_areAllThatTakeAFunction() {
    assertThat(Features.STAGES.stream().map(HookPoint::method))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(CompletableFuture.class.getDeclaredMethods())
                .filter(method -> method.getName().matches("(uni|bi|or).*Stage"))
                .filter(method -> method.getParameterCount() > 1)
                .map(Method::getName)
                .toList());
  }

  @Test
  void all_names_areUniqueButForFormsOfOneHook() {
    Set<String> names = new HashSet<>();
    String[] last = {""};
    assertThat(all())
        .allSatisfy(
            hook -> {
              assertThat(names.add(hook.name()) || hook.name().equals(last[0])).isTrue();
              last[0] = hook.name();
            });
  }

  @Test
  void all_adviceClasses_areThere() {
    ClassLoader loader = Features.class.getClassLoader();
    assertThat(all())
        .allSatisfy(
            hook ->
                assertThat(loader.getResource(hook.advice().replace('.', '/') + ".class"))
                    .as(hook.name())
                    .isNotNull());
  }

  @Test
  void fieldsOf_eachType_belongToOneFeatureAndHaveAnOrder() {
    Set<String> types = new HashSet<>();
    assertThat(Features.ALL)
        .flatMap(feature -> feature.fields().entrySet())
        .allSatisfy(
            fields -> {
              assertThat(types.add(fields.getKey())).as(fields.getKey()).isTrue();
              assertThat(FieldOrder.of(fields.getValue())).isNotEmpty();
            });
  }
}
