// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.recorder.Recorder;
import java.util.Map;

/** Gives what {@link Telemetry} loses. */
public final class TelemetrySource implements Source {
  private static final String RING_FULL = "ring-full";
  private static final String NO_MEMORY = "no-memory";

  @Override
  public void note(Past.Notes notes) {
    long noMemory = Recorder.droppedWithoutRing();
    notes.count(NO_MEMORY, "", noMemory);
    notes.count(RING_FULL, "", Recorder.dropped() - noMemory);
  }

  @Override
  public void look(Facts facts) {
    facts.add(
        new Telemetry(
            facts.past(RING_FULL, ""),
            facts.past(NO_MEMORY, ""),
            Map.copyOf(Recorder.foldedSeries())));
  }
}
