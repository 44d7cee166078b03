// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scala.runtime;

/** Stands for the class of this name in Scala 3's library. */
public final class LazyVals {
  private LazyVals() {}

  /** Stands for a value that is being made. */
  public static final class Evaluating {}
}
