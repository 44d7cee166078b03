// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UserHookTest {
  private static final List<String> RUN = new ArrayList<>();

  private final List<String> problems = new ArrayList<>();
  private final UserHook<BiPredicate<Object, Boolean>> hook =
      new UserHook<>(
          Wanted.class.getName(),
          Wanted.class::cast,
          "deimos.filter",
          "none is used",
          problems::add);

  @Test
  void find_classOfAnotherType_runsNothingOfIt() {
    hook.lookIn(getClass().getClassLoader());
    assertThat(hook.find(Stranger.class.getName())).isNull();
    assertThat(RUN).isEmpty();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .startsWith("deimos.filter=" + Stranger.class.getName())
        .contains("does not implement " + Wanted.class.getName());
  }

  @Test
  void find_classOfTheType_isMade() {
    hook.lookIn(getClass().getClassLoader());
    assertThat(hook.find(Mine.class.getName())).isInstanceOf(Mine.class);
    assertThat(problems).isEmpty();
  }

  /** As {@code TraceFilter} is. */
  interface Wanted extends BiPredicate<Object, Boolean> {}

  /** A filter. */
  static final class Mine implements Wanted {
    Mine() {}

    @Override
    public boolean test(@Nullable Object message, @Nullable Boolean other) {
      return true;
    }
  }

  /** Anything on the class path. */
  static final class Stranger {
    static {
      RUN.add("initialised");
    }

    Stranger() {
      RUN.add("made");
    }
  }
}
