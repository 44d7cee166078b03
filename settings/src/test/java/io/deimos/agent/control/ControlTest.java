// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.actors.InForce;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlTest {
  private static final Settings ON = Settings.defaults().with(Keys.MESSAGE_EVENTS, true);
  private static final Settings OFF = ON.with(Keys.MESSAGE_EVENTS, false);

  private final List<String> problems = new ArrayList<>();
  private final Control control = new Control(ON, problems::add);

  @AfterEach
  void restore() {
    new Control(Settings.defaults(), problems::add).settings(Settings.defaults());
    assertThat(problems).isEmpty();
  }

  @Test
  void reduceBy_settingsThatAreInForce_areReduced() {
    control.reduceBy(asked -> asked.with(Keys.MESSAGE_EVENTS, false));
    assertThat(MessageEvents.areOn(null)).isFalse();
  }

  @Test
  void reduceBy_settingsThatChangeLater_areReduced() {
    control.reduceBy(asked -> asked.with(Keys.MESSAGE_EVENTS, false));
    control.settings(ON);
    assertThat(MessageEvents.areOn(null)).isFalse();
  }

  /** The last wish is in force, whoever comes between. */
  @Test
  void reduceBy_anotherWay_isOfWhatWasAskedForLast() {
    control.reduceBy(asked -> asked.with(Keys.MESSAGE_EVENTS, false));
    control.settings(OFF);
    control.settings(ON);
    control.reduceBy(asked -> asked);
    assertThat(MessageEvents.areOn(null)).isTrue();
  }

  /** Or a change that was reduced before could be put in force after what it does not know of. */
  @Test
  void reduceBy_eachTime_isUnderTheLock() {
    List<Boolean> held = new ArrayList<>();
    control.reduceBy(
        asked -> {
          held.add(Thread.holdsLock(control));
          return asked;
        });
    control.settings(OFF);
    assertThat(held).containsExactly(true, true);
  }

  @Test
  void content_redactorThatCannotBeMade_isOfNoMessage() {
    Settings shown =
        ON.with(Keys.CONTENT_MESSAGES, List.of("test.Order"))
            .with(Keys.CONTENT_STATE, List.of("test.Cart"));
    Control recording = new Control(shown, problems::add);
    recording.system("shop", null, ControlTest.class.getClassLoader());
    assertThat(InForce.rules().content("test.Order")).isNotNull();
    assertThat(InForce.rules().showsState("test.Cart")).isTrue();
    recording.settings(shown.with(Keys.CONTENT_REDACTOR, "test.NoSuchRedactor"));
    assertThat(InForce.rules().content("test.Order")).isNull();
    assertThat(InForce.rules().showsState("test.Cart")).isFalse();
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("deimos.content.redactor=test.NoSuchRedactor could not be made")
        .contains("so no content of messages is recorded; name a public class");
    problems.clear();
  }
}
