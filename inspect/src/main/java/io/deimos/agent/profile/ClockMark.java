// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Brings both clocks together: the flight recorder adds its own time. */
@Name(ClockMark.NAME)
@Label("Clock of Deimos")
@Description("The reading of the clock of Deimos' records, so that samples can be joined with them")
@Category("Deimos")
@StackTrace(false)
final class ClockMark extends Event {
  static final String NAME = "io.deimos.ClockMark";

  @Label("Reading")
  long reading;
}
