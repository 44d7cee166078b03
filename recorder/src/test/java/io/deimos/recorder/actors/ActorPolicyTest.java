// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActorPolicyTest {
  private static final RecordComponent[] COMPONENTS = ActorPolicy.class.getRecordComponents();

  /** A value of each type of a component, neither null nor false. */
  private static final Map<Class<?>, Object> VALUES =
      Map.ofEntries(
          Map.entry(boolean.class, true),
          Map.entry(Boolean.class, true),
          Map.entry(Sampling.class, Sampling.EVERY),
          Map.entry(MessagePatterns.class, new MessagePatterns(List.of("a.B"), List.of())));

  private static ActorPolicy of(Object... values) throws ReflectiveOperationException {
    Class<?>[] types =
        Arrays.stream(COMPONENTS).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Constructor<ActorPolicy> all = ActorPolicy.class.getDeclaredConstructor(types);
    return all.newInstance(values);
  }

  private static Object[] none() {
    return Arrays.stream(COMPONENTS)
        .map(component -> component.getType() == boolean.class ? false : null)
        .toArray();
  }

  @Test
  void of_whatIsTracedAndCounted_isTheSameObjectForEachActor() {
    for (boolean traced : List.of(true, false)) {
      for (boolean counted : List.of(true, false)) {
        assertThat(ActorPolicy.of(traced, counted))
            .isEqualTo(new ActorPolicy(traced, counted, true, null))
            .isSameAs(ActorPolicy.of(traced, counted));
      }
    }
  }

  /** It compares by itself, and a rule that changes in what it forgets would not be followed. */
  @Test
  void equals_oneComponentOfAnotherValue_isAnotherPolicy() throws ReflectiveOperationException {
    ActorPolicy base = of(none());
    assertThat(base).isEqualTo(of(none())).hasSameHashCodeAs(of(none()));
    for (int i = 0; i < COMPONENTS.length; i++) {
      Object[] values = none();
      values[i] = VALUES.get(COMPONENTS[i].getType());
      assertThat(values[i]).as("a value for %s", COMPONENTS[i]).isNotNull();
      assertThat(of(values))
          .as(COMPONENTS[i].getName())
          .isNotEqualTo(base)
          .isEqualTo(of(values.clone()))
          .hasSameHashCodeAs(of(values.clone()));
    }
  }
}
