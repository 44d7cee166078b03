// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.recorder.Rooms;
import org.junit.jupiter.api.Test;

/** Records become spans and metrics in rooms that lead one way. */
class ArchitectureTest {
  @Test
  void rooms_references_areThoseDeclared() {
    Rooms.of("io.deimos.agent")
        .room("span", "control log")
        .room("context", "span")
        .room("json", "log")
        .room("tail", "settings")
        .room("tap", "span")
        .room("export", "span tail tap")
        .room("otlp", "control export json span")
        .room("metrics", "export settings span tail")
        .room("sdk", "export log metrics settings bootstrap tail")
        .check();
  }
}
