// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.RecoveryCompleted;
import org.apache.pekko.persistence.jdbc.testkit.javadsl.SchemaUtils;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import scenarios.Messages.Begin;
import scenarios.Messages.Done;
import scenarios.Messages.Work;

/**
 * Actors whose events are in a database: the argument is its JDBC URL, and decides the driver.
 * Everything waits until the actor has recovered, since what comes before is stashed.
 */
final class Persisting {
  private Persisting() {}

  static void addTo(Map<String, Scenario> all) {
    all.put("persist-typed", s -> typed(s, new Add(1, null)));
    all.put("persist-typed-all", s -> typed(s, new Add(2, null)));
    all.put("persist-typed-early", Persisting::typedEarly);
    all.put("persist-typed-again", Persisting::typedAgain);
    all.put(
        "persist-classic", s -> classic(s, (a, w) -> a.persist(new Added(1), e -> a.answer(w))));
    all.put(
        "persist-classic-all",
        s ->
            classic(
                s,
                (a, w) ->
                    a.persistAll(
                        List.of(new Added(1), new Added(2)),
                        e -> {
                          if (e.number() == 2) {
                            a.answer(w);
                          }
                        })));
    all.put(
        "persist-classic-async",
        s ->
            classic(
                s,
                (a, w) -> {
                  a.persistAsync(new Added(1), e -> {});
                  a.deferAsync(new Deferred(), e -> a.answer(w));
                }));
  }

  record Add(int events, org.apache.pekko.actor.typed.ActorRef<Done> replyTo) {}

  record Added(int number) implements Serializable {}

  record Deferred() implements Serializable {}

  private static void database(Stage stage) throws Exception {
    boolean postgres = stage.argument().contains("postgresql");
    stage.with(
        """
        pekko.persistence.journal.plugin = "jdbc-journal"
        pekko.persistence.snapshot-store.plugin = "jdbc-snapshot-store"
        jdbc-journal.use-shared-db = "slick"
        jdbc-snapshot-store.use-shared-db = "slick"
        pekko.actor.allow-java-serialization = on
        pekko.actor.warn-about-java-serializer-usage = off
        pekko-persistence-jdbc.shared-databases.slick {
          profile = "slick.jdbc.%s$"
          db {
            url = "%s"
            user = "%s"
            password = ""
            driver = "%s"
            numThreads = 2
            maxConnections = 2
            minConnections = 1
          }
        }
        """
            .formatted(
                postgres ? "PostgresProfile" : "H2Profile",
                stage.argument(),
                postgres ? "deimos" : "sa",
                postgres ? "org.postgresql.Driver" : "org.h2.Driver"));
    SchemaUtils.createIfNotExists(stage.system()).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static void typed(Stage stage, Add add) throws Exception {
    database(stage);
    org.apache.pekko.actor.typed.ActorRef<Add> cart =
        stage.typed(new Cart(stage, stage.name()), "cart");
    stage.await(1);
    tell(stage, cart, add.events(), "front");
    stage.await(1);
  }

  private static void tell(
      Stage stage, org.apache.pekko.actor.typed.ActorRef<Add> cart, int events, String named) {
    stage
        .typed(
            Behaviors.<Object>setup(
                context ->
                    Behaviors.receiveMessage(
                        message -> {
                          if (message instanceof Begin) {
                            cart.tell(new Add(events, context.getSelf().narrow()));
                          } else {
                            stage.signal();
                          }
                          return Behaviors.same();
                        })),
            named)
        .tell(new Begin());
  }

  /** The command makes the actor, and comes while it recovers. */
  private static void typedEarly(Stage stage) throws Exception {
    database(stage);
    stage
        .typed(
            Behaviors.<Object>setup(
                context ->
                    Behaviors.receiveMessage(
                        message -> {
                          if (message instanceof Begin) {
                            context
                                .spawn(new Cart(stage, stage.name()), "cart")
                                .tell(new Add(1, context.getSelf().narrow()));
                          } else {
                            stage.signal();
                          }
                          return Behaviors.same();
                        })),
            "front")
        .tell(new Begin());
    stage.await(2);
  }

  /** The second actor of the same events has something to recover. */
  private static void typedAgain(Stage stage) throws Exception {
    typed(stage, new Add(2, null));
    stage.typed(new Cart(stage, stage.name()), "again");
    stage.await(1);
  }

  private static void classic(Stage stage, BiConsumer<Account, ActorRef> write) throws Exception {
    database(stage);
    ActorRef account =
        stage.actor(
            Props.create(Account.class, () -> new Account(stage, stage.name(), write)), "account");
    stage.await(1);
    stage
        .actor(Front.props(stage, f -> account.tell(new Work(1), f.getSelf())), "front")
        .tell(new Begin(), ActorRef.noSender());
    stage.await(1);
  }

  /** A typed persistent actor. */
  static final class Cart extends EventSourcedBehavior<Add, Added, Integer> {
    private final Stage stage;

    Cart(Stage stage, String id) {
      super(PersistenceId.ofUniqueId(id));
      this.stage = stage;
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<Add, Added, Integer> commandHandler() {
      return (state, add) ->
          (add.events() == 1
                  ? Effect().persist(new Added(1))
                  : Effect().persist(List.of(new Added(1), new Added(2))))
              .thenRun(() -> add.replyTo().tell(new Done(1)));
    }

    @Override
    public EventHandler<Integer, Added> eventHandler() {
      return (state, added) -> state + added.number();
    }

    @Override
    public SignalHandler<Integer> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(
              org.apache.pekko.persistence.typed.RecoveryCompleted.class,
              (state, signal) -> stage.signal())
          .build();
    }
  }

  /** A classic one. */
  static final class Account extends AbstractPersistentActor {
    private final Stage stage;
    private final String id;
    private final BiConsumer<Account, ActorRef> write;

    Account(Stage stage, String id, BiConsumer<Account, ActorRef> write) {
      this.stage = stage;
      this.id = id;
      this.write = write;
    }

    void answer(ActorRef to) {
      to.tell(new Done(1), getSelf());
    }

    @Override
    public String persistenceId() {
      return id;
    }

    @Override
    public Receive createReceiveRecover() {
      return receiveBuilder()
          .match(RecoveryCompleted.class, r -> stage.signal())
          .matchAny(e -> {})
          .build();
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Work.class, w -> write.accept(this, getSender())).build();
    }
  }
}
