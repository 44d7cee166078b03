// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/**
 * Charges cards over one connection to the card network.
 *
 * <p>It begins connecting, and stashes charges until the connection stands. A charge is slow, but
 * no thread waits for it: the answer comes back as a message. When the connection breaks the actor
 * fails, its supervisor restarts it, and so it connects anew.
 */
final class PaymentActor extends AbstractActorWithStash {

  /** Charge the amount; answered by an {@link Answer} to the sender. */
  record Charge(String orderId, long amountCents) implements CborSerializable {}

  /** The outcome of a charge. */
  sealed interface Answer extends CborSerializable {}

  record Approved(String orderId) implements Answer {}

  record Declined(String orderId) implements Answer {}

  /** Nothing was charged, since the network could not be reached. */
  record Unavailable(String orderId, String reason) implements Answer {}

  private record Decided(Charge charge, boolean approved) {}

  private enum Connected {
    INSTANCE
  }

  private final CardNetwork network;
  private final Duration connectTime;

  private PaymentActor(CardNetwork network, Duration connectTime) {
    this.network = network;
    this.connectTime = connectTime;
  }

  static Props props(CardNetwork network, Duration connectTime) {
    return Props.create(PaymentActor.class, () -> new PaymentActor(network, connectTime));
  }

  @Override
  public void preStart() {
    later(connectTime, Connected.INSTANCE, getSelf());
  }

  @Override
  public void preRestart(Throwable reason, Optional<Object> message) throws Exception {
    message
        .filter(Charge.class::isInstance)
        .map(Charge.class::cast)
        .ifPresent(charge -> answer(new Unavailable(charge.orderId(), reason.getMessage())));
    super.preRestart(reason, message);
  }

  @Override
  public Receive createReceive() {
    return connecting();
  }

  private Receive connecting() {
    return receiveBuilder()
        .match(Charge.class, charge -> stash())
        .match(Decided.class, this::decided)
        .matchEquals(Connected.INSTANCE, connected -> startCharging())
        .build();
  }

  private Receive charging() {
    return receiveBuilder()
        .match(Charge.class, this::charge)
        .match(Decided.class, this::decided)
        .build();
  }

  private void startCharging() {
    getContext().become(charging());
    unstashAll();
  }

  private void charge(Charge charge) {
    CardNetwork.Authorisation authorisation =
        network.authorise(charge.orderId(), charge.amountCents());
    later(authorisation.latency(), new Decided(charge, authorisation.approved()), getSender());
  }

  private void decided(Decided decided) {
    String orderId = decided.charge().orderId();
    answer(decided.approved() ? new Approved(orderId) : new Declined(orderId));
  }

  private void answer(Answer answer) {
    getSender().tell(answer, getSelf());
  }

  /** Sends {@code message} to this actor after {@code delay}, as if {@code sender} had sent it. */
  private void later(Duration delay, Object message, ActorRef sender) {
    getContext()
        .getSystem()
        .scheduler()
        .scheduleOnce(delay, getSelf(), message, getContext().getDispatcher(), sender);
  }
}
