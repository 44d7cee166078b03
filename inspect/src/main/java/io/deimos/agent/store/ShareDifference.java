// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

/**
 * How far two shares differ for sure: the bound nearest to zero of Newcombe's hybrid score interval
 * for the difference of two independent shares, which is method 10 in R. G. Newcombe, "Interval
 * estimation for the difference between independent proportions: comparison of eleven methods",
 * Statistics in Medicine 17 (1998), 873-890. It is made of Wilson's score interval of each share,
 * so it holds for few traces and for shares of 0 and 1, too. A value that two of two traces have
 * differs less for sure than one that 150 of 200 have, and stands below it.
 *
 * <p>The level is 99.9 %, since thousands of values are compared at once: of a thousand that do not
 * differ, about one seems to. Nothing is certain of a value that fewer than {@value #MIN_TRACES}
 * traces of a side have: the interval is too short for so few.
 */
final class ShareDifference {
  /** So many standard deviations hold 99.9 % of a normal distribution. */
  private static final double Z = 3.2905;

  private static final int MIN_TRACES = 3;

  private ShareDifference() {}

  /**
   * The least difference; negative if the first share is the smaller one, 0 if they may be the
   * same.
   */
  static double certain(int one, int ofOne, int other, int ofOther) {
    return ofOne == 0 || ofOther == 0 || Math.max(one, other) < MIN_TRACES
        ? 0
        : certain(one, ofOne, other, ofOther, Z);
  }

  static double certain(int one, int ofOne, int other, int ofOther, double z) {
    double share = (double) one / ofOne;
    double otherShare = (double) other / ofOther;
    double difference = share - otherShare;
    double least =
        difference
            - Math.hypot(share - wilson(one, ofOne, -z), wilson(other, ofOther, z) - otherShare);
    double most =
        difference
            + Math.hypot(wilson(one, ofOne, z) - share, otherShare - wilson(other, ofOther, -z));
    return least > 0 ? least : Math.min(most, 0);
  }

  /** A bound of Wilson's score interval. */
  private static double wilson(int count, int of, double z) {
    double share = (double) count / of;
    double spread = z * Math.sqrt((share * (1 - share) + z * z / (4.0 * of)) / of);
    return (share + z * z / (2.0 * of) + spread) / (1 + z * z / of);
  }
}
