// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

/** Asks the counting actor for the number of messages since it was last asked. */
public final class Collect {
  public static final Collect INSTANCE = new Collect();

  private Collect() {}
}
