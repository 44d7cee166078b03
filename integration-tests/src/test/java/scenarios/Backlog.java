// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.Props;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import scenarios.Messages.Done;
import scenarios.Messages.Work;
import scenarios.Persisting.Add;
import scenarios.Persisting.Added;

/** Commands that a persistent actor cannot take at once, and puts aside. */
public final class Backlog {
  private Backlog() {}

  public static void addTo(Scenes all) {
    all.add(
        "persist-typed-busy",
        Backlog::typedBusy,
        """
        process Begin at /user/front
          process Add at /user/cart
            persist Closed at /user/cart
              process Added at /user/cart
                process Done at /user/front
          process Add at /user/cart
            process Add at /user/cart, stashed
              persist Closed at /user/cart
                process Added at /user/cart
                  process Done at /user/front
        recover Closed at /user/cart
          load-snapshot Closed at /user/cart
        """);
    all.add(
        "persist-typed-stash",
        Backlog::typedStash,
        """
        process Begin at /user/front
          process Add at /user/cart
            process Add at /user/cart, stashed
              persist Closed at /user/cart
                process Added at /user/cart
                  process Done at /user/front
          process Add at /user/cart
            process Add at /user/cart, stashed
              persist Closed at /user/cart
                process Added at /user/cart
                  process Done at /user/front
          process Open at /user/cart
            persist Closed at /user/cart
              process Opened at /user/cart
        recover Closed at /user/cart
          load-snapshot Closed at /user/cart
        """);
    all.add(
        "persist-classic-busy",
        Backlog::classicBusy,
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            persist Account at /user/account
              process Added at /user/account from /user/front
                process Done at /user/front from /user/account
          process Work at /user/account from /user/front
            process Work at /user/account from /user/front, stashed
              persist Account at /user/account
                process Added at /user/account from /user/front
                  process Done at /user/front from /user/account
        recover Account at /user/account
          load-snapshot Account at /user/account
        """);
    all.add(
        "persist-classic-early",
        Backlog::classicEarly,
        """
        process Begin at /user/front
          process Work at /user/front/account from /user/front
            process Work at /user/front/account from /user/front, stashed
              persist Account at /user/front/account
                process Added at /user/front/account from /user/front
                  process Done at /user/front from /user/front/account
          recover Account at /user/front/account
            load-snapshot Account at /user/front/account
        """);
    all.add(
        "persist-classic-all-async",
        Backlog::classicAllAsync,
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            persist Account at /user/account
              process Added at /user/account from /user/front
              process Added at /user/account from /user/front
                process Done at /user/front from /user/account
        recover Account at /user/account
          load-snapshot Account at /user/account
        """);
  }

  /** The second command is there before the first is written. */
  private static void typedBusy(Stage stage) throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    Persisting.typed(
        stage,
        new Closed(stage, sent),
        "cart",
        2,
        (cart, self) -> {
          cart.tell(new Add(1, self));
          cart.tell(new Add(2, self));
          sent.countDown();
        });
  }

  /** The actor's own stash: two commands are taken up again after the third. */
  private static void typedStash(Stage stage) throws Exception {
    Persisting.typed(
        stage,
        new Closed(stage, new CountDownLatch(0)),
        "cart",
        2,
        (cart, self) -> {
          cart.tell(new Add(0, self));
          cart.tell(new Add(0, self));
          cart.tell(new Open());
        });
  }

  private static void classicBusy(Stage stage) throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    Persisting.classic(
        stage,
        (a, to) -> {
          awaitUnchecked(sent);
          a.persist(new Added(1), e -> a.answer(to));
        },
        (account, self) -> {
          account.tell(new Work(1), self);
          account.tell(new Work(2), self);
          sent.countDown();
        });
    stage.await(1);
  }

  private static void classicAllAsync(Stage stage) throws Exception {
    Persisting.classic(
        stage,
        (a, to) ->
            a.persistAllAsync(
                List.of(new Added(1), new Added(2)),
                e -> {
                  if (e.number() == 2) {
                    a.answer(to);
                  }
                }),
        (account, self) -> account.tell(new Work(1), self));
  }

  /** The command makes the actor, and comes while it recovers. */
  private static void classicEarly(Stage stage) throws Exception {
    Persisting.database(stage);
    Props account =
        Persisting.account(stage, (a, to) -> a.persist(new Added(1), e -> a.answer(to)));
    stage.begin(2, f -> f.getContext().actorOf(account, "account").tell(new Work(1), f.getSelf()));
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens who gets it. */
  record Open() {}

  record Opened() implements Serializable {}

  /** Waits with the first event until all is sent; until it is open it stashes additions of 0. */
  static final class Closed extends EventSourcedBehavior<Object, Object, Boolean> {
    private final Stage stage;
    private final CountDownLatch sent;

    Closed(Stage stage, CountDownLatch sent) {
      super(PersistenceId.ofUniqueId(stage.name()));
      this.stage = stage;
      this.sent = sent;
    }

    @Override
    public Boolean emptyState() {
      return false;
    }

    @Override
    public CommandHandler<Object, Object, Boolean> commandHandler() {
      return (open, command) -> {
        if (command instanceof Open) {
          return Effect().persist(new Opened()).thenUnstashAll();
        }
        Add add = (Add) command;
        if (add.events() == 0 && !open) {
          return Effect().stash();
        }
        awaitUnchecked(sent);
        return Effect()
            .persist(new Added(add.events()))
            .thenRun(() -> add.replyTo().tell(new Done(1)));
      };
    }

    @Override
    public EventHandler<Boolean, Object> eventHandler() {
      return (open, event) -> open || event instanceof Opened;
    }

    @Override
    public SignalHandler<Boolean> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(RecoveryCompleted.class, (state, signal) -> stage.signal())
          .build();
    }
  }
}
