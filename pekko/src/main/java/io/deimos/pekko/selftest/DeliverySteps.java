// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.ContextFields;
import io.deimos.recorder.Probe;
import io.deimos.recorder.RareHook;
import org.apache.pekko.actor.typed.delivery.ConsumerController.SequencedMessage;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;

/** A message of reliable delivery, and the copy that is sent when the first got lost. */
final class DeliverySteps {
  private DeliverySteps() {}

  static void run(Steps steps) {
    steps.check(
        "ConsumerController$SequencedMessage.<init>",
        () -> steps.inActor(c -> fields(message()).deimos$trace() != null));
    steps.check(
        "ConsumerController$SequencedMessage.asFirst",
        () ->
            steps.inActor(
                c -> {
                  SequencedMessage<?> message = message();
                  Probe.giveContext(fields(message));
                  SequencedMessage<?>[] copy = new SequencedMessage<?>[1];
                  Steps.onPlainThread(() -> copy[0] = message.asFirst());
                  return fields(copy[0]).deimos$trace() != null;
                }));
  }

  static void sharded(Steps steps) {
    steps.check(
        "ShardingEnvelope.<init>",
        () -> {
          ShardingEnvelope<?> wrapped = new ShardingEnvelope<>("self-test", message());
          return wrapped.message() != null && RareHook.WRAPPED.hasFired();
        });
  }

  private static SequencedMessage<?> message() {
    return new SequencedMessage<>("self-test", 1, "", false, false, null);
  }

  private static ContextFields fields(SequencedMessage<?> message) {
    return (ContextFields) (Object) message;
  }
}
