// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import org.apache.pekko.projection.internal.HandlerRecoveryImpl;
import org.apache.pekko.projection.internal.TelemetryProvider;

/**
 * Projections: each hook is called by itself, without an actor system, so that what follows it
 * fails. Else the user's own telemetry would hear of a projection that is none.
 */
final class ProjectionSteps {
  private ProjectionSteps() {}

  static void run(Steps steps) {
    steps.firesUnmade("TelemetryProvider$.start", () -> TelemetryProvider.start(null, null));
    HandlerRecoveryImpl<Object, Object> recovery =
        new HandlerRecoveryImpl<>(null, null, null, null, null);
    steps.fires("HandlerRecoveryImpl.<init>");
    steps.firesUnmade(
        "HandlerRecoveryImpl.applyRecovery",
        () -> recovery.applyRecovery("", "", "", null, null, null, null));
  }
}
