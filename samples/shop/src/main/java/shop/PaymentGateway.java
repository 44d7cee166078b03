// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.OneForOneStrategy;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.japi.pf.DeciderBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door to payments: forwards charges to its {@link PaymentActor} and restarts it when it fails.
 */
final class PaymentGateway extends AbstractActor {
  private static final Logger log = LoggerFactory.getLogger(PaymentGateway.class);
  private static final boolean WITHOUT_PEKKOS_LOG = false;

  private final ActorRef worker;

  private PaymentGateway(CardNetwork network, Duration connectTime) {
    worker = getContext().actorOf(PaymentActor.props(network, connectTime), "worker");
  }

  static Props props(CardNetwork network, Duration connectTime) {
    return Props.create(PaymentGateway.class, () -> new PaymentGateway(network, connectTime));
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(PaymentActor.Charge.class, charge -> worker.forward(charge, getContext()))
        .build();
  }

  /** Restarts as often as the connection breaks, with one line of log instead of a stack trace. */
  @Override
  public SupervisorStrategy supervisorStrategy() {
    return new OneForOneStrategy(
        WITHOUT_PEKKOS_LOG,
        DeciderBuilder.match(CardNetworkException.class, PaymentGateway::restart)
            .matchAny(failure -> SupervisorStrategy.escalate())
            .build());
  }

  private static SupervisorStrategy.Directive restart(CardNetworkException failure) {
    log.warn("payment failed, connecting anew: {}", failure.getMessage());
    return SupervisorStrategy.restart();
  }
}
