// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

/**
 * The woven parts that are on now, for hooks that ask for each event or element. Off, they do as if
 * they were not woven; what has begun ends. Written under {@code Recorder#ruleBy}'s lock, read by
 * any thread.
 */
public final class Parts {
  public static volatile boolean persistence = true;
  public static volatile boolean streams = true;
  public static volatile boolean stages = true;
  public static volatile boolean remote = true;

  private Parts() {}

  public static void rule(Rules rules) {
    persistence = rules.persistence();
    streams = rules.streams();
    stages = rules.stages();
    remote = rules.remote();
  }
}
