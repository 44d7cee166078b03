// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import org.jspecify.annotations.Nullable;

/** The rules and the sampling in force. Replaced as a whole at any time; read by any thread. */
public final class InForce {
  private static volatile Rules rules = Rules.NONE;
  private static volatile Sampling sampling = Sampling.EVERY;

  private static volatile @Nullable RateLimit receivedLimit;

  private InForce() {}

  /** The rules in force for all actors. */
  public static Rules rules() {
    return rules;
  }

  /** How it is decided whether a trace that begins here is recorded. */
  public static Sampling sampling() {
    return sampling;
  }

  public static void ruleBy(Rules chosen) {
    rules = chosen;
    Parts.rule(chosen);
  }

  public static void sampleBy(Sampling chosen) {
    sampling = chosen;
  }

  /** How many traces that other nodes began are recorded each second; null for any number. */
  public static @Nullable RateLimit receivedLimit() {
    return receivedLimit;
  }

  public static void limitReceived(@Nullable RateLimit most) {
    receivedLimit = most;
  }
}
