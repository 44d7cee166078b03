// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import org.junit.jupiter.api.Test;

/** What reliable delivery sends again on one node, because a consumer left, is in its own trace. */
@OnEachJdk
class DeliveringTest {
  /** The first had the first job, and the second waited for its end; the second worker has both. */
  private static final String BOTH =
      """
      process Begin at /user/producer
        process Delivery at /user/leaving
        process Delivery at /user/staying
        process RequestNext at /user/producer
      process Begin at /user/producer
        process Delivery at /user/staying
        process RequestNext at /user/producer
      process Leave at /user/leaving
      process RequestNext at /user/producer
      """;

  private final ScenarioRun run;

  DeliveringTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void workPulling_workerThatLeft_anotherDoesItInTheSameTrace() {
    run.assertTraces("delivery-worker-left", BOTH);
  }

  @Test
  void pointToPoint_consumerThatLeft_anotherGetsItInTheSameTrace() {
    run.assertTraces("delivery-consumer-left", BOTH);
  }
}
