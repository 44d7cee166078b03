// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Terminated;
import scenarios.Messages.Open;
import scenarios.Messages.Work;

/**
 * The demands of Pekko's own specs on mailboxes and the coordinated shutdown: the order in which
 * each kind of mailbox hands out what waited in it, what becomes of the rest when its actor stops,
 * and the order of phases, of tasks that fail, and of actors that end with their system.
 */
final class PromiseHistory {
  private static final int WAITING = 40;

  private static final Map<String, String> MAILBOXES =
      new TreeMap<>(
          Map.of(
              "plain", "org.apache.pekko.dispatch.UnboundedMailbox",
              "single", "org.apache.pekko.dispatch.SingleConsumerOnlyUnboundedMailbox",
              "deque", "org.apache.pekko.dispatch.UnboundedDequeBasedMailbox",
              "bounded", "org.apache.pekko.dispatch.BoundedMailbox",
              "swift", "org.apache.pekko.dispatch.NonBlockingBoundedMailbox",
              "control", "org.apache.pekko.dispatch.UnboundedControlAwareMailbox",
              "priority", Mailboxes.HighestFirst.class.getName()));

  static final String SETTINGS = settings();

  private PromiseHistory() {}

  private static String settings() {
    StringBuilder all = new StringBuilder();
    MAILBOXES.forEach(
        (name, type) ->
            all.append(
                """
                mailbox-%s {
                  mailbox-type = "%s"
                  mailbox-capacity = 100
                  mailbox-push-timeout-time = 1s
                }
                """
                    .formatted(name, type)));
    return all.toString();
  }

  static void run(Stage stage, Book book) throws Exception {
    for (String name : MAILBOXES.keySet()) {
      mailbox(stage, book, name);
    }
    shutdown(stage, book);
  }

  /** All of it waits in the mailbox when the actor begins; it stops with some of it left. */
  private static void mailbox(Stage stage, Book book, String name) throws Exception {
    CountDownLatch gate = Gates.make("gate-" + name);
    ActorRef actor =
        stage.actor(Props.create(Gated.class, book).withMailbox("mailbox-" + name), "gate-" + name);
    ActorRef watcher = stage.actor(Props.create(Watcher.class, book), "watcher-" + name);
    watcher.tell(actor, ActorRef.noSender());
    stage.await(1);
    actor.tell(new Open(), ActorRef.noSender());
    stage.await(1);
    for (int i = 0; i < WAITING; i++) {
      actor.tell(i % 10 == 3 ? new Mailboxes.Urgent() : new Work(i), watcher);
      if (i == WAITING / 2) {
        actor.tell(PoisonPill.getInstance(), watcher);
      }
    }
    gate.countDown();
    stage.await(1); // the watcher's, at the end
  }

  /** A system of its own, with a task in most phases, of which one fails. */
  private static void shutdown(Stage stage, Book book) throws Exception {
    ActorSystem system = ActorSystem.create("promises", stage.config());
    Props nested = Props.create(Nested.class, book, 2);
    system.actorOf(nested, "nest");
    stage.await(3);
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    for (String phase :
        List.of(
            CoordinatedShutdown.PhaseBeforeServiceUnbind(),
            CoordinatedShutdown.PhaseServiceUnbind(),
            CoordinatedShutdown.PhaseServiceRequestsDone(),
            CoordinatedShutdown.PhaseServiceStop(),
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            CoordinatedShutdown.PhaseActorSystemTerminate())) {
      shutdown.addTask(
          phase,
          "task",
          () -> {
            book.write("phases", phase);
            return phase.equals(CoordinatedShutdown.PhaseServiceStop())
                ? CompletableFuture.failedFuture(new IllegalStateException("as told"))
                : CompletableFuture.completedFuture(Done.getInstance());
          });
    }
    shutdown
        .addCancellableTask(
            CoordinatedShutdown.PhaseServiceStop(),
            "cancelled",
            () -> {
              book.write("phases", "a task that was cancelled");
              return CompletableFuture.completedFuture(Done.getInstance());
            })
        .cancel();
    shutdown
        .runAll(CoordinatedShutdown.unknownReason())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
    book.write("phases", "ended: " + system.whenTerminated().isCompleted());
  }

  /** The latches by name: a latch cannot be in what makes an actor. */
  private static final class Gates {
    private static volatile Map<String, CountDownLatch> all = Map.of();

    static CountDownLatch make(String name) {
      CountDownLatch latch = new CountDownLatch(1);
      Map<String, CountDownLatch> more = new TreeMap<>(all);
      more.put(name, latch);
      all = more;
      return latch;
    }
  }

  /** Is kept busy by its first message until all others are there. */
  static final class Gated extends AbstractActor {
    private final Book book;

    Gated(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Open.class,
              o -> {
                book.signal();
                Gates.all.get(getSelf().path().name()).await();
              })
          .match(Mailboxes.Urgent.class, u -> book.write(getSelf(), "urgent"))
          .matchAny(m -> book.write(getSelf(), m + WholeHistories.sentBy(getSender())))
          .build();
    }

    @Override
    public void postStop() {
      book.write(getSelf(), "stopped");
    }
  }

  /** Signals when it watches and when what it watches has ended. */
  static final class Watcher extends AbstractActor {
    private final Book book;

    Watcher(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              ActorRef.class,
              a -> {
                getContext().watch(a);
                book.signal();
              })
          .match(
              Terminated.class,
              t -> {
                book.write(getSelf(), "ended " + t.actor().path().name());
                book.signal();
              })
          .build();
    }
  }

  /** Has a child, which has one; each ends after its own. */
  static final class Nested extends AbstractActor {
    private final Book book;
    private final int below;

    Nested(Book book, int below) {
      this.book = book;
      this.below = below;
    }

    @Override
    public void preStart() {
      book.write("nest", "starts with " + below + " below");
      if (below > 0) {
        getContext().actorOf(Props.create(Nested.class, book, below - 1), "below");
      }
      book.signal();
    }

    @Override
    public void postStop() {
      book.write("nest", "ends with " + below + " below");
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().build();
    }
  }
}
