// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.ShardCoordinator;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.typed.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityContext;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.pattern.Patterns;
import scala.collection.immutable.IndexedSeq;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;
import wire.Messages.Begin;
import wire.Messages.Done;
import wire.Messages.Work;
import wire.Services.Question;

/** Questions to sharded entities that run out of time, for one reason each. */
final class EntityAskRows {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String ENTITY = "entity";

  /** How many messages the region of a row keeps that waits for its shard. */
  private static final int BUFFER = 10;

  private EntityAskRows() {}

  static void addTo(Rows all) {
    all.add("entity-slow", EntityAskRows::slow);
    all.add("entity-busy", EntityAskRows::busy);
    all.add("entity-stops", EntityAskRows::stops);
    all.add("entity-silent", EntityAskRows::silent);
    all.add("entity-silent-pattern", EntityAskRows::silentPattern);
    all.add("entity-silent-envelope", EntityAskRows::silentEnvelope);
    all.add("entity-silent-context", EntityAskRows::silentContext);
    all.add("entity-silent-classic", EntityAskRows::silentClassic);
    all.add("entity-rests", EntityAskRows::rests);
    all.add("entity-homeless", EntityAskRows::homeless);
    all.add("entity-dropped", EntityAskRows::dropped);
    all.add("entity-elsewhere", EntityAskRows::elsewhere);
    all.add("entity-lost", EntityAskRows::lost);
  }

  /** Asks the entity whether it is there, which it answers. */
  record There(org.apache.pekko.actor.typed.ActorRef<Done> replyTo) {}

  record Rest() {}

  record Stop() {}

  record Go() {}

  private static void slow(Stage stage) throws Exception {
    Entities entities = new Entities(stage);
    ask(stage, 2, entities.started());
    entities.over.countDown();
    stage.await(1);
  }

  /** It is at work on something else. */
  private static void busy(Stage stage) throws Exception {
    Entities entities = new Entities(stage);
    EntityRef<Object> entity = entities.started();
    entity.tell(new Work(1));
    stage.await(1);
    ask(stage, 1, entity);
    entities.over.countDown();
    stage.await(2);
  }

  private static void stops(Stage stage) throws Exception {
    ask(stage, 3, new Entities(stage).started());
  }

  private static void silent(Stage stage) throws Exception {
    ask(stage, 2, new Entities(stage).started());
  }

  private static void silentPattern(Stage stage) throws Exception {
    EntityRef<Object> entity = new Entities(stage).started();
    stage.front(
        2,
        f ->
            AskPattern.<Object, Done>ask(
                    entity,
                    replyTo -> new Question(Question.SILENT, replyTo),
                    TIMEOUT,
                    Adapter.toTyped(stage.system()).scheduler())
                .whenComplete((answer, failure) -> stage.signal()));
  }

  /** The region is asked, with an envelope that names the entity. */
  private static void silentEnvelope(Stage stage) throws Exception {
    Entities entities = new Entities(stage);
    entities.started();
    stage.front(
        2,
        f ->
            AskPattern.<ShardingEnvelope<Object>, Done>ask(
                    entities.region(),
                    replyTo ->
                        new ShardingEnvelope<>(ENTITY, new Question(Question.SILENT, replyTo)),
                    TIMEOUT,
                    Adapter.toTyped(stage.system()).scheduler())
                .whenComplete((answer, failure) -> stage.signal()));
  }

  private static void silentContext(Stage stage) throws Exception {
    EntityRef<Object> entity = new Entities(stage).started();
    Behavior<Object> front =
        Behaviors.setup(
            context ->
                Behaviors.receive(Object.class)
                    .onMessage(
                        Begin.class,
                        begin -> {
                          context.ask(
                              Done.class,
                              entity,
                              TIMEOUT,
                              replyTo -> new Question(Question.SILENT, replyTo),
                              (answer, failure) -> new Done(0));
                          return Behaviors.same();
                        })
                    .onMessage(
                        Done.class,
                        done -> {
                          stage.signal();
                          return Behaviors.same();
                        })
                    .build());
    Adapter.spawn(stage.system(), front, stage.row()).tell(new Begin());
    stage.await(2);
  }

  /** As a classic actor asks, which knows the region only. */
  private static void silentClassic(Stage stage) throws Exception {
    var sharding = org.apache.pekko.cluster.sharding.ClusterSharding.get(stage.system());
    ActorRef region =
        sharding.start(
            stage.row(),
            Props.create(Mute.class, () -> new Mute(stage)),
            new ShardRegion.HashCodeMessageExtractor(10) {
              @Override
              public String entityId(Object message) {
                return ENTITY;
              }
            });
    Patterns.ask(region, new Work(1), Stage.PATIENCE)
        .toCompletableFuture()
        .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    stage.front(
        2,
        f ->
            Patterns.ask(region, new Work(0), TIMEOUT)
                .whenComplete((answer, failure) -> stage.signal()));
  }

  /** Answers unless it is asked with a 0. */
  static final class Mute extends AbstractActor {
    private final Stage stage;

    Mute(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, work -> work.number() == 0, work -> stage.signal())
          .match(Work.class, work -> getSender().tell(new Done(work.number()), getSelf()))
          .build();
    }
  }

  /** It has its stop message and has not stopped yet; the next of its name gets the question. */
  private static void rests(Stage stage) throws Exception {
    Entities entities = new Entities(stage);
    EntityRef<Object> entity = entities.started();
    org.apache.pekko.actor.typed.ActorRef<Object> first = entities.last.get();
    entity.tell(new Rest());
    stage.await(1);
    ask(stage, 1, entity);
    first.tell(new Go());
    stage.await(1);
  }

  /** The coordinator does not say where the shard is to be, until the question has failed. */
  private static void homeless(Stage stage) throws Exception {
    Undecided where = new Undecided();
    EntityRef<Object> entity = new Entities(stage).start(where);
    ask(stage, 1, entity);
    where.decided.complete(true);
    stage.await(1);
  }

  private static void dropped(Stage stage) throws Exception {
    Undecided where = new Undecided();
    Entities entities = new Entities(stage);
    EntityRef<Object> entity = entities.start(where);
    for (int i = 0; i < BUFFER; i++) {
      entity.tell(new Work(i));
    }
    ask(stage, 1, entity);
    entities.over.countDown();
    where.decided.complete(true);
    stage.await(2 * BUFFER);
  }

  private static void elsewhere(Stage stage) throws Exception {
    Moves.place(stage, ClusterServices.TYPED_ENTITY.name(), Moves.typedShard(ENTITY), true);
    EntityRef<Question> entity = Moves.typedEntity(stage, ENTITY);
    entity
        .<Done>ask(replyTo -> new Question(1, replyTo), Stage.PATIENCE)
        .toCompletableFuture()
        .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    ask(stage, 1, entity);
  }

  /** After {@link #elsewhere}, when the peer is known to be unreachable. */
  private static void lost(Stage stage) throws Exception {
    ask(stage, 1, Moves.typedEntity(stage, ENTITY));
    Cluster.get(stage.system()).down(stage.peer()); // so that this node can leave
  }

  /**
   * Asks in an actor named after the row, and waits for signals, of which the failure is one, and
   * until Pekko is done with the question: it may tell the asker before that.
   */
  private static void ask(Stage stage, int signals, EntityRef<? super Question> entity)
      throws Exception {
    AtomicReference<ActorRef> asker = new AtomicReference<>();
    stage.front(
        signals,
        f ->
            entity
                .<Done>ask(
                    replyTo -> {
                      asker.set(Adapter.toClassic(replyTo));
                      return new Question(Question.SILENT, replyTo);
                    },
                    TIMEOUT)
                .whenComplete((answer, failure) -> stage.signal()));
    Moves.until("the end of the question", () -> asker.get().isTerminated());
  }

  /** Keeps the region waiting for its shard. */
  private static final class Undecided extends ShardCoordinator.AbstractShardAllocationStrategy {
    private final CompletableFuture<Boolean> decided = new CompletableFuture<>();

    @Override
    public Future<ActorRef> allocateShard(
        ActorRef requester, String shardId, Map<ActorRef, IndexedSeq<String>> regions) {
      return FutureConverters.asScala(decided.thenApply(yes -> requester));
    }

    @Override
    public Future<Set<String>> rebalance(
        Map<ActorRef, IndexedSeq<String>> regions, Set<String> inProgress) {
      return FutureConverters.asScala(CompletableFuture.completedFuture(Set.of()));
    }
  }

  /** The entities of a row's own type, on this node only; they signal what they get. */
  private static final class Entities {
    private final Stage stage;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicReference<org.apache.pekko.actor.typed.ActorRef<Object>> last =
        new AtomicReference<>();
    private final AtomicReference<org.apache.pekko.actor.typed.ActorRef<ShardingEnvelope<Object>>>
        region = new AtomicReference<>();
    private final AtomicReference<org.apache.pekko.actor.typed.ActorRef<Object>> resting =
        new AtomicReference<>();

    Entities(Stage stage) {
      this.stage = stage;
    }

    EntityRef<Object> start(ShardCoordinator.ShardAllocationStrategy where) {
      EntityTypeKey<Object> key = EntityTypeKey.create(Object.class, stage.row());
      ClusterSharding sharding = ClusterSharding.get(Adapter.toTyped(stage.system()));
      ClusterShardingSettings settings =
          ClusterShardingSettings.create(Adapter.toTyped(stage.system()));
      Entity<Object, ShardingEnvelope<Object>> entity =
          Entity.of(key, this::entity)
              .withStopMessage(new Stop())
              .withSettings(
                  settings.withTuningParameters(
                      settings.tuningParameters().withBufferSize(BUFFER)));
      region.set(sharding.init(where == null ? entity : entity.withAllocationStrategy(where)));
      return sharding.entityRefFor(key, ENTITY);
    }

    org.apache.pekko.actor.typed.ActorRef<ShardingEnvelope<Object>> region() {
      return region.get();
    }

    /** The entity, which is there. */
    EntityRef<Object> started() throws Exception {
      EntityRef<Object> entity = start(null);
      entity
          .<Done>ask(There::new, Stage.PATIENCE)
          .toCompletableFuture()
          .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return entity;
    }

    private Behavior<Object> entity(EntityContext<Object> of) {
      return Behaviors.setup(
          context -> {
            last.set(context.getSelf());
            return Behaviors.receive(Object.class)
                .onMessage(There.class, there -> same(() -> there.replyTo().tell(new Done(0))))
                .onMessage(Work.class, work -> same(this::worked))
                .onMessage(Question.class, question -> questioned())
                .onMessage(Rest.class, rest -> same(() -> rests(of, context)))
                .onMessage(Stop.class, stop -> stopped(context))
                .onMessage(Go.class, go -> Behaviors.stopped())
                .onSignal(PostStop.class, stop -> same(this::ended))
                .build();
          });
    }

    private static void rests(EntityContext<Object> of, ActorContext<Object> context) {
      of.getShard().tell(new ClusterSharding.Passivate<>(context.getSelf()));
    }

    private static Behavior<Object> same(Runnable body) {
      body.run();
      return Behaviors.same();
    }

    private void worked() {
      stage.signal();
      awaitOver();
      stage.signal();
    }

    private Behavior<Object> questioned() {
      stage.signal();
      if (stage.row().equals("entity-slow")) {
        awaitOver();
        stage.signal();
      }
      return stage.row().equals("entity-stops") ? Behaviors.stopped() : Behaviors.same();
    }

    private void awaitOver() {
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** The first of a row that is about rest goes on. */
    private Behavior<Object> stopped(ActorContext<Object> context) {
      if (stage.row().equals("entity-rests") && resting.compareAndSet(null, context.getSelf())) {
        stage.signal();
        return Behaviors.same();
      }
      return Behaviors.stopped();
    }

    private void ended() {
      if (stage.row().equals("entity-stops")) {
        stage.signal();
      }
    }
  }
}
