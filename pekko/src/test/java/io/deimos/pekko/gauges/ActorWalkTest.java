// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Comparator;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MailboxType;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.ProducesMessageQueue;
import org.apache.pekko.dispatch.UnboundedPriorityMailbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

class ActorWalkTest {
  private static final int WAITING = 7;

  private final ActorSystem system =
      ActorSystem.create(
          "walk",
          ConfigFactory.parseString(
                  """
                  priority.mailbox-type = "%s"
                  bounded {
                    mailbox-type = "org.apache.pekko.dispatch.BoundedMailbox"
                    mailbox-capacity = 100
                    mailbox-push-timeout-time = 0s
                  }
                  controls.mailbox-type = "org.apache.pekko.dispatch.UnboundedControlAwareMailbox"
                  """
                      .formatted(Priority.class.getName()))
              .withFallback(ConfigFactory.load()));

  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void end() {
    end.countDown();
    system.terminate();
  }

  /** An actor that is at its first message, with others behind that. */
  private ActorCell busy(Props props) throws InterruptedException {
    ActorRef ref = system.actorOf(props, "busy");
    ref.tell(0, ActorRef.noSender());
    taken.await();
    for (int i = 1; i <= WAITING; i++) {
      ref.tell(i, ActorRef.noSender());
    }
    return (ActorCell) ((ActorRefWithCell) ref).underlying();
  }

  private Props props() {
    return Props.create(Busy.class, () -> new Busy(taken, end));
  }

  @Test
  void waiting_inTheUsualMailbox_isCounted() throws Exception {
    assertThat(ActorWalk.waiting(busy(props()))).isEqualTo(WAITING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"priority", "bounded", "controls"})
  void waiting_inAnotherMailbox_isWhatItSays(String mailbox) throws Exception {
    assertThat(ActorWalk.waiting(busy(props().withMailbox(mailbox)))).isEqualTo(WAITING);
  }

  /** A queue with a priority, which only copies itself to be walked, and keeps senders waiting. */
  static final class Priority
      implements MailboxType, ProducesMessageQueue<UnboundedPriorityMailbox.MessageQueue> {
    Priority(ActorSystem.Settings settings, Config config) {}

    @Override
    public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> of) {
      return new NotWalked();
    }
  }

  private static final class NotWalked extends UnboundedPriorityMailbox.MessageQueue {
    private static final long serialVersionUID = 1;

    NotWalked() {
      super(11, Comparator.comparing(envelope -> envelope.message().toString()));
    }

    @Override
    public Iterator<Envelope> iterator() {
      throw new AssertionError("walked");
    }
  }

  /** Holds on to its first message. */
  static final class Busy extends AbstractActor {
    private final CountDownLatch taken;
    private final CountDownLatch end;

    Busy(CountDownLatch taken, CountDownLatch end) {
      this.taken = taken;
      this.end = end;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              message -> {
                taken.countDown();
                end.await();
              })
          .build();
    }
  }
}
