// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.jdbc.testkit.javadsl.SchemaUtils;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import wire.Messages.Begin;
import wire.Messages.Done;
import wire.Messages.Work;

/** Sharded entities whose events are in a database that all nodes share. */
final class Ledgers {
  static final String ENTITY = "entity";
  private static final String CLASSIC = "account";
  private static final EntityTypeKey<Services.Question> TYPED =
      EntityTypeKey.create(Services.Question.class, "ledger");

  private Ledgers() {}

  static void addTo(Rows all) {
    all.add("persist-typed", stage -> twice(stage, TYPED.name(), typed(stage)));
    all.add("persist-classic", stage -> twice(stage, CLASSIC, classic(stage)));
    all.add("persist-typed-left", stage -> stage.front(1, typed(stage)));
    all.add("persist-classic-left", stage -> stage.front(1, classic(stage)));
  }

  record Added(int number) implements Serializable {}

  /** The system property {@code wire.database} has the database's URL. */
  static String settings() {
    return """
        pekko.persistence.journal.plugin = "jdbc-journal"
        pekko.persistence.snapshot-store.plugin = "jdbc-snapshot-store"
        jdbc-journal.use-shared-db = "slick"
        jdbc-snapshot-store.use-shared-db = "slick"
        pekko-persistence-jdbc.shared-databases.slick {
          profile = "slick.jdbc.PostgresProfile$"
          db {
            url = "%s"
            user = "deimos"
            password = ""
            driver = "org.postgresql.Driver"
            numThreads = 2
            maxConnections = 2
            minConnections = 1
          }
        }
        """
        .formatted(System.getProperty("wire.database"));
  }

  static void start(ActorSystem system) throws Exception {
    if (!system.settings().config().getBoolean("wire.late")) {
      SchemaUtils.createIfNotExists(system)
          .toCompletableFuture()
          .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(Adapter.toTyped(system))
        .init(
            Entity.of(TYPED, context -> new Ledger(context.getEntityId()))
                .withAllocationStrategy(new Elsewhere()));
    ClusterSharding.get(system)
        .start(
            CLASSIC,
            Props.create(Account.class),
            ClusterShardingSettings.create(system),
            ClusterServices.extractor(),
            new Elsewhere(),
            PoisonPill.getInstance());
  }

  private static Consumer<Front> typed(Stage stage) {
    EntityRef<Services.Question> entity =
        org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
                Adapter.toTyped(stage.system()))
            .entityRefFor(TYPED, ENTITY);
    return f -> entity.tell(new Services.Question(1, Adapter.toTyped(f.getSelf())));
  }

  private static Consumer<Front> classic(Stage stage) {
    ActorRef region = ClusterSharding.get(stage.system()).shardRegion(CLASSIC);
    return f -> region.tell(new Work(6), f.getSelf());
  }

  /** The first message starts the entity on the other node, the second finds it there. */
  private static void twice(Stage stage, String type, Consumer<Front> send) throws Exception {
    Elsewhere.awaitRegions(stage, type);
    ActorRef front = stage.front(send);
    for (int i = 0; i < 2; i++) {
      front.tell(new Begin(), ActorRef.noSender());
      stage.await(1);
    }
  }

  /** Writes down each question before it answers with how many there were. */
  static final class Ledger extends EventSourcedBehavior<Services.Question, Added, Integer> {
    Ledger(String id) {
      super(PersistenceId.ofUniqueId("ledger-" + id));
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<Services.Question, Added, Integer> commandHandler() {
      return (state, question) ->
          Effect()
              .persist(new Added(question.number()))
              .thenRun(sum -> question.replyTo().tell(new Done(sum, question.token())));
    }

    @Override
    public EventHandler<Integer, Added> eventHandler() {
      return (state, added) -> state + added.number();
    }
  }

  /** The same in the classic API. */
  static final class Account extends AbstractPersistentActor {
    private int sum;

    @Override
    public String persistenceId() {
      return "account-" + getSelf().path().name();
    }

    @Override
    public Receive createReceiveRecover() {
      return receiveBuilder().match(Added.class, a -> sum += a.number()).build();
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w ->
                  persist(
                      new Added(1),
                      added -> {
                        sum += added.number();
                        getSender().tell(new Done(sum, w.token()), getSelf());
                      }))
          .build();
    }
  }
}
