// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

/**
 * How fast a number rises, by the line that fits it best, and how far that may be off.
 *
 * @param perSecond the slope; less than 0 if it falls
 * @param error half the width of the interval that has the slope with a confidence of 95 %
 */
public record Trend(double perSecond, double error) {
  /** Nothing is known. */
  public static final Trend NONE = new Trend(0, Double.POSITIVE_INFINITY);

  /** Fewer values, or a shorter time, say nothing. */
  private static final int LEAST_VALUES = 10;

  private static final double LEAST_SECONDS = 18;

  /** The variance of the slope that fits a random walk, by that of its steps. */
  private static final double OF_A_WALK = 1.2;

  /** Steps over so many values: what comes and goes from one value to the next is not in them. */
  private static final int LAG = 4;

  /**
   * Fits a line. The error is the greater of two: that of values with independent errors, and that
   * of a walk whose steps are independent. A queue is more like the latter: it may rise for long by
   * chance.
   */
  static Trend of(long[] millis, long[] values) {
    int n = values.length;
    double seconds = n == 0 ? 0 : (millis[n - 1] - millis[0]) / 1e3;
    if (n < LEAST_VALUES || seconds < LEAST_SECONDS) {
      return NONE;
    }
    double meanTime = 0;
    double mean = 0;
    for (int i = 0; i < n; i++) {
      meanTime += (millis[i] - millis[0]) / 1e3 / n;
      mean += (double) values[i] / n;
    }
    double both = 0;
    double time = 0;
    for (int i = 0; i < n; i++) {
      double at = (millis[i] - millis[0]) / 1e3 - meanTime;
      both += at * (values[i] - mean);
      time += at * at;
    }
    double slope = both / time;
    double distances = 0;
    double steps = 0;
    int lag = Math.min(LAG, n / 4);
    for (int i = 0; i < n; i++) {
      double at = (millis[i] - millis[0]) / 1e3 - meanTime;
      distances += square(values[i] - mean - slope * at);
      double after = i < lag ? 0 : (millis[i] - millis[i - lag]) / 1e3;
      if (after > 0) {
        steps += square(values[i] - values[i - lag] - slope * after) / after / (n - lag);
      }
    }
    double degrees = n - 2;
    double ofValues = distances / degrees / time;
    double ofWalk = OF_A_WALK * steps / seconds;
    return new Trend(slope, student(degrees) * Math.sqrt(Math.max(ofValues, ofWalk)));
  }

  private static double square(double number) {
    return number * number;
  }

  /** The quantile of Student's distribution, to a hundredth from eight degrees of freedom on. */
  private static double student(double degrees) {
    return 1.96 + 2.8 / degrees;
  }

  /** Whether it rises, and by more than its error. */
  public boolean rises() {
    return perSecond > error;
  }
}
