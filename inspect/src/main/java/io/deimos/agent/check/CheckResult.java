// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import java.util.List;

/**
 * The findings of one moment.
 *
 * @param findings the worst first
 * @param rules how many rules have judged
 * @param knownMillis for how long the past is known by which rules judge
 */
public record CheckResult(
    long nowMillis, List<Finding> findings, int rules, long knownMillis, Left left) {
  /**
   * The rest.
   *
   * @param ignored findings that {@code deimos.check.ignore} names
   * @param findings beyond the bound
   * @param facts beyond the bound of their type, and numbers that found no room
   * @param failed rules and sources that failed
   * @param notLookedAt a sentence for each part that there was no time for
   */
  public record Left(int ignored, int findings, long facts, int failed, List<String> notLookedAt) {}
}
