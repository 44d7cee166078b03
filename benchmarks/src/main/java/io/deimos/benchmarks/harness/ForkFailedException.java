// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

/** A forked JVM gave no result; the message says why, as far as it told. */
final class ForkFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  ForkFailedException(String message) {
    super(message);
  }
}
