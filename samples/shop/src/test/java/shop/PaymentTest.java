// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** {@link PaymentGateway} and the {@link PaymentActor} that it supervises. */
class PaymentTest {
  private static final Duration AT_ONCE = Duration.ZERO;
  private static final ActorSystem system = ActorSystem.create("payments", TestSystem.LOCAL);

  private final TestKit cart = new TestKit(system);
  private final FakeNetwork network = new FakeNetwork();

  @AfterAll
  static void stop() {
    TestKit.shutdownActorSystem(system);
  }

  @Test
  void charge_goodCard_isApproved() {
    ActorRef payments = payments(AT_ONCE);

    charge(payments, "good-1");

    cart.expectMsg(new PaymentActor.Approved("good-1"));
  }

  @Test
  void charge_badCard_isDeclined() {
    ActorRef payments = payments(AT_ONCE);

    charge(payments, "bad-1");

    cart.expectMsg(new PaymentActor.Declined("bad-1"));
  }

  @Test
  void charge_whileConnecting_isNotCharged() {
    ActorRef payments = payments(Duration.ofHours(1));

    charge(payments, "good-1");

    cart.expectNoMessage(Duration.ofMillis(100));
    assertThat(network.charged).isEmpty();
  }

  @Test
  void charge_onceConnected_isChargedInOrder() {
    ActorRef payments = payments(Duration.ofMillis(100));

    charge(payments, "good-1");
    charge(payments, "good-2");

    cart.expectMsgAllOf(new PaymentActor.Approved("good-1"), new PaymentActor.Approved("good-2"));
    assertThat(network.charged).containsExactly("good-1", "good-2");
  }

  @Test
  void charge_connectionBreaks_isUnavailable() {
    ActorRef payments = payments(AT_ONCE);

    charge(payments, "broken-1");

    cart.expectMsg(new PaymentActor.Unavailable("broken-1", "the line is dead"));
  }

  @Test
  void charge_afterManyBrokenConnections_isApproved() {
    ActorRef payments = payments(AT_ONCE);

    for (int i = 0; i < 5; i++) {
      charge(payments, "broken-" + i);
      cart.expectMsg(new PaymentActor.Unavailable("broken-" + i, "the line is dead"));
    }
    charge(payments, "good-1");

    cart.expectMsg(new PaymentActor.Approved("good-1"));
  }

  @Test
  void charge_pendingWhenConnectionBreaks_isStillAnswered() {
    ActorRef payments = payments(AT_ONCE);

    charge(payments, "slow-1");
    charge(payments, "broken-1");

    cart.expectMsg(new PaymentActor.Unavailable("broken-1", "the line is dead"));
    cart.expectMsg(new PaymentActor.Approved("slow-1"));
  }

  private ActorRef payments(Duration connectTime) {
    return system.actorOf(PaymentGateway.props(network, connectTime));
  }

  private void charge(ActorRef payments, String orderId) {
    payments.tell(new PaymentActor.Charge(orderId, 1_000), cart.getRef());
  }

  /** Does what the order's name says. */
  private static final class FakeNetwork implements CardNetwork {
    final Queue<String> charged = new ConcurrentLinkedQueue<>();

    @Override
    public Authorisation authorise(String orderId, long amountCents) {
      if (orderId.startsWith("broken")) {
        throw new CardNetworkException("the line is dead");
      }
      charged.add(orderId);
      Duration latency = orderId.startsWith("slow") ? Duration.ofMillis(300) : Duration.ZERO;
      return new Authorisation(!orderId.startsWith("bad"), latency);
    }
  }
}
