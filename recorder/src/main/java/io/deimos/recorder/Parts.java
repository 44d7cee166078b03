// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

/**
 * Which parts of what is woven are on now, for hooks that ask for each event or element. Off, they
 * do as if they were not woven; what has begun ends. Written under {@link Recorder#ruleBy}'s lock,
 * read by any thread.
 */
final class Parts {
  static volatile boolean persistence = true;
  static volatile boolean streams = true;
  static volatile boolean stages = true;
  static volatile boolean remote = true;

  private Parts() {}

  static void rule(Rules rules) {
    persistence = rules.persistence();
    streams = rules.streams();
    stages = rules.stages();
    remote = rules.remote();
  }
}
