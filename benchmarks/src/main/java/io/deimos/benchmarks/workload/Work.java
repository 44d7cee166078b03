// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

/** The message that is a class of the application's own. */
public final class Work {
  private final int number;

  public Work(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
