// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.RecoveryCompleted;
import org.apache.pekko.persistence.jdbc.testkit.javadsl.SchemaUtils;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import scenarios.Messages.Done;
import scenarios.Messages.Work;

/**
 * Actors whose events are in a database: the argument is its JDBC URL, and decides the driver.
 * Everything waits until the actor has recovered, since what comes before is stashed.
 */
public final class Persisting {
  private Persisting() {}

  public static void addTo(Scenes all) {
    all.add(
        "persist-typed",
        s -> typed(s, 1),
        """
        process Begin at /user/front
          process Add at /user/cart
            persist Cart at /user/cart
              process Added at /user/cart
                process Done at /user/front
        recover Cart at /user/cart
          load-snapshot Cart at /user/cart
        """);
    all.add(
        "persist-typed-all",
        s -> typed(s, 2),
        """
        process Begin at /user/front
          process Add at /user/cart
            persist Cart at /user/cart
              process Added at /user/cart
              process Added at /user/cart
                process Done at /user/front
        recover Cart at /user/cart
          load-snapshot Cart at /user/cart
        """);
    all.add(
        "persist-typed-early",
        s -> early(s, new Cart(s, s.name()), "cart"),
        """
        process Begin at /user/front
          process Add at /user/front/cart
            process Add at /user/front/cart, stashed
              persist Cart at /user/front/cart
                process Added at /user/front/cart
                  process Done at /user/front
          recover Cart at /user/front/cart
            load-snapshot Cart at /user/front/cart
        """);
    all.add(
        "persist-typed-again",
        Persisting::typedAgain,
        """
        process Begin at /user/front
          process Add at /user/cart
            persist Cart at /user/cart
              process Added at /user/cart
              process Added at /user/cart
                process Done at /user/front
        recover Cart at /user/again
          load-snapshot Cart at /user/again
        recover Cart at /user/cart
          load-snapshot Cart at /user/cart
        """);
    all.add(
        "persist-typed-snapshot",
        Persisting::typedSnapshot,
        """
        process Begin at /user/front
          process Add at /user/cart
            persist Snapped at /user/cart
              process Added at /user/cart
                save-snapshot Snapped at /user/cart
                  process SaveSnapshotSuccess at /user/cart from /system/jdbc-snapshot-store
                    process Done at /user/front
        recover Snapped at /user/again
          load-snapshot Snapped at /user/again
        recover Snapped at /user/cart
          load-snapshot Snapped at /user/cart
        """);
    all.add(
        "persist-typed-rejected",
        s -> typed(s, new Refused(s, s.name()), "refused", 1, 1),
        """
        process Begin at /user/front
          process Add at /user/refused
            persist Refused at /user/refused ! an error
              process Unwritable at /user/refused ! an error
        recover Refused at /user/refused
          load-snapshot Refused at /user/refused
        """);
    all.add(
        "persist-state",
        Persisting::state,
        """
        process Begin at /user/front
          process Add at /user/account
            persist Balance at /user/account
              process Done at /user/front
        recover Balance at /user/account
        recover Balance at /user/again
        """);
    all.add(
        "persist-state-early",
        s -> early(s, new Balance(s, s.name()), "account"),
        """
        process Begin at /user/front
          process Add at /user/front/account
            process Add at /user/front/account, stashed
              persist Balance at /user/front/account
                process Done at /user/front
          recover Balance at /user/front/account
        """);
    all.add(
        "persist-classic-snapshot",
        Persisting::classicSnapshot,
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            persist Account at /user/account
              process Added at /user/account from /user/front
                process Done at /user/front from /user/account
                save-snapshot Account at /user/account
                  process SaveSnapshotSuccess at /user/account from /system/jdbc-snapshot-store
        recover Account at /user/account
          load-snapshot Account at /user/account
        """);
    all.add(
        "persist-classic-rejected",
        Persisting::classicRejected,
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            persist Account at /user/account ! an error
              process Unwritable at /user/account from /user/front
        recover Account at /user/account
          load-snapshot Account at /user/account
        """);
    all.add(
        "persist-classic-failed",
        Persisting::classicFailed,
        """
        process Begin at /user/front-account
          process Work at /user/account from /user/front-account
            persist Account at /user/account
              process Added at /user/account from /user/front-account
                process Done at /user/front-account from /user/account
        process Begin at /user/front-impostor
          process Work at /user/impostor from /user/front-impostor
            persist Account at /user/impostor ! an error
              process Added at /user/impostor from /user/front-impostor
        recover Account at /user/account
          load-snapshot Account at /user/account
        recover Account at /user/impostor
          load-snapshot Account at /user/impostor
        """);
    all.add(
        "persist-classic",
        Persisting::classic,
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            persist Account at /user/account
              process Added at /user/account from /user/front
                process Done at /user/front from /user/account
        recover Account at /user/account
          load-snapshot Account at /user/account
        """);
    all.like(
        "persist-classic-all-async",
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
    all.add(
        "persist-classic-async",
        s ->
            classic(
                s,
                (a, w) -> {
                  a.persistAsync(new Added(1), e -> {});
                  a.deferAsync(new Deferred(), e -> a.answer(w));
                }),
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            persist Account at /user/account
              process Added at /user/account from /user/front
              process Deferred at /user/account from /user/front
                process Done at /user/front from /user/account
        recover Account at /user/account
          load-snapshot Account at /user/account
        """);
    // From here on the application says something else while it runs: these are the last.
    all.add("persist-untraced", s -> classic(s.with("deimos.tracing.enabled = off")), "");
    all.add(
        "persist-off",
        s -> classic(s.with("deimos { tracing.enabled = on, persistence.enabled = off }")),
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            process Added at /user/account from /user/front
              process Done at /user/front from /user/account
        """);
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

  /** Gives the system a journal that is gone with it. */
  static Stage inMemory(Stage stage) {
    return stage.with(
        """
        pekko.persistence.journal.plugin = "pekko.persistence.journal.inmem"
        pekko.actor.allow-java-serialization = on
        pekko.actor.warn-about-java-serializer-usage = off
        """);
  }

  static void database(Stage stage) throws Exception {
    if (stage.argument().equals("memory")) {
      inMemory(stage);
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
    SchemaUtils.createIfNotExists(stage.system()).toCompletableFuture().get(90, TimeUnit.SECONDS);
  }

  private static void typed(Stage stage, int events) throws Exception {
    typed(stage, new Cart(stage, stage.name()), "cart", events, 1);
  }

  /** Has an actor that has recovered get one command. */
  private static void typed(
      Stage stage, Behavior<Add> behavior, String name, int events, int signals) throws Exception {
    typed(stage, behavior, name, signals, (actor, self) -> actor.tell(new Add(events, self)));
  }

  static <T> void typed(
      Stage stage,
      Behavior<T> behavior,
      String name,
      int signals,
      BiConsumer<
              org.apache.pekko.actor.typed.ActorRef<T>, org.apache.pekko.actor.typed.ActorRef<Done>>
          send)
      throws Exception {
    database(stage);
    org.apache.pekko.actor.typed.ActorRef<T> actor = stage.typed(behavior, name);
    stage.await(1);
    stage.beginTyped(signals, context -> send.accept(actor, context.getSelf().narrow()));
  }

  /** Another actor of the same events has something to recover. */
  private static void again(Stage stage, Behavior<Add> behavior) throws Exception {
    stage.typed(behavior, "again");
    stage.await(1);
  }

  /** The command makes the actor, and comes while it recovers. */
  private static void early(Stage stage, Behavior<Add> behavior, String name) throws Exception {
    database(stage);
    stage.beginTyped(
        2, context -> context.spawn(behavior, name).tell(new Add(1, context.getSelf().narrow())));
  }

  private static void typedAgain(Stage stage) throws Exception {
    typed(stage, 2);
    again(stage, new Cart(stage, stage.name()));
  }

  /** The second actor has a snapshot to begin with. */
  private static void typedSnapshot(Stage stage) throws Exception {
    // answered, and the snapshot is saved
    typed(stage, new Snapped(stage, stage.name()), "cart", 1, 2);
    again(stage, new Snapped(stage, stage.name()));
  }

  private static void state(Stage stage) throws Exception {
    typed(stage, new Balance(stage, stage.name()), "account", 1, 1);
    again(stage, new Balance(stage, stage.name()));
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
      stage.actor(account(stage, write), name);
      stage.await(1);
    }
    for (String name : new String[] {"account", "impostor"}) {
      stage.start(
          "front-" + name,
          f -> f.getContext().actorSelection("/user/" + name).tell(new Work(1), f.getSelf()));
      stage.await(1); // answered, or told that it failed
    }
  }

  private static void classic(Stage stage, BiConsumer<Account, ActorRef> write) throws Exception {
    classic(stage, write, (account, self) -> account.tell(new Work(1), self));
  }

  static void classic(
      Stage stage, BiConsumer<Account, ActorRef> write, BiConsumer<ActorRef, ActorRef> send)
      throws Exception {
    database(stage);
    ActorRef account = stage.actor(account(stage, write), "account");
    stage.await(1);
    stage.begin(1, f -> send.accept(account, f.getSelf()));
  }

  static Props account(Stage stage, BiConsumer<Account, ActorRef> write) {
    return Props.create(Account.class, () -> new Account(stage, stage.name(), write));
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
  static final class Snapped extends Sourced<Add, Added> {
    Snapped(Stage stage, String id) {
      super(stage, id, org.apache.pekko.persistence.typed.SnapshotCompleted.class);
    }

    @Override
    public CommandHandler<Add, Added, Integer> commandHandler() {
      return (state, add) ->
          Effect().persist(new Added(1)).thenRun(() -> add.replyTo().tell(new Done(1)));
    }

    @Override
    public boolean shouldSnapshot(Integer state, Added event, long sequenceNr) {
      return true;
    }
  }

  /** Has an event that no journal takes, and stops for it. */
  static final class Refused extends Sourced<Add, Unwritable> {
    Refused(Stage stage, String id) {
      super(stage, id, org.apache.pekko.actor.typed.PostStop.class);
    }

    @Override
    public CommandHandler<Add, Unwritable, Integer> commandHandler() {
      return (state, add) -> Effect().persist(new Unwritable());
    }
  }

  /** A typed persistent actor. */
  static final class Cart extends Sourced<Add, Added> {
    Cart(Stage stage, String id) {
      super(stage, id);
    }

    @Override
    public CommandHandler<Add, Added, Integer> commandHandler() {
      return (state, add) ->
          (add.events() == 1
                  ? Effect().persist(new Added(1))
                  : Effect().persist(List.of(new Added(1), new Added(2))))
              .thenRun(() -> add.replyTo().tell(new Done(1)));
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
