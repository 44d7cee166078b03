// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import io.deimos.recorder.base.GuardConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of this process, checked: a value for each of {@link Keys}. Immutable. */
public final class Settings {
  private final Map<Key<?>, Object> values;
  private final Set<Key<?>> given;

  /**
   * @param values those that differ from the defaults, or are the same
   * @param given those that somebody gave
   */
  Settings(Map<Key<?>, Object> values, Set<Key<?>> given) {
    this.values = Map.copyOf(values);
    this.given = Set.copyOf(given);
  }

  /** The defaults. */
  public static Settings defaults() {
    return new Settings(Map.of(), Set.of());
  }

  /** The value of a setting. */
  @SuppressWarnings("unchecked") // the reader has put in what the key's kind made
  public <T> T get(Key<T> key) {
    Object value = values.get(key);
    return value == null ? key.otherwise() : (T) value;
  }

  /** Whether somebody gave the setting a value that can be used. */
  public boolean isGiven(Key<?> key) {
    return given.contains(key);
  }

  /** These settings, but for the one. */
  public <T> Settings with(Key<T> key, T value) {
    Map<Key<?>, Object> changed = new LinkedHashMap<>(values);
    changed.put(key, value);
    Set<Key<?>> all = new java.util.HashSet<>(given);
    all.add(key);
    return new Settings(changed, all);
  }

  /**
   * The parts that have to be woven under these settings: what is on, or, where {@link
   * Keys#WEAVE_ALL} says so, all that could be turned on while the application runs.
   */
  public Settings woven() {
    if (!get(Keys.WEAVE_ALL)) {
      return this;
    }
    Map<Key<?>, Object> woven = new LinkedHashMap<>(values);
    for (Key<?> key : Keys.all()) {
      if (key.when() == Key.When.IF_ON_AT_START) {
        woven.put(key, true);
      }
    }
    return new Settings(woven, given);
  }

  public boolean enabled() {
    return get(Keys.ENABLED);
  }

  public boolean tracing() {
    return get(Keys.TRACING);
  }

  public boolean metrics() {
    return get(Keys.METRICS);
  }

  /** Beyond what a trace does not go on. */
  public GuardConfig guard() {
    return new GuardConfig(
        get(Keys.GUARD_MAX_AGE).toNanos(), get(Keys.GUARD_MAX_DEPTH), get(Keys.GUARD_MAX_SPANS));
  }

  /** Where a summary is written when the JVM ends, or null. */
  public @Nullable String reportFile() {
    String file = get(Keys.REPORT_FILE);
    return file.isEmpty() ? null : file;
  }

  /** True if anything is recorded at all. */
  public boolean isOn() {
    return enabled() && (tracing() || metrics());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Settings settings
        && Keys.all().stream().allMatch(key -> get(key).equals(settings.get(key)));
  }

  @Override
  public int hashCode() {
    return Keys.all().stream().map(this::get).toList().hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
