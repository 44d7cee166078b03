// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A router hands messages on and makes no span of its own. */
@Tag("quick")
@OnEachJdk
class RouterTest {
  private final ScenarioRun run;

  RouterTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void pool_routees_chain() {
    run.assertTraces("router-pool", TWO_OF_A_POOL);
  }

  @Test
  void balancingPool_routees_chain() {
    run.assertTraces("router-balancing", TWO_OF_A_POOL);
  }

  @Test
  void hashingPool_routees_chain() {
    run.assertTraces("router-hashing", TWO_OF_A_POOL);
  }

  private static final String TWO_OF_A_POOL =
      """
      process Begin at /user/front
        process Work at /user/pool/$ from /user/front
          process Done at /user/front from /user/pool/$
        process Work at /user/pool/$ from /user/front
          process Done at /user/front from /user/pool/$
      """;

  @Test
  void group_routees_chain() {
    run.assertTraces(
        "router-group",
        """
        process Begin at /user/front
          process Work at /user/one from /user/front
            process Done at /user/front from /user/one
          process Work at /user/two from /user/front
            process Done at /user/front from /user/two
        """);
  }

  @Test
  void broadcast_eachRoutee_isAChildOfTheSender() {
    run.assertTraces(
        "router-broadcast",
        """
        process Begin at /user/front
          process Work at /user/pool/$ from /user/front
            process Done at /user/front from /user/pool/$
          process Work at /user/pool/$ from /user/front
            process Done at /user/front from /user/pool/$
          process Work at /user/pool/$ from /user/front
            process Done at /user/front from /user/pool/$
        """);
  }
}
