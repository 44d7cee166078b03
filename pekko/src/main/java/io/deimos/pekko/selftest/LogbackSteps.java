// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import ch.qos.logback.classic.LoggerContext;

/** A logger of Logback's that has nowhere to write to. */
final class LogbackSteps {
  private LogbackSteps() {}

  static void run(Steps steps) {
    LogSteps.check(
        steps,
        "logback.Logger.callAppenders",
        () -> new LoggerContext().getLogger(LogSteps.NAME).callAppenders(null));
  }
}
