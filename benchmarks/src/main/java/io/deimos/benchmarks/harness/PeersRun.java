// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code one-actor} and the main shape of {@code phases}, against other people's instrumentation.
 */
final class PeersRun {
  private final Options options;
  private final List<Mode> modes;

  PeersRun(Options options, List<Mode> modes) {
    this.options = options;
    this.modes = modes;
  }

  void runAndReport() throws IOException {
    Deadline deadline = Deadline.of(options);
    OneActorRun oneActor = new OneActorRun(options, modes, deadline.next());
    oneActor.measure(options.forksOr(5, 1));
    PhasesRun phases = new PhasesRun(options, modes, deadline);
    phases.measure(2, options.forksOr(5, 1), false);
    Report report = new Report(options).measuredBy(oneActor.allForks());
    System.out.print(oneActor.table(report.clockReadNanos()));
    System.out.print(phases.tables(report.clockReadNanos()));
    report.put("modes", oneActor.modes()).put("details", oneActor.details());
    report.put("phases", phases.mainShape());
    Map<String, String> missing = new LinkedHashMap<>(phases.missing());
    missing.putAll(oneActor.missing());
    report.finish(missing, "one-actor " + oneActor.flags() + "; phases " + phases.flags());
  }
}
