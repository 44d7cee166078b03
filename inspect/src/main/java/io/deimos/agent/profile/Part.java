// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

/** The parts of the time of messages, all of it, and the memory that they take. */
enum Part {
  CPU(0),
  LOCK(1),
  IO(2),
  SLEEP(3),
  PARK(4),
  GC(5),
  WALL(6),
  ALLOCATION(7);

  static final int COUNT = 8;

  /** As the log of samples has it. */
  final int number;

  Part(int number) {
    this.number = number;
  }

  static Part of(int number) {
    for (Part part : values()) {
      if (part.number == number) {
        return part;
      }
    }
    throw new IllegalArgumentException("part " + number);
  }

  /** Whether the thread does nothing meanwhile, so that it counts by how long it is. */
  boolean isWait() {
    return this == LOCK || this == IO || this == SLEEP || this == PARK;
  }
}
