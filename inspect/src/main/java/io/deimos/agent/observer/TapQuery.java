// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.Globs;
import io.deimos.recorder.actors.PathPattern;
import org.jspecify.annotations.Nullable;

/**
 * The messages to come that a tap takes.
 *
 * @param messageClass with or without its package, {@code *} for any part; empty for any
 * @param to the path of who gets it, as {@code /user/payments/*}; null for any
 * @param count how many it takes, in [1, {@value #MAX_COUNT}]
 * @param perSecond how many of each second, in [1, {@value #MAX_PER_SECOND}]
 * @param seconds for how long, in [1, {@value #MAX_SECONDS}]
 */
public record TapQuery(
    String messageClass, @Nullable PathPattern to, int count, int perSecond, int seconds) {
  public static final int MAX_COUNT = 500;
  public static final int MAX_PER_SECOND = 100;
  public static final int MAX_SECONDS = 600;

  boolean isMessage(String name) {
    return messageClass.isEmpty() || Globs.matchesClass(messageClass, name);
  }

  boolean isTo(String path) {
    return to == null || to.matches(path);
  }
}
