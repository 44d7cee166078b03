// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scala.runtime;

/** What Scala 3's library has of this name. */
public final class LazyVals {
  private LazyVals() {}

  /** Stands for a value that is being made. */
  public static final class Evaluating {}
}
