// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.Settings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several settings that are changed together, for a purpose, under one name. Nothing of it is
 * written anywhere: it is laid over what holds otherwise, and taken away again.
 *
 * @param needs what has to be on, and is the operator's to turn on
 * @param otherwise how long it holds if nobody says; null for until somebody ends it
 */
record Preset(
    String name,
    String title,
    String does,
    String costs,
    @Nullable Duration otherwise,
    List<Key<Boolean>> needs,
    List<PresetRule> holds) {

  static final Preset LOOK_CLOSELY =
      new Preset(
          "look-closely",
          "Look closely",
          "records and exports every trace that begins in an actor, with asks, starts and restarts,"
              + " and tells of stuck actors after a second. Message classes and actors that were"
              + " turned off stay off, and deimos.sampling.max-traces-per-second still holds",
          "a record for each message, and spans of all of them to your collector",
          Duration.ofMinutes(5),
          List.of(Keys.ENABLED),
          List.of(
              PresetRule.set(Keys.TRACING, "true"),
              PresetRule.set(Keys.TRACING_USER, "true"),
              PresetRule.set(Keys.START_TRACES, "here"),
              PresetRule.added(Keys.SAMPLING_MESSAGES, "*", 1),
              PresetRule.set(Keys.TAIL, "false"),
              PresetRule.set(Keys.ASKS, "true"),
              PresetRule.set(Keys.LIFECYCLE, "true"),
              PresetRule.set(Keys.MESSAGE_EVENTS, "true"),
              PresetRule.set(Keys.FORENSICS, "true"),
              PresetRule.within(Keys.STUCK_THRESHOLD, Duration.ofSeconds(1)),
              PresetRule.within(Keys.STARVATION_THRESHOLD, Duration.ofMillis(200))));

  static final Preset PRODUCTION =
      new Preset(
          "production",
          "Production",
          "exports the traces in which something went wrong or was slow and one in a hundred of the"
              + " others, and sets limits. A limit of yours that is stricter stays",
          "less than without it",
          null,
          List.of(),
          List.of(
              PresetRule.set(Keys.TAIL, "true"),
              PresetRule.atMostOrNone(Keys.TAIL_KEEP, 0.01),
              PresetRule.atMost(Keys.MAX_TRACES_PER_SECOND, 1_000),
              PresetRule.set(Keys.TRACING_SYSTEM, "false"),
              PresetRule.set(Keys.METRICS_SYSTEM, "false"),
              PresetRule.set(Keys.LIFECYCLE, "false"),
              PresetRule.set(Keys.MESSAGE_EVENTS, "false"),
              PresetRule.atMostOrNone(Keys.FORENSICS_LOG, 1),
              PresetRule.atMostOrNone(Keys.FORENSICS_RECORDS, 10)));

  static final List<Preset> ALL = List.of(LOOK_CLOSELY, PRODUCTION);

  static @Nullable Preset named(String name) {
    return ALL.stream().filter(preset -> preset.name.equals(name)).findFirst().orElse(null);
  }

  /** Its values over these settings. */
  Layer over(Settings below) {
    Layer layer = Layer.empty();
    for (PresetRule hold : holds) {
      String value = hold.over().apply(below);
      if (value != null) {
        layer = layer.with(hold.key(), value);
      }
    }
    return layer;
  }
}
