// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.recorder.Rooms;
import org.junit.jupiter.api.Test;

/** The knowledge of actors, traces and threads is kept in rooms that lead one way. */
class ArchitectureTest {
  @Test
  void rooms_references_areThoseDeclared() {
    Rooms.of("io.deimos.agent")
        .room("budget")
        .room("store", "budget settings span")
        .room("messages", "budget")
        .room("observer", "budget log messages span store")
        .room("logs", "budget")
        .room("profile")
        .room("check", "budget settings")
        .room("rules", "check log observer rules.actors rules.cluster settings")
        .room("rules.actors", "budget check messages observer settings")
        .room("rules.cluster", "check settings")
        .check();
  }
}
