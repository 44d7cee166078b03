// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.recorder.Rooms;
import org.junit.jupiter.api.Test;

/** The page's rooms lead one way. */
class ArchitectureTest {
  @Test
  void rooms_references_areThoseDeclared() {
    Rooms.of("io.deimos.agent")
        .room("grpc")
        .room("nodes", "json", "observer", "otlp", "bootstrap", "store")
        .room(
            "page",
            "budget",
            "control",
            "grpc",
            "json",
            "log",
            "messages",
            "metrics",
            "nodes",
            "observer",
            "otlp",
            "profile",
            "settings",
            "span",
            "bootstrap",
            "store",
            "tail")
        .check();
  }
}
