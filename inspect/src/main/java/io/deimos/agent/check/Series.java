// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A number of the recent past: its values, the oldest first, and when each was noted. Immutable.
 */
public final class Series {
  public static final Series EMPTY = new Series(new long[0], new long[0]);

  private final long[] millis;
  private final long[] values;

  /**
   * @param millis since 1970, ascending
   */
  public Series(long[] millis, long[] values) {
    if (millis.length != values.length) {
      throw new IllegalArgumentException("each value has a time");
    }
    this.millis = millis.clone();
    this.values = values.clone();
  }

  /** Values at equal distances, the last one at a time; as tests make them. */
  public static Series every(Duration distance, long lastMillis, long... values) {
    long[] millis = new long[values.length];
    Arrays.setAll(millis, i -> lastMillis - (values.length - 1 - i) * distance.toMillis());
    return new Series(millis, values);
  }

  public int size() {
    return values.length;
  }

  public boolean isEmpty() {
    return values.length == 0;
  }

  /** The newest value; 0 if there is none. */
  public long last() {
    return values.length == 0 ? 0 : values[values.length - 1];
  }

  public long max() {
    return Arrays.stream(values).max().orElse(0);
  }

  public long min() {
    return Arrays.stream(values).min().orElse(0);
  }

  /** The time between the first value and the last. */
  public Duration length() {
    return Duration.ofMillis(isEmpty() ? 0 : millis[millis.length - 1] - millis[0]);
  }

  /** The newest part that is no longer than this. */
  public Series last(Duration time) {
    if (isEmpty()) {
      return this;
    }
    long from = millis[millis.length - 1] - time.toMillis();
    int first = Arrays.binarySearch(millis, from);
    return part(first < 0 ? -first - 1 : first, values.length);
  }

  /** One third of the values: 0 for the oldest, 2 for the newest. */
  public Series third(int number) {
    return part(values.length * number / 3, values.length * (number + 1) / 3);
  }

  private Series part(int from, int to) {
    return new Series(Arrays.copyOfRange(millis, from, to), Arrays.copyOfRange(values, from, to));
  }

  /** The newest value minus the first. */
  public long growth() {
    return isEmpty() ? 0 : last() - values[0];
  }

  /** How often a value was greater than the one before. */
  public int rises() {
    int rises = 0;
    for (int i = 1; i < values.length; i++) {
      rises += values[i] > values[i - 1] ? 1 : 0;
    }
    return rises;
  }

  /** The slope of the line that fits the values best, per second. */
  public double perSecond() {
    double meanTime = Arrays.stream(millis).average().orElse(0);
    double mean = Arrays.stream(values).average().orElse(0);
    double both = 0;
    double time = 0;
    for (int i = 0; i < values.length; i++) {
      both += (millis[i] - meanTime) * (values[i] - mean);
      time += (millis[i] - meanTime) * (millis[i] - meanTime);
    }
    return time == 0 ? 0 : both / time * 1000;
  }

  /** Its slope, with the error. */
  public Trend trend() {
    return Trend.of(millis, values);
  }

  /** Only the values that are not 0 and differ from the one before: those newly measured. */
  public Series changes() {
    int[] changed =
        IntStream.range(0, values.length)
            .filter(i -> values[i] != 0 && (i == 0 || values[i] != values[i - 1]))
            .toArray();
    return new Series(
        Arrays.stream(changed).mapToLong(i -> millis[i]).toArray(),
        Arrays.stream(changed).mapToLong(i -> values[i]).toArray());
  }

  /**
   * Since when it has been rising again and again, in milliseconds since 1970: the last rise that
   * came longer than this after the one before; 0 if it never rose.
   */
  public long risingSince(Duration pause) {
    long since = 0;
    for (int i = values.length - 1; i > 0; i--) {
      if (values[i] > values[i - 1]) {
        if (since != 0 && since - millis[i] > pause.toMillis()) {
          return since;
        }
        since = millis[i];
      }
    }
    return since;
  }

  /**
   * Since when it has been climbing, in milliseconds since 1970: the lowest value before which it
   * was clearly higher; 0 if there is none.
   */
  public long climbsSince() {
    long since = 0;
    long lowest = Long.MAX_VALUE;
    for (int i = values.length - 1; i >= 0; i--) {
      if (values[i] < lowest) {
        lowest = values[i];
        since = millis[i];
      } else if (values[i] > lowest + lowest / 4 + 10) {
        return since;
      }
    }
    return since;
  }

  /** Since when it has been at this value or above without a break; 0 if it is below. */
  public long atLeastSince(long value) {
    long since = 0;
    for (int i = values.length - 1; i >= 0 && values[i] >= value; i--) {
      since = millis[i];
    }
    return since;
  }

  /** How long the newest value is from the last rise; the whole length if it never rose. */
  public Duration sinceRise() {
    for (int i = values.length - 1; i > 0; i--) {
      if (values[i] > values[i - 1]) {
        return Duration.ofMillis(millis[millis.length - 1] - millis[i]);
      }
    }
    return length();
  }
}
