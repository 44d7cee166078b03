// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;

/** Ends a command with one sentence for the user, or with none if all is said. */
final class Failure extends IOException {
  static final int FAILED = 1;
  static final int MISUSED = 2;

  private static final long serialVersionUID = 1;

  private final int code;

  private Failure(String sentence, int code) {
    super(sentence);
    this.code = code;
  }

  /** The command cannot do what it is asked for. */
  static Failure of(String sentence) {
    return new Failure(sentence, FAILED);
  }

  /** The command was written wrongly. */
  static Failure misuse(String sentence) {
    return new Failure(sentence, MISUSED);
  }

  /** The user has been told why. */
  static Failure told(int code) {
    return new Failure("", code);
  }

  /** The exit code. */
  int code() {
    return code;
  }

  /** Empty if all is said. */
  String sentence() {
    return String.valueOf(getMessage());
  }
}
