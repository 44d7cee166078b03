// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.actors.Sampling;
import io.deimos.recorder.counts.Mailboxes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Puts settings in force in the recorder: when the JVM starts, when an actor system starts, and
 * when they change. Safe for any thread.
 */
public final class Control {
  private static final Sampling NOTHING = new Sampling(Sampling.NEVER, 0);

  private final Consumer<String> problems;
  private final Map<String, List<PathRule>> bySystem = new HashMap<>();
  private final UserHook<BiPredicate<Object, Boolean>> filters;
  private final UserHook<BiFunction<Object, String, @Nullable String>> redactors;
  private Settings asked;
  private UnaryOperator<Settings> reduced = UnaryOperator.identity();

  /** The wishes, reduced. */
  private Settings settings;

  private Sampling configured = new Sampling(Sampling.ALWAYS, 0);

  /** How many times as many traces may come from other nodes as may begin here. */
  private static final double RECEIVED = 10;

  private @Nullable RateLimit limit;
  private double limitPerSecond;
  private @Nullable PatternWatch watch;

  public Control(Settings settings, Consumer<String> problems) {
    this.asked = settings;
    this.settings = settings;
    this.problems = problems;
    this.filters =
        new UserHook<>(
            "io.deimos.api.TraceFilter",
            Control::asFilter,
            Keys.FILTER.name(),
            "no filter is used",
            problems);
    this.redactors =
        new UserHook<>(
            "io.deimos.api.ContentRedactor",
            Control::asRedactor,
            Keys.CONTENT_REDACTOR.name(),
            "no content of messages is recorded",
            problems);
    apply();
  }

  /** The sampler that OpenTelemetry's settings name, which all traces pass that are not ruled. */
  public synchronized void sampleBy(Sampling sampler) {
    configured = sampler;
    apply();
  }

  /** Settings have changed. */
  public synchronized void settings(Settings changed) {
    asked = changed;
    apply();
  }

  /** From now on settings are in force as this makes them of what is asked for. */
  public synchronized void reduceBy(UnaryOperator<Settings> made) {
    reduced = made;
    apply();
  }

  /**
   * An actor system is about to make its first actor.
   *
   * @param deployment its {@code pekko.actor.deployment} as JSON, or null
   * @param loader its class loader, in which the user's filter is looked for
   */
  public synchronized void system(
      String name, @Nullable String deployment, @Nullable ClassLoader loader) {
    List<PathRule> rules = PathRules.ofDeployment(deployment, problems);
    boolean changed = !rules.equals(bySystem.getOrDefault(name, List.of()));
    bySystem.put(name, rules);
    changed |= filters.lookIn(loader);
    changed |= redactors.lookIn(loader);
    if (changed) {
      apply();
    }
  }

  private void apply() {
    settings = reduced.apply(asked);
    double perSecond = settings.get(Keys.MAX_TRACES_PER_SECOND);
    if (perSecond != limitPerSecond) {
      limitPerSecond = perSecond;
      limit = perSecond > 0 ? new RateLimit(perSecond) : null;
      Recorder.limitReceived(perSecond > 0 ? new RateLimit(RECEIVED * perSecond) : null);
    }
    BiPredicate<Object, Boolean> filter = filters.find(settings.get(Keys.FILTER));
    MessageEvents.turn(settings.get(Keys.MESSAGE_EVENTS));
    Mailboxes.measure(settings.get(Keys.MAILBOX_SIZES));
    // Without spans the clock is not read for them either.
    Recorder.sampleBy(
        settings.enabled() && settings.tracing() ? configured.limitedBy(limit) : NOTHING);
    ContentRules content = content(settings.get(Keys.CONTENT_REDACTOR));
    Recorder.ruleBy(
        new SettingsRules(settings, bySystem, filter, content, limit, watch(), problems));
  }

  private PatternWatch watch() {
    PatternWatch now = watch;
    if (now == null || !now.isOf(settings)) {
      if (now != null) {
        now.replace();
      }
      now = new PatternWatch(settings);
      now.start(problems);
      watch = now;
    }
    return now;
  }

  private ContentRules content(String redactor) {
    BiFunction<Object, String, @Nullable String> found = redactors.find(redactor);
    return redactors.isMissing(redactor) ? ContentRules.none() : ContentRules.of(settings, found);
  }

  @SuppressWarnings("unchecked") // TraceFilter extends BiPredicate<Object, Boolean>
  private static BiPredicate<Object, Boolean> asFilter(Object filter) {
    ClassBoundReference<BiPredicate<Object, Boolean>> users =
        new ClassBoundReference<>((BiPredicate<Object, Boolean>) filter);
    return (message, begun) -> {
      BiPredicate<Object, Boolean> there = users.get();
      return there == null || there.test(message, begun);
    };
  }

  @SuppressWarnings("unchecked") // ContentRedactor extends BiFunction<Object, String, String>
  private static BiFunction<Object, String, @Nullable String> asRedactor(Object redactor) {
    ClassBoundReference<BiFunction<Object, String, @Nullable String>> users =
        new ClassBoundReference<>((BiFunction<Object, String, @Nullable String>) redactor);
    return (message, text) -> {
      BiFunction<Object, String, @Nullable String> there = users.get();
      return there == null ? null : there.apply(message, text);
    };
  }
}
