// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.woven.ContextFields;
import java.lang.reflect.Method;
import org.apache.pekko.actor.typed.delivery.ConsumerController.SequencedMessage;
import org.apache.pekko.actor.typed.delivery.internal.ConsumerControllerImpl;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import scala.Option;

/** A message of reliable delivery, and what is sent when the first got lost. */
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

  /** To another consumer on this node, or to another worker; both are Pekko's own business. */
  static void sentAgain(Steps steps) {
    steps.fires(
        "ConsumerControllerImpl.deliver",
        () -> {
          Object consumer = Unmade.of(ConsumerControllerImpl.class);
          for (Method method : ConsumerControllerImpl.class.getDeclaredMethods()) {
            if (method.getName().equals("deliver")) {
              method.setAccessible(true);
              PersistenceSteps.call(() -> method.invoke(consumer, null, message()));
            }
          }
        });
    steps.check(
        "WorkPullingProducerControllerImpl$Unconfirmed.<init>",
        () -> steps.inActor(c -> ((ContextFields) unconfirmed()).deimos$trace() != null));
    steps.fires(
        "WorkPullingProducerControllerImpl$Unconfirmed.msg",
        () -> {
          Object work = unconfirmed();
          work.getClass().getMethod("msg").invoke(work);
        });
  }

  private static Object unconfirmed() throws ReflectiveOperationException {
    Class<?> type =
        Class.forName(
            ConsumerControllerImpl.class
                .getName()
                .replace("ConsumerControllerImpl", "WorkPullingProducerControllerImpl$Unconfirmed"),
            true,
            ConsumerControllerImpl.class.getClassLoader());
    return type.getConstructors()[0].newInstance(1L, 1L, "", Option.empty());
  }

  static void sharded(Steps steps) {
    steps.fires("ShardingEnvelope.<init>", () -> new ShardingEnvelope<>("self-test", message()));
  }

  private static SequencedMessage<?> message() {
    return new SequencedMessage<>("self-test", 1, "", false, false, null);
  }

  private static ContextFields fields(SequencedMessage<?> message) {
    return (ContextFields) (Object) message;
  }
}
