// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.dispatch.Envelope;
import org.junit.jupiter.api.Test;

/** A Pekko that was loaded before the agent is left alone, and no other because of it. */
class TooLateTest {
  private static final String CELL = ActorCell.class.getName();
  private static final String ENVELOPE = Envelope.class.getName();

  private final List<String> problems = new ArrayList<>();
  private final PekkoWeaver weaver =
      new PekkoWeaver(
          Toolkit.PEKKO,
          problems::add,
          new PekkoWeaver.Choice(false, 0, false, false, false, false, false));

  private static ClassLoader loader() {
    return new URLClassLoader(new URL[0], TooLateTest.class.getClassLoader());
  }

  @Test
  void classesLoadedBefore_byOneLoader_areLeftAloneThereAndToldOnce() {
    ClassLoader late = loader();
    assertThat(weaver.mayWeave(CELL, late, ActorCell.class)).isFalse();
    assertThat(weaver.mayWeave(ENVELOPE, late, Envelope.class)).isFalse();
    assertThat(weaver.mayWeave(ENVELOPE, late, null)).as("loaded later").isFalse();
    assertThat(problems)
        .singleElement()
        .asString()
        .contains("class " + CELL + " was loaded before the agent", "-javaagent");

    ClassLoader early = loader();
    assertThat(weaver.mayWeave(CELL, early, null)).isTrue();
    assertThat(weaver.mayWeave(ENVELOPE, early, null)).isTrue();
    assertThat(problems).hasSize(1);
  }

  @Test
  void classesLoadedBefore_byTheBootstrapLoader_areLeftAloneThere() {
    assertThat(weaver.mayWeave(CELL, null, ActorCell.class)).isFalse();
    assertThat(weaver.mayWeave(ENVELOPE, null, null)).isFalse();
    assertThat(weaver.mayWeave(CELL, loader(), null)).isTrue();
  }
}
