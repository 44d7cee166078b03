// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedLog;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.WireNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that puts another under quarantine counts and records it, and the other that it is. */
@Tag("quick")
class QuarantineTest {
  private static final String QUARANTINES = "pekko.remote.association.quarantined";

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "deimos", "classic"})
  void quarantine_ofAPeer_isCountedOnBothSides(String transport) {
    try (OtlpReceiver ofA = OtlpReceiver.start();
        OtlpReceiver ofB = OtlpReceiver.start();
        WireNode a = node("a", ofA).open(transport);
        WireNode b = node("b", ofB).open(transport)) {
      a.run(transport, "tell", b.address(transport));
      ofA.awaitPoints("the counter", QuarantineTest::isThere, Eventually.DEADLINE);
      assertThat(count(ofA.points(), "peer")).as("before").isZero();
      a.run(transport, "quarantine", b.address(transport));
      ofA.awaitPoints(
          "a peer's quarantine", points -> count(points, "peer") > 0, Eventually.DEADLINE);
      ofB.awaitPoints(
          "its own quarantine",
          points -> {
            b.run(transport, "poke", a.address(transport));
            return count(points, "this") > 0;
          },
          Eventually.DEADLINE);
      ofA.awaitLog(QUARANTINES, record -> says(record, "peer", b.address(transport)));
      ofB.awaitLog(QUARANTINES, record -> says(record, "this", a.address(transport)));
      assertThat(count(ofA.points(), "this")).isZero();
      assertThat(count(ofB.points(), "peer")).isZero();
    }
  }

  private static WireNode node(String name, OtlpReceiver receiver) {
    return WireNode.start(
        name, receiver, b -> b.form(name.equals("a")).logs().metricsEvery(Duration.ofMillis(500)));
  }

  private static boolean says(ReceivedLog record, String side, String peer) {
    return peer.equals(record.attributes().get("pekko.remote.peer"))
        && side.equals(record.attributes().get("pekko.remote.association.quarantined.side"));
  }

  private static boolean isThere(List<ReceivedPoint> points) {
    return points.stream().anyMatch(p -> p.name().equals(QUARANTINES));
  }

  private static double count(List<ReceivedPoint> points, String whose) {
    return points.stream()
        .filter(p -> p.name().equals(QUARANTINES))
        .filter(p -> whose.equals(p.attributes().get("pekko.remote.association.quarantined.side")))
        .mapToDouble(ReceivedPoint::value)
        .max()
        .orElse(0);
  }
}
