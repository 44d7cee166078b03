// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.SettingsReader;
import io.deimos.agent.settings.SettingsReading.ChangeLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The changes made on the page that hold, in their order. A later change lies over an earlier one;
 * when it ends, what is below it shows again. So no value has to be kept to go back to, and what
 * the control file says meanwhile is not lost. Immutable.
 *
 * <p>A setting has one change without an end at most. There is at most one preset with an end, and
 * one without.
 */
record PageChanges(List<Change> all, long made) {
  /** How many that end by themselves there may be. */
  static final int MAX_TIMED = 64;

  static final PageChanges NONE = new PageChanges(List.of(), 0);

  /**
   * One of them.
   *
   * @param preset null for a single setting, which has {@code key} and {@code value}
   * @param isTimed whether it ends by itself, at {@code endNanos}
   */
  record Change(
      long number,
      @Nullable Preset preset,
      @Nullable Key<?> key,
      String value,
      boolean isTimed,
      long endNanos,
      long sinceMillis,
      String by) {
    boolean isOf(Key<?> asked) {
      return asked.equals(key);
    }

    /** How messages call it. */
    String shown() {
      return preset != null ? preset.name() : key == null ? "" : key.name() + "=" + value;
    }

    Layer over(List<Layer> below) {
      if (preset != null) {
        return preset.over(new SettingsReader(below, known -> {}).read());
      }
      return key == null ? Layer.empty() : Layer.empty().with(key, value);
    }

    /** Null if it does not end by itself. */
    @Nullable Long leftMillis(long nowNanos) {
      return isTimed ? Math.max(0, (endNanos - nowNanos + 999_999) / 1_000_000) : null;
    }

    ChangeLine line(long nowNanos) {
      return new ChangeLine(
          number,
          preset == null ? "" : preset.name(),
          key == null ? "" : key.name(),
          value,
          sinceMillis,
          leftMillis(nowNanos),
          by);
    }
  }

  /** With one more, over all others. */
  PageChanges with(Change change) {
    List<Change> more = new ArrayList<>(all);
    more.add(change);
    return new PageChanges(List.copyOf(more), change.number());
  }

  PageChanges without(Predicate<Change> ended) {
    return new PageChanges(all.stream().filter(ended.negate()).toList(), made);
  }

  /** Whether there is no room for one more that ends by itself. */
  boolean areFull() {
    return all.stream().filter(Change::isTimed).count() >= MAX_TIMED;
  }

  /** The one whose time was up first; null if there is none. */
  @Nullable Change due(long nowNanos) {
    Change first = null;
    for (Change change : all) {
      if (change.isTimed()
          && change.endNanos() - nowNanos <= 0
          && (first == null || change.endNanos() - first.endNanos() < 0)) {
        first = change;
      }
    }
    return first;
  }

  /** In how many nanoseconds the next one ends; the greatest number if none does by itself. */
  long nextNanos(long nowNanos) {
    return all.stream()
        .filter(Change::isTimed)
        .mapToLong(change -> Math.max(0, change.endNanos() - nowNanos))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /**
   * The change that gives a setting its value; null if none does.
   *
   * @param layers of these changes, as {@link #over} has made them
   */
  @Nullable Change giver(Key<?> key, List<Layer> layers) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (layers.get(i).given(key) != null) {
        return all.get(i);
      }
    }
    return null;
  }

  /** All layers, those of others first, the weakest first. */
  List<Layer> layers(List<Layer> below) {
    List<Layer> layers = new ArrayList<>(below);
    layers.addAll(over(below));
    return layers;
  }

  /** The layers of these changes over others, the weakest first. */
  List<Layer> over(List<Layer> below) {
    List<Layer> layers = new ArrayList<>(below);
    for (Change change : all) {
      layers.add(change.over(layers));
    }
    return layers.subList(below.size(), layers.size());
  }
}
