// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.Rules;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ActorInsideTest {
  private static final ActorInside INSIDE =
      new ActorInside(List.of(), List.of(), "Card\n  number = 4711", false);

  private static @Nullable String shown(@Nullable ContentRule texts) {
    Rules rules =
        new Rules() {
          @Override
          public @Nullable ContentRule texts() {
            return texts;
          }
        };
    return INSIDE.shownBy(rules).state();
  }

  private static ContentRule by(@Nullable BiFunction<Object, String, @Nullable String> redactor) {
    return new ContentRule(true, 1, redactor);
  }

  @Test
  void state_withoutARedactor_isWhole() {
    assertThat(shown(by(null))).isEqualTo(INSIDE.state());
  }

  @Test
  void state_withARedactor_isWhatThatLeaves() {
    assertThat(shown(by((state, text) -> text.replaceAll("\\d", "#")))).endsWith("number = ####");
    assertThat(shown(by((state, text) -> null))).isNull();
    assertThat(
            shown(
                by(
                    (state, text) -> {
                      throw new IllegalStateException(text);
                    })))
        .startsWith("(redactor failed")
        .doesNotContain("4711");
    assertThat(shown(null)).as("the redactor could not be made").isNull();
  }
}
