// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InterleavedTest {
  private final Deadline deadline = Deadline.of(Options.parse(List.of("phases")));
  private final List<String> order = new ArrayList<>();

  @Test
  void run_twoPasses_beginWithDifferentModes() {
    Interleaved interleaved = new Interleaved(List.of(Mode.plain("a"), Mode.plain("b")), deadline);
    interleaved.run("test", 2, this::succeed);
    assertThat(order).containsExactly("a", "b", "b", "a");
    assertThat(interleaved.results()).containsOnlyKeys("a", "b");
    assertThat(interleaved.missing()).isEmpty();
  }

  @Test
  void run_agentMissing_isReportedAndTheOthersRun() {
    Mode absent = Mode.agent("ours", Path.of("/nowhere/deimos.jar"), List.of());
    Interleaved interleaved = new Interleaved(List.of(Mode.plain("a"), absent), deadline);
    interleaved.run("test", 1, this::succeed);
    assertThat(interleaved.results()).containsOnlyKeys("a");
    assertThat(interleaved.missing()).containsEntry("ours", "not there: /nowhere/deimos.jar");
  }

  @Test
  void run_modeFailsOnce_isReportedAndNotTriedAgain() {
    Interleaved interleaved = new Interleaved(List.of(Mode.plain("a"), Mode.plain("b")), deadline);
    interleaved.run("test", 2, this::failA);
    assertThat(order).containsExactly("a", "b", "b");
    assertThat(interleaved.results()).containsOnlyKeys("b");
    assertThat(interleaved.missing()).containsEntry("a", "a: ended; its log");
  }

  private Map<String, Object> succeed(Mode mode) {
    order.add(mode.name());
    return Map.of();
  }

  private Map<String, Object> failA(Mode mode) throws ForkFailedException {
    order.add(mode.name());
    if (mode.name().equals("a")) {
      throw new ForkFailedException("a: ended; its log\nsecond line");
    }
    return Map.of();
  }
}
