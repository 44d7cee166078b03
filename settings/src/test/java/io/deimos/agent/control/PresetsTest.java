// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReading.ChangeEntry;
import io.deimos.agent.settings.SettingsReading.ChangeLine;
import io.deimos.agent.settings.SettingsReading.HeldLine;
import io.deimos.agent.settings.SettingsReading.PresetLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Presets and changes that end by themselves, on a clock that the test turns. */
class PresetsTest {
  private static final String CLOSELY = "look-closely";
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  private final List<String> problems = new ArrayList<>();
  private final List<String> audit = new ArrayList<>();

  /** Near the end of its range, as a clock may be. */
  private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(100);

  private LiveSettings live = of(Map.of());

  private LiveSettings of(Map<String, String> properties) {
    return LiveSettings.read(
        properties,
        Map.of(),
        Layer.empty(),
        ClassLoader.getPlatformClassLoader(),
        problems::add,
        audit::add,
        () -> now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
    live.turn();
  }

  private <T> T value(Key<T> key) {
    return live.current().get(key);
  }

  private @Nullable String begin(String preset, @Nullable Duration during) {
    return live.change(new SettingsChange.Begin(preset, during), "Ada");
  }

  private @Nullable String set(Key<?> key, @Nullable String value, @Nullable Duration during) {
    return live.change(new SettingsChange.Set(key.name(), value, during), "Ada");
  }

  private @Nullable String end(String which) {
    return live.change(new SettingsChange.End(which), "Ada");
  }

  private SettingLine line(Key<?> key) {
    return live.lines().stream().filter(l -> l.name().equals(key.name())).findFirst().orElseThrow();
  }

  private PresetLine preset(String name) {
    return live.read().presets().stream()
        .filter(l -> l.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private ChangeEntry last() {
    return live.read().history().get(0);
  }

  @Test
  void lookClosely_holdsForFiveMinutesAndGoesBackByItself() {
    live = of(Map.of("deimos.tracing.tail.enabled", "true", "deimos.tracing.asks", "false"));
    Settings before = live.current();
    assertThat(begin(CLOSELY, null)).isNull();
    assertThat(value(Keys.TAIL)).isFalse();
    assertThat(value(Keys.ASKS)).isTrue();
    assertThat(value(Keys.LIFECYCLE)).isTrue();
    assertThat(value(Keys.STUCK_THRESHOLD)).isEqualTo(Duration.ofSeconds(1));
    assertThat(value(Keys.SAMPLING_MESSAGES).root().unwrapped()).isEqualTo(Map.of("*", 1));
    pass(FIVE_MINUTES.minusNanos(1));
    assertThat(live.presets()).extracting(ChangeLine::leftMillis).containsExactly(1L);
    assertThat(value(Keys.ASKS)).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(live.current()).isEqualTo(before);
    assertThat(live.presets()).isEmpty();
    assertThat(last().by()).isEqualTo("Deimos");
    assertThat(last().what()).isEqualTo("look-closely ended: its time was up");
    assertThat(problems).isEmpty();
    assertThat(audit)
        .contains(
            "preset look-closely began for 300s by Ada",
            "setting deimos.tracing.asks changed from false to true by the preset look-closely",
            "preset look-closely ended: its time was up",
            "setting deimos.tracing.asks changed from true to false by the end of preset"
                + " look-closely");
  }

  @Test
  void begin_forLessThanAMinute_endsThen() {
    assertThat(begin(CLOSELY, Duration.ofSeconds(30))).isNull();
    pass(Duration.ofSeconds(29));
    assertThat(value(Keys.LIFECYCLE)).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(value(Keys.LIFECYCLE)).isFalse();
  }

  @Test
  void turn_saysWhenItHasToComeBack() {
    assertThat(live.turn()).isEqualTo(Long.MAX_VALUE);
    begin(CLOSELY, FIVE_MINUTES);
    set(Keys.ASKS, "false", Duration.ofSeconds(7));
    assertThat(live.turn()).isEqualTo(TimeUnit.SECONDS.toNanos(7));
  }

  @Test
  void begin_ofWhatCannotChange_changesNothingAtAll() {
    live = of(Map.of("deimos.tracing.enabled", "false"));
    Settings before = live.current();
    assertThat(begin(CLOSELY, null))
        .contains("not all of them can be", "deimos.tracing.enabled", "deimos.control.weave-all");
    assertThat(live.current()).isEqualTo(before);
    assertThat(live.read().changes()).isEmpty();
    assertThat(live.read().history()).isEmpty();
    assertThat(audit).isEmpty();
    assertThat(preset(CLOSELY).refused()).contains("deimos.tracing.enabled");
    assertThat(preset("production").refused()).isEmpty();
    assertThat(begin("nothing", null)).contains("look-closely and production");
  }

  @Test
  void begin_whileNothingIsRecorded_saysWhatToTurnOn() {
    live.file(Layer.ofProperties(Map.of("deimos.enabled", "false")), "a file");
    assertThat(begin(CLOSELY, null)).contains("needs deimos.enabled=true");
  }

  @Test
  void begin_overAChangeOfTheUsers_givesItBack() {
    set(Keys.ASKS, "false", Duration.ofMinutes(10));
    set(Keys.STUCK_THRESHOLD, "3s", null);
    begin(CLOSELY, FIVE_MINUTES);
    assertThat(value(Keys.ASKS)).isTrue();
    pass(FIVE_MINUTES);
    assertThat(value(Keys.ASKS)).as("still for five minutes").isFalse();
    assertThat(value(Keys.STUCK_THRESHOLD)).isEqualTo(Duration.ofSeconds(3));
    pass(FIVE_MINUTES);
    assertThat(value(Keys.ASKS)).isTrue();
    assertThat(live.read().changes()).hasSize(1);
  }

  @Test
  void set_whileAPresetHolds_goesBeforeItAndOutlivesIt() {
    begin(CLOSELY, FIVE_MINUTES);
    assertThat(set(Keys.METRICS_USER, null, null)).as("nothing to take back").isNull();
    assertThat(set(Keys.LIFECYCLE, null, null))
        .isEqualTo(
            "deimos.tracing.lifecycle is held by the preset look-closely; end that, or set the"
                + " setting itself");
    set(Keys.LIFECYCLE, "false", Duration.ofMinutes(1));
    assertThat(value(Keys.LIFECYCLE)).isFalse();
    assertThat(line(Keys.LIFECYCLE).leftMillis()).isEqualTo(60_000);
    assertThat(line(Keys.LIFECYCLE).source()).isEqualTo("this page");
    pass(Duration.ofMinutes(1));
    assertThat(value(Keys.LIFECYCLE)).isTrue();
    assertThat(line(Keys.LIFECYCLE).source()).isEqualTo("preset look-closely");
    assertThat(line(Keys.LIFECYCLE).leftMillis()).isEqualTo(240_000);
    assertThat(line(Keys.LIFECYCLE).preset()).isEqualTo(CLOSELY);
    set(Keys.LIFECYCLE, "true", null);
    pass(FIVE_MINUTES);
    assertThat(value(Keys.LIFECYCLE)).isTrue();
    assertThat(line(Keys.LIFECYCLE).leftMillis()).isNull();
  }

  @Test
  void set_twiceForATime_theEarlierOneComesBack() {
    set(Keys.STUCK_THRESHOLD, "3s", Duration.ofMinutes(10));
    set(Keys.STUCK_THRESHOLD, "2s", Duration.ofMinutes(1));
    pass(Duration.ofMinutes(1));
    assertThat(value(Keys.STUCK_THRESHOLD)).isEqualTo(Duration.ofSeconds(3));
    assertThat(set(Keys.STUCK_THRESHOLD, "x", Duration.ofMinutes(1))).contains("is not a duration");
    assertThat(set(Keys.STUCK_THRESHOLD, null, null)).isNull();
    assertThat(value(Keys.STUCK_THRESHOLD)).isEqualTo(Duration.ofSeconds(10));
    assertThat(live.read().changes()).isEmpty();
  }

  @Test
  void file_whileAPresetHolds_holdsAfterIt() {
    begin(CLOSELY, FIVE_MINUTES);
    live.file(Layer.ofProperties(Map.of("deimos.stuck.threshold", "7s")), "a file");
    assertThat(value(Keys.STUCK_THRESHOLD)).isEqualTo(Duration.ofSeconds(1));
    live.file(Layer.ofProperties(Map.of("deimos.stuck.threshold", "500ms")), "a file");
    assertThat(value(Keys.STUCK_THRESHOLD)).as("stricter").isEqualTo(Duration.ofMillis(500));
    pass(FIVE_MINUTES);
    assertThat(value(Keys.STUCK_THRESHOLD)).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void production_ofAnOperatorsOwnLimits_loosensNone() {
    live =
        of(
            Map.of(
                "deimos.tracing.tail.keep", "0.001",
                "deimos.sampling.max-traces-per-second", "20",
                "deimos.forensics.log-per-second", "0",
                "deimos.forensics.records-per-second", "500"));
    assertThat(begin("production", null)).isNull();
    assertThat(value(Keys.TAIL)).isTrue();
    assertThat(value(Keys.TAIL_KEEP)).isEqualTo(0.001);
    assertThat(value(Keys.MAX_TRACES_PER_SECOND)).isEqualTo(20);
    assertThat(value(Keys.FORENSICS_LOG)).isZero();
    assertThat(value(Keys.FORENSICS_RECORDS)).isEqualTo(10);
    assertThat(line(Keys.MAX_TRACES_PER_SECOND).source()).isEqualTo("system property");
    pass(Duration.ofDays(365));
    assertThat(value(Keys.TAIL)).as("until it is ended").isTrue();
    assertThat(end("production")).isNull();
    assertThat(value(Keys.TAIL)).isFalse();
    assertThat(value(Keys.FORENSICS_RECORDS)).isEqualTo(500);
  }

  @Test
  void production_withoutALimit_setsOne() {
    begin("production", null);
    assertThat(value(Keys.MAX_TRACES_PER_SECOND)).isEqualTo(1_000);
  }

  @Test
  void lookClosely_overProduction_goesBackToIt() {
    begin("production", null);
    Settings production = live.current();
    begin(CLOSELY, FIVE_MINUTES);
    assertThat(value(Keys.TAIL)).isFalse();
    assertThat(value(Keys.MAX_TRACES_PER_SECOND)).as("a limit stays").isEqualTo(1_000);
    begin(CLOSELY, Duration.ofMinutes(1));
    assertThat(live.presets()).extracting(ChangeLine::leftMillis).containsExactly(null, 60_000L);
    pass(Duration.ofMinutes(1));
    assertThat(live.current()).isEqualTo(production);
    begin(CLOSELY, FIVE_MINUTES);
    begin("production", null);
    assertThat(live.current()).isEqualTo(production);
    assertThat(live.presets()).extracting(ChangeLine::preset).containsExactly("production");
    assertThat(last().what())
        .isEqualTo("production began, in place of production, in place of look-closely");
  }

  @Test
  void end_byNumberOrName_endsNow() {
    begin(CLOSELY, FIVE_MINUTES);
    set(Keys.ASKS, "false", FIVE_MINUTES);
    assertThat(end(Long.toString(live.read().changes().get(1).number()))).isNull();
    assertThat(value(Keys.ASKS)).isTrue();
    assertThat(end(CLOSELY)).isNull();
    assertThat(value(Keys.LIFECYCLE)).isFalse();
    assertThat(end(CLOSELY))
        .isEqualTo("there is no change look-closely now; it may have ended by itself");
  }

  @Test
  void history_ofWhatChangedNoValue_hasItToo() {
    begin("production", null);
    begin("production", Duration.ofMinutes(1));
    assertThat(last().what()).isEqualTo("production began for 60s");
    assertThat(last().by()).isEqualTo("Ada");
    assertThat(last().changed()).isEmpty();
    pass(Duration.ofMinutes(1));
    assertThat(last().what()).isEqualTo("production ended: its time was up");
    assertThat(live.read().history()).hasSize(3);
    for (int i = 0; i < 300; i++) {
      set(Keys.ASKS, Boolean.toString(i % 2 == 0), null);
    }
    assertThat(live.read().history()).hasSize(ChangeHistory.MOST);
    assertThat(last().changed()).hasSize(1);
    assertThat(last().changed().get(0).from()).isEqualTo("true");
  }

  @Test
  void history_ofTheControlFile_namesIt() {
    live.file(Layer.ofProperties(Map.of("deimos.tracing.asks", "false")), "live.conf");
    assertThat(last().by()).isEqualTo("the control file");
    assertThat(last().what()).isEqualTo("live.conf has changed");
    live.file(Layer.ofProperties(Map.of("deimos.tracing.asks", "no")), "live.conf");
    assertThat(live.read().history()).as("it changed no value").hasSize(1);
  }

  @Test
  void set_moreThanThereIsRoomFor_isRefused() {
    for (int i = 0; i < PageChanges.MAX_TIMED; i++) {
      assertThat(set(Keys.ASKS, "false", FIVE_MINUTES)).isNull();
    }
    assertThat(set(Keys.ASKS, "false", FIVE_MINUTES)).contains("64 changes");
    assertThat(begin(CLOSELY, null)).contains("64 changes");
    assertThat(set(Keys.ASKS, "false", null)).isNull();
    assertThat(live.read().changes()).hasSize(1);
  }

  @Test
  void preset_beforeItBegins_saysWhatItWouldChange() {
    assertThat(preset(CLOSELY).forMillis()).isEqualTo(300_000);
    assertThat(preset("production").forMillis()).isNull();
    assertThat(preset(CLOSELY).holds())
        .filteredOn(held -> !held.now().equals(held.then()))
        .extracting(HeldLine::key)
        .containsExactly(
            "deimos.sampling.messages",
            "deimos.tracing.lifecycle",
            "deimos.stuck.threshold",
            "deimos.starvation.threshold");
    begin(CLOSELY, null);
    assertThat(preset(CLOSELY).holds()).allMatch(held -> held.now().equals(held.then()));
  }

  @Test
  void turn_aRevertThatFails_isTriedAgain() {
    List<Settings> told = new ArrayList<>();
    int[] failures = {0};
    live.onChange(
        changed -> {
          if (failures[0]-- > 0) {
            throw new IllegalStateException("broken");
          }
        });
    live.onChange(told::add);
    begin(CLOSELY, FIVE_MINUTES);
    failures[0] = 2;
    now += FIVE_MINUTES.toNanos();
    assertThatIllegalStateException().isThrownBy(live::turn).withMessageContaining("broken");
    assertThat(told).as("the others are told").hasSize(2);
    assertThatIllegalStateException().isThrownBy(live::turn);
    assertThat(live.turn()).isEqualTo(Long.MAX_VALUE);
    assertThat(told).hasSize(4);
    assertThat(told.get(3).get(Keys.LIFECYCLE)).isFalse();
    live.turn();
    assertThat(told).hasSize(4);
    assertThat(live.read().history()).hasSize(2);
  }

  @Test
  void change_withoutSomebodyToEndIt_doesNotBegin() {
    live.wakes(
        () -> {
          throw new IllegalStateException("no thread");
        });
    assertThatIllegalStateException().isThrownBy(() -> begin(CLOSELY, null));
    assertThat(live.read().changes()).isEmpty();
    assertThat(live.current()).isEqualTo(Settings.defaults());
  }

  @Test
  void reverts_onTheRealClock_endWhatHasHadItsTime() throws Exception {
    LiveSettings real =
        LiveSettings.read(
            Map.of(),
            Map.of(),
            Layer.empty(),
            ClassLoader.getPlatformClassLoader(),
            known -> {},
            known -> {});
    CountDownLatch back = new CountDownLatch(2);
    int[] failures = {1};
    real.onChange(
        changed -> {
          if (!changed.get(Keys.LIFECYCLE)) {
            back.countDown();
            if (failures[0]-- > 0) {
              throw new IllegalStateException("broken");
            }
          }
        });
    Reverts.of(real);
    assertThat(real.change(new SettingsChange.Begin(CLOSELY, Duration.ofSeconds(1)), "Ada"))
        .isNull();
    assertThat(back.await(90, TimeUnit.SECONDS)).as("told again after it failed").isTrue();
    assertThat(real.current().get(Keys.LIFECYCLE)).isFalse();
  }
}
