// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.ScenarioRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A trace goes from an actor through a real Kafka broker to another actor. */
@OnOneJdk
class KafkaTest {
  private final Jdk jdk;

  KafkaTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void record_fromActorToActor_isInOneTrace() {
    try (KafkaBroker broker = KafkaBroker.start()) {
      ScenarioRun run =
          ScenarioRun.run(
              jdk,
              "kafka",
              List.of("kafka " + broker.address()),
              b -> b.deimos().classPath(Layout.kafkaClassPath()));
      run.assertTraces(
          "kafka",
          """
          process Begin at /user/front
            orders publish
              orders process
                process Done at /user/sink
            process Event at /user/front from /user/front
          """);
    }
  }
}
