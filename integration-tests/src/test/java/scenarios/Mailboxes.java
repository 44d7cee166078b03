// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import com.typesafe.config.Config;
import java.io.Serializable;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.ControlMessage;
import org.apache.pekko.dispatch.PriorityGenerator;
import org.apache.pekko.dispatch.UnboundedStablePriorityMailbox;
import scenarios.Messages.Work;

/** Actors with mailboxes that are not the default one. */
public final class Mailboxes {
  private static final String SEVERAL =
      """
      process Begin at /user/front
        process Urgent at /user/back from /user/front
          process Pong at /user/front from /user/back
        process Work at /user/back from /user/front
          process Done at /user/front from /user/back
        process Work at /user/back from /user/front
          process Done at /user/front from /user/back
      """;

  private Mailboxes() {}

  public static void addTo(Scenes all) {
    all.add("mailbox-bounded", s -> run(s, "org.apache.pekko.dispatch.BoundedMailbox"), SEVERAL);
    all.add(
        "mailbox-single-consumer",
        s -> run(s, "org.apache.pekko.dispatch.SingleConsumerOnlyUnboundedMailbox"),
        SEVERAL);
    all.add(
        "mailbox-deque",
        s -> run(s, "org.apache.pekko.dispatch.UnboundedDequeBasedMailbox"),
        SEVERAL);
    all.add("mailbox-priority", s -> run(s, HighestFirst.class.getName()), SEVERAL);
    all.add(
        "mailbox-control-aware",
        s -> run(s, "org.apache.pekko.dispatch.UnboundedControlAwareMailbox"),
        SEVERAL);
    all.add("mailbox-full", Mailboxes::full);
  }

  /** Two pieces of work and an urgent word go to one actor that is not yet free to look at them. */
  private static void run(Stage stage, String mailbox) throws Exception {
    ActorRef back = actor(stage, mailbox, "");
    stage.begin(
        3,
        f -> {
          back.tell(new Work(1), f.getSelf());
          back.tell(new Work(2), f.getSelf());
          back.tell(new Urgent(), f.getSelf());
        });
  }

  /** The mailbox holds one message: of three, at least one is dropped and becomes a dead letter. */
  private static void full(Stage stage) throws Exception {
    ActorRef back =
        actor(
            stage,
            "org.apache.pekko.dispatch.NonBlockingBoundedMailbox",
            "pekko.actor.test-mailbox.mailbox-capacity = 1");
    stage.begin(
        1,
        f -> {
          for (int i = 0; i < 1000; i++) {
            back.tell(new Work(i), f.getSelf());
          }
        });
  }

  private static ActorRef actor(Stage stage, String mailbox, String more) {
    stage.with(
        """
        pekko.actor.test-mailbox {
          mailbox-type = "%s"
          mailbox-capacity = 100
          mailbox-push-timeout-time = 1s
        }
        """
            .formatted(mailbox));
    stage.with(more);
    return stage.actor(Echo.props().withMailbox("pekko.actor.test-mailbox"), "back");
  }

  record Urgent() implements ControlMessage, Serializable {}

  /** Takes the work with the highest number first. */
  static final class HighestFirst extends UnboundedStablePriorityMailbox {
    /** Called by Pekko. */
    public HighestFirst(ActorSystem.Settings settings, Config config) {
      super(
          new PriorityGenerator() {
            @Override
            public int gen(Object message) {
              return message instanceof Work work ? -work.number() : Integer.MIN_VALUE;
            }
          });
    }
  }
}
