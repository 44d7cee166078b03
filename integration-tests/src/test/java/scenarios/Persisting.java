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
    all.put("persist-typed-snapshot", Persisting::typedSnapshot);
    all.put("persist-typed-rejected", Persisting::typedRejected);
    all.put("persist-state", Persisting::state);
    all.put("persist-state-early", Persisting::stateEarly);
    all.put("persist-classic-snapshot", Persisting::classicSnapshot);
    all.put("persist-classic-rejected", Persisting::classicRejected);
    all.put("persist-classic-failed", Persisting::classicFailed);
    all.put("persist-classic", Persisting::classic);
    all.put("persist-untraced", s -> classic(s.with("deimos.tracing.enabled = off")));
    all.put(
        "persist-off",
        s -> classic(s.with("deimos { tracing.enabled = on, persistence.enabled = off }")));
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

  private static void classic(Stage stage) throws Exception {
    classic(stage, (a, w) -> a.persist(new Added(1), e -> a.answer(w)));
  }

  record Add(int events, org.apache.pekko.actor.typed.ActorRef<Done> replyTo) {}

  /** Refuses to be written. */
  record Unwritable(Object notSerializable) implements Serializable {
    Unwritable() {
      this(new Object());
    }
  }

  record Added(int number) implements Serializable {}

  record Deferred() implements Serializable {}

  static void database(Stage stage) throws Exception {
    if (stage.argument().equals("memory")) {
      stage.with(
          """
          pekko.persistence.journal.plugin = "pekko.persistence.journal.inmem"
          pekko.actor.allow-java-serialization = on
          pekko.actor.warn-about-java-serializer-usage = off
          """);
      return;
    }
    boolean postgres = stage.argument().contains("postgresql");
    stage.with(
        """
        pekko.persistence.journal.plugin = "jdbc-journal"
        pekko.persistence.snapshot-store.plugin = "jdbc-snapshot-store"
        pekko.persistence.state.plugin = "jdbc-durable-state-store"
        jdbc-durable-state-store.use-shared-db = "slick"
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
            Front.typed(stage, context -> cart.tell(new Add(events, context.getSelf().narrow()))),
            named)
        .tell(new Begin());
  }

  /** The command makes the actor, and comes while it recovers. */
  private static void typedEarly(Stage stage) throws Exception {
    database(stage);
    stage
        .typed(
            Front.typed(
                stage,
                context ->
                    context
                        .spawn(new Cart(stage, stage.name()), "cart")
                        .tell(new Add(1, context.getSelf().narrow()))),
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

  /** The second actor has a snapshot to begin with. */
  private static void typedSnapshot(Stage stage) throws Exception {
    database(stage);
    org.apache.pekko.actor.typed.ActorRef<Add> cart =
        stage.typed(new Snapped(stage, stage.name()), "cart");
    stage.await(1);
    tell(stage, cart, 1, "front");
    stage.await(2); // answered, and the snapshot is saved
    stage.typed(new Snapped(stage, stage.name()), "again");
    stage.await(1);
  }

  private static void typedRejected(Stage stage) throws Exception {
    database(stage);
    org.apache.pekko.actor.typed.ActorRef<Add> refused =
        stage.typed(new Refused(stage, stage.name()), "refused");
    stage.await(1);
    tell(stage, refused, 1, "front");
    stage.await(1); // stopped
  }

  private static void state(Stage stage) throws Exception {
    database(stage);
    org.apache.pekko.actor.typed.ActorRef<Add> account =
        stage.typed(new Balance(stage, stage.name()), "account");
    stage.await(1);
    tell(stage, account, 1, "front");
    stage.await(1);
    stage.typed(new Balance(stage, stage.name()), "again");
    stage.await(1);
  }

  /** The command makes the actor, and comes while it recovers. */
  private static void stateEarly(Stage stage) throws Exception {
    database(stage);
    stage
        .typed(
            Front.typed(
                stage,
                context ->
                    context
                        .spawn(new Balance(stage, stage.name()), "account")
                        .tell(new Add(1, context.getSelf().narrow()))),
            "front")
        .tell(new Begin());
    stage.await(2);
  }

  private static void classicSnapshot(Stage stage) throws Exception {
    classic(
        stage,
        (a, w) ->
            a.persist(
                new Added(1),
                e -> {
                  a.saveSnapshot("one");
                  a.answer(w);
                }));
    stage.await(1); // saved
  }

  private static void classicRejected(Stage stage) throws Exception {
    classic(stage, (a, w) -> a.persist(new Unwritable(), e -> a.answer(w)));
  }

  /** Two actors with the same identity write their first event. */
  private static void classicFailed(Stage stage) throws Exception {
    database(stage);
    BiConsumer<Account, ActorRef> write = (a, w) -> a.persist(new Added(1), e -> a.answer(w));
    for (String name : new String[] {"account", "impostor"}) {
      stage.actor(Props.create(Account.class, () -> new Account(stage, stage.name(), write)), name);
      stage.await(1);
    }
    for (String name : new String[] {"account", "impostor"}) {
      stage
          .actor(
              Front.props(
                  stage,
                  f ->
                      f.getContext()
                          .actorSelection("/user/" + name)
                          .tell(new Work(1), f.getSelf())),
              "front-" + name)
          .tell(new Begin(), ActorRef.noSender());
      stage.await(1); // answered, or told that it failed
    }
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

  /** Keeps one number, as a whole. */
  static final class Balance
      extends org.apache.pekko.persistence.typed.state.javadsl.DurableStateBehavior<Add, Integer> {
    private final Stage stage;

    Balance(Stage stage, String id) {
      super(PersistenceId.ofUniqueId(id));
      this.stage = stage;
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public org.apache.pekko.persistence.typed.state.javadsl.CommandHandler<Add, Integer>
        commandHandler() {
      return (state, add) ->
          Effect().persist(state + add.events()).thenRun(() -> add.replyTo().tell(new Done(1)));
    }

    @Override
    public org.apache.pekko.persistence.typed.state.javadsl.SignalHandler<Integer> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(
              org.apache.pekko.persistence.typed.state.RecoveryCompleted.class,
              (state, signal) -> stage.signal())
          .build();
    }
  }

  /** Saves a snapshot with each event. */
  static final class Snapped extends EventSourcedBehavior<Add, Added, Integer> {
    private final Stage stage;

    Snapped(Stage stage, String id) {
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
          Effect().persist(new Added(1)).thenRun(() -> add.replyTo().tell(new Done(1)));
    }

    @Override
    public EventHandler<Integer, Added> eventHandler() {
      return (state, added) -> state + added.number();
    }

    @Override
    public boolean shouldSnapshot(Integer state, Added event, long sequenceNr) {
      return true;
    }

    @Override
    public SignalHandler<Integer> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(
              org.apache.pekko.persistence.typed.RecoveryCompleted.class,
              (state, signal) -> stage.signal())
          .onSignal(
              org.apache.pekko.persistence.typed.SnapshotCompleted.class,
              (state, signal) -> stage.signal())
          .build();
    }
  }

  /** Has an event that no journal takes, and stops for it. */
  static final class Refused extends EventSourcedBehavior<Add, Unwritable, Integer> {
    private final Stage stage;

    Refused(Stage stage, String id) {
      super(PersistenceId.ofUniqueId(id));
      this.stage = stage;
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<Add, Unwritable, Integer> commandHandler() {
      return (state, add) -> Effect().persist(new Unwritable());
    }

    @Override
    public EventHandler<Integer, Unwritable> eventHandler() {
      return (state, event) -> state;
    }

    @Override
    public SignalHandler<Integer> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(
              org.apache.pekko.persistence.typed.RecoveryCompleted.class,
              (state, signal) -> stage.signal())
          .onSignal(org.apache.pekko.actor.typed.PostStop.class, (state, signal) -> stage.signal())
          .build();
    }
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
      return receiveBuilder()
          .match(Work.class, w -> write.accept(this, getSender()))
          .match(org.apache.pekko.persistence.SaveSnapshotSuccess.class, saved -> stage.signal())
          .build();
    }

    @Override
    public void onPersistRejected(Throwable cause, Object event, long sequenceNr) {
      stage.signal();
    }

    @Override
    public void onPersistFailure(Throwable cause, Object event, long sequenceNr) {
      stage.signal();
    }
  }
}
