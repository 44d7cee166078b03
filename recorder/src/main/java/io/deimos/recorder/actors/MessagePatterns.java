// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.List;

/**
 * The messages of some actors that get spans, by patterns of the names of their classes.
 *
 * @param never those that get none
 * @param only if there are any, all others get none
 */
public record MessagePatterns(List<String> never, List<String> only) {
  /** {@link Marks#NEVER_TRACED}, or 0. */
  public int message(String className) {
    boolean isLeftOut =
        Globs.anyMatchesClass(never, className)
            || (!only.isEmpty() && !Globs.anyMatchesClass(only, className));
    return isLeftOut ? Marks.NEVER_TRACED : 0;
  }
}
