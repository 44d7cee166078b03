// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import static scenarios.WholeHistories.sentBy;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.RecoveryCompleted;
import org.apache.pekko.persistence.SaveSnapshotSuccess;
import org.apache.pekko.persistence.SnapshotOffer;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Open;
import scenarios.Messages.Work;

/** Persistent actors that write, put aside, fail, stop, and recover what they wrote. */
final class PersistentHistory {
  private static final int BATCHES = 3;
  private static final int EACH = 25;

  private static final int SNAPSHOT = 100;

  private static final String SETTINGS =
      """
      pekko.persistence.journal.plugin = "pekko.persistence.journal.inmem"
      pekko.persistence.snapshot-store.plugin = "pekko.persistence.snapshot-store.local"
      pekko.persistence.snapshot-store.local.dir = "%s"
      pekko.actor.allow-java-serialization = on
      pekko.actor.warn-about-java-serializer-usage = off
      """;

  private PersistentHistory() {}

  static void addTo(Scenes all) {
    all.add(
        "history-persistence",
        s -> {
          Path snapshots = Files.createTempDirectory("snapshots");
          try {
            WholeHistories.write(s, SETTINGS.formatted(snapshots), book -> run(s, book));
          } finally {
            delete(snapshots);
          }
        });
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void run(Stage stage, Book book) throws Exception {
    ActorRef sender = stage.actor(Props.create(Sender.class, book), "sender");
    for (int life = 0; life < 2; life++) {
      ActorRef account = stage.actor(Props.create(Account.class, book), "account-" + life);
      stage.await(1); // recovered
      for (int batch = 0; batch < BATCHES; batch++) {
        for (int i = 0; i < EACH; i++) {
          account.tell(new Work(i), sender);
        }
        account.tell(new Open(), sender);
        stage.await(1); // saved
        account.tell(new Boom("boom " + batch), sender);
        stage.await(1); // recovered
      }
      account.tell("stop", sender);
      stage.await(1);
    }
    var probe = stage.typed(probe(book), "probe");
    for (int life = 0; life < 2; life++) {
      var cart = stage.typed(Cart.supervised(book), "cart-" + life);
      stage.await(1); // recovered
      for (int batch = 0; batch < BATCHES; batch++) {
        for (int i = 0; i < EACH; i++) {
          cart.tell(new TypedHistory.Task(i, probe));
        }
        cart.tell(new Open());
        stage.await(2); // saved, and all that was put aside is done
        cart.tell(new Boom("boom " + batch));
        stage.await(1); // recovered
      }
      cart.tell("stop");
      stage.await(1);
    }
  }

  record Added(int number) implements Serializable {}

  static final class Sender extends org.apache.pekko.actor.AbstractActor {
    private final Book book;

    Sender(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(m -> book.write("/user/sender" + sentBy(getSender()), m.toString()))
          .build();
    }
  }

  private static Behavior<Object> probe(Book book) {
    return Behaviors.receive(
        (context, message) -> {
          book.write(context.getSelf().path().toStringWithoutAddress(), message.toString());
          return Behaviors.same();
        });
  }

  /** Writes in each of the ways that there are, stashes until it is told to open. */
  static final class Account extends AbstractPersistentActor {
    private final Book book;
    private boolean open;
    private int sum;

    Account(Book book) {
      this.book = book;
    }

    @Override
    public String persistenceId() {
      return "account";
    }

    @Override
    public void postStop() {
      book.write(getSelf(), "stops at " + sum);
    }

    @Override
    public Receive createReceiveRecover() {
      return receiveBuilder()
          .match(
              Added.class,
              e -> {
                sum += e.number();
                book.write(getSelf(), "recovers " + e);
              })
          .match(
              SnapshotOffer.class,
              o -> {
                book.write(getSelf(), "is offered " + o.snapshot());
                sum = (Integer) o.snapshot();
              })
          .match(
              RecoveryCompleted.class,
              r -> {
                book.write(getSelf(), "recovered " + sum);
                book.signal();
              })
          .build();
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> !open && w.number() % 3 == 0, w -> stash())
          .match(Work.class, this::work)
          .match(
              Open.class,
              o -> {
                book.write(getSelf(), "opens");
                open = true;
                unstashAll();
                getSelf().tell("save", getSender());
              })
          .matchEquals("save", s -> deferAsync("save", e -> saveSnapshot(sum)))
          .match(SaveSnapshotSuccess.class, s -> book.signal())
          .match(
              Boom.class,
              b -> {
                book.write(getSelf(), "fails " + b.text());
                throw new IllegalStateException(b.text());
              })
          .matchEquals(
              "stop",
              s -> {
                getContext().stop(getSelf());
                book.signal();
              })
          .build();
    }

    private void work(Work work) {
      ActorRef to = getSender();
      book.write(getSelf(), work + sentBy(to));
      switch (work.number() % 4) {
        case 0 -> persist(new Added(work.number()), e -> added(e, to, "one"));
        case 1 ->
            persistAll(
                List.of(new Added(work.number()), new Added(1)), e -> added(e, to, "of all"));
        case 2 -> {
          persist(new Added(work.number()), e -> added(e, to, "first"));
          defer("deferred", d -> book.write(getSelf(), d + sentBy(getSender())));
        }
        default -> persistAsync(new Added(work.number()), e -> async(e, to));
      }
    }

    /** Later than commands that follow, or before them. */
    private void async(Added event, ActorRef to) {
      sum += event.number();
      book.write(getSelf().path().toStringWithoutAddress() + ", later", "adds " + event);
      to.tell(new Done(-event.number()), getSelf());
    }

    private void added(Added event, ActorRef to, String how) {
      sum += event.number();
      book.write(getSelf(), "adds " + event + ", " + how + sentBy(getSender()));
      to.tell(new Done(event.number()), getSelf());
    }
  }

  /** The same, typed. */
  static final class Cart extends EventSourcedBehavior<Object, Added, Integer> {
    private final Book book;
    private final String me;
    private boolean open;

    private Cart(Book book, String me) {
      super(PersistenceId.ofUniqueId("cart"));
      this.book = book;
      this.me = me;
    }

    static Behavior<Object> supervised(Book book) {
      return Behaviors.supervise(
              Behaviors.setup(
                  context -> new Cart(book, context.getSelf().path().toStringWithoutAddress())))
          .onFailure(SupervisorStrategy.restart());
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<Object, Added, Integer> commandHandler() {
      return (sum, command) -> {
        if (command instanceof Open) {
          book.write(me, "opens");
          open = true;
          return Effect().persist(new Added(SNAPSHOT)).thenUnstashAll();
        }
        if (command instanceof Boom boom) {
          book.write(me, "fails, " + boom.text());
          throw new IllegalStateException(boom.text());
        }
        if (command.equals("stop")) {
          book.write(me, "is to stop at " + sum);
          return Effect().stop().thenRun(book::signal);
        }
        return work(sum, (TypedHistory.Task) command);
      };
    }

    private org.apache.pekko.persistence.typed.javadsl.Effect<Added, Integer> work(
        int sum, TypedHistory.Task task) {
      int number = task.number();
      if (!open && number % 3 == 0) {
        return Effect().stash();
      }
      book.write(me, "does " + number + " at " + sum);
      return switch (number % 4) {
        case 0 ->
            Effect()
                .persist(new Added(number))
                .thenRun(() -> last(number))
                .thenReply(task.replyTo(), s -> new Done(number));
        case 1 ->
            Effect()
                .persist(List.of(new Added(number), new Added(1)))
                .thenRun(s -> book.write(me, "has added " + number + " to be " + s))
                .thenRun(() -> task.replyTo().tell(new Done(number)));
        case 2 -> Effect().reply(task.replyTo(), new Done(-number));
        default -> Effect().unhandled();
      };
    }

    /** The commands that were put aside. */
    private void last(int number) {
      if (number == EACH - 1) {
        book.signal();
      }
    }

    @Override
    public boolean shouldSnapshot(Integer sum, Added event, long sequenceNr) {
      return event.number() == SNAPSHOT;
    }

    @Override
    public EventHandler<Integer, Added> eventHandler() {
      return (sum, event) -> {
        book.write(me, "adds " + event);
        return sum + event.number();
      };
    }

    @Override
    public SignalHandler<Integer> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(
              org.apache.pekko.persistence.typed.RecoveryCompleted.class,
              (sum, signal) -> {
                book.write(me, "recovered " + sum);
                book.signal();
              })
          .onSignal(
              org.apache.pekko.persistence.typed.SnapshotCompleted.class,
              (sum, signal) -> book.signal())
          .onSignal(PostStop.class, (sum, signal) -> book.write(me, "stops at " + sum))
          .build();
    }
  }
}
