// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.ReceiveTimeout;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings.PassivationStrategySettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.pattern.Patterns;
import wire.Messages.Begin;
import wire.Messages.Done;
import wire.Messages.Work;

/** Entities that are put to rest: by themselves, by a time-out of theirs, or by their shard. */
public final class Passivating {
  /** Long enough to be a pause, for a row that waits for its end. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private Passivating() {}

  public static void addTo(Rows all) {
    all.add(
        "passivate",
        Passivating::asked,
        """
              process Begin at a/user/passivate
                process Rest at a/system/sharding/passivate/9/1
                  process Stop at a/system/sharding/passivate/9/1
              process Begin at a/user/passivate
                process Work at a/system/sharding/passivate/9/1
                  process Done at a/user/passivate
              """);
    all.add(
        "passivate-typed",
        Passivating::typed,
        """
              process Begin at a/user/passivate-typed
                process Question at a/system/sharding/passivate-typed/7/entity
                  process Done at a/user/passivate-typed
              process Begin at a/user/passivate-typed
                process Rest at a/system/sharding/passivate-typed/7/entity
                  process Stop at a/system/sharding/passivate-typed/7/entity
              """);
    all.add(
        "passivate-buffered",
        Passivating::buffered,
        """
              process Begin at a/user/passivate-buffered
                process Go at a/system/sharding/passivate-buffered/9/1
              process Begin at a/user/passivate-buffered
                process Rest at a/system/sharding/passivate-buffered/9/1
                  process Stop at a/system/sharding/passivate-buffered/9/1
              process Begin at a/user/passivate-buffered
                process Work at a/system/sharding/passivate-buffered/9/1
                  process Done at a/user/passivate-buffered
              process Begin at a/user/passivate-buffered
                process Work at a/system/sharding/passivate-buffered/9/1
                  process Done at a/user/passivate-buffered
              """);
    all.add(
        "passivate-idle",
        Passivating::idle,
        """
          process Begin at a/user/passivate-idle
            process Work at a/system/sharding/passivate-idle/9/1
              process Done at a/user/passivate-idle
          process Begin at a/user/passivate-idle
            process Work at a/system/sharding/passivate-idle/9/1
              process Done at a/user/passivate-idle
          process Stop at a/system/sharding/passivate-idle/9/1
          process Stop at a/system/sharding/passivate-idle/9/1
          """);
    all.add(
        "passivate-timeout",
        Passivating::timeout,
        """
          process Begin at a/user/passivate-timeout
            process Work at a/system/sharding/passivate-timeout/9/1
              process Done at a/user/passivate-timeout
          process ReceiveTimeout at a/system/sharding/passivate-timeout/9/1
            process Stop at a/system/sharding/passivate-timeout/9/1
          """);
    all.add(
        "passivate-typed-timeout",
        Passivating::typedTimeout,
        """
          process Begin at a/user/passivate-typed-timeout
            process Question at a/system/sharding/passivate-typed-timeout/7/entity
              process Done at a/user/passivate-typed-timeout
          process ReceiveTimeout at a/system/sharding/passivate-typed-timeout/7/entity
            process Stop at a/system/sharding/passivate-typed-timeout/7/entity
          """);
  }

  record Rest() implements Serializable {}

  record Stop() implements Serializable {}

  record Go() implements Serializable {}

  record Idle() implements Serializable {}

  /** The entity asks its shard for the stop message. */
  private static void asked(Stage stage) throws Exception {
    ActorRef region = region(stage, Entities.of(stage), null);
    ActorRef front =
        front(
            stage,
            List.of(
                f -> region.tell(new Work(1), f.getSelf()),
                f -> region.tell(new Rest(), f.getSelf())));
    begin(front);
    stage.await(1); // answered
    begin(front);
    stage.await(1); // stopped
  }

  /** Messages for an entity that has its stop message, but has not stopped yet. */
  private static void buffered(Stage stage) throws Exception {
    Entities entities = Entities.lingering(stage);
    ActorRef region = region(stage, entities, null);
    ActorRef front =
        front(
            stage,
            List.of(
                f -> region.tell(new Work(1), f.getSelf()),
                f -> region.tell(new Rest(), f.getSelf()),
                f -> {
                  region.tell(new Work(1), f.getSelf());
                  stage.signal();
                },
                f -> entities.first.get().tell(new Go(), f.getSelf())));
    begin(front);
    stage.await(1); // answered
    begin(front);
    stage.await(1); // about to stop
    begin(front);
    stage.await(1); // sent
    // A shard that tells of itself has taken what was sent to it before.
    Patterns.ask(region, ShardRegion.getShardRegionStateInstance(), Stage.PATIENCE)
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
    begin(front);
    stage.await(2); // stopped, and answered by the next
    if (entities.born.get() != 2) {
      throw new IllegalStateException("entities: " + entities.born.get());
    }
  }

  /** The shard's own tick finds the entity idle, twice. */
  private static void idle(Stage stage) throws Exception {
    ActorRef region = region(stage, Entities.of(stage), PAUSE);
    Consumer<Front> work = f -> region.tell(new Work(1), f.getSelf());
    ActorRef front = front(stage, List.of(work, work));
    begin(front);
    stage.await(2); // answered, stopped
    begin(front);
    stage.await(2);
  }

  private static void timeout(Stage stage) throws Exception {
    ActorRef region = region(stage, Entities.impatient(stage), null);
    begin(front(stage, List.of(f -> region.tell(new Work(1), f.getSelf()))));
    stage.await(2); // answered, stopped
  }

  private static void typed(Stage stage) throws Exception {
    EntityRef<Object> entity = entity(stage, false);
    ActorRef front =
        front(stage, List.of(f -> entity.tell(question(f)), f -> entity.tell(new Rest())));
    begin(front);
    stage.await(1); // answered
    begin(front);
    stage.await(1); // stopped
  }

  private static void typedTimeout(Stage stage) throws Exception {
    EntityRef<Object> entity = entity(stage, true);
    begin(front(stage, List.of(f -> entity.tell(question(f)))));
    stage.await(2); // answered, stopped
  }

  private static Services.Question question(Front front) {
    return new Services.Question(1, Adapter.toTyped(front.getSelf()));
  }

  /** Does one step with each {@link Begin}, and each of them is a trace. */
  private static ActorRef front(Stage stage, List<Consumer<Front>> steps) {
    Deque<Consumer<Front>> left = new ArrayDeque<>(steps);
    return stage.front(f -> left.remove().accept(f));
  }

  private static void begin(ActorRef front) {
    front.tell(new Begin(), ActorRef.noSender());
  }

  /** On this node only, so the shards are here, too. */
  private static ActorRef region(Stage stage, Entities entities, Duration idle) {
    ClusterSharding sharding = ClusterSharding.get(stage.system());
    PassivationStrategySettings none =
        ClusterShardingSettings.PassivationStrategySettings$.MODULE$.disabled();
    return sharding.start(
        stage.row(),
        Props.create(Resting.class, () -> new Resting(entities)),
        ClusterShardingSettings.create(stage.system())
            .withPassivationStrategy(
                idle == null ? none : none.withIdleEntityPassivation(idle, idle.dividedBy(4))),
        new ShardRegion.HashCodeMessageExtractor(10) {
          @Override
          public String entityId(Object message) {
            return "1";
          }
        },
        sharding.defaultShardAllocationStrategy(ClusterShardingSettings.create(stage.system())),
        new Stop());
  }

  private static EntityRef<Object> entity(Stage stage, boolean impatient) {
    EntityTypeKey<Object> key = EntityTypeKey.create(Object.class, stage.row());
    var sharding =
        org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
            Adapter.toTyped(stage.system()));
    sharding.init(
        Entity.of(key, context -> resting(stage, context.getShard(), impatient))
            .withStopMessage(new Stop()));
    return sharding.entityRefFor(key, "entity");
  }

  private static Behavior<Object> resting(
      Stage stage,
      org.apache.pekko.actor.typed.ActorRef<
              org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.ShardCommand>
          shard,
      boolean impatient) {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Object.class)
                .onMessage(
                    Services.Question.class,
                    q -> {
                      q.replyTo().tell(new Done(q.number()));
                      if (impatient) {
                        context.setReceiveTimeout(PAUSE, new Idle());
                      }
                      return Behaviors.same();
                    })
                .onMessage(
                    Object.class,
                    message -> {
                      if (message instanceof Stop) {
                        return Behaviors.stopped();
                      }
                      context.cancelReceiveTimeout();
                      shard.tell(
                          new org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding
                              .Passivate<>(context.getSelf()));
                      return Behaviors.same();
                    })
                .onSignal(
                    PostStop.class,
                    stopped -> {
                      stage.signal();
                      return Behaviors.same();
                    })
                .build());
  }

  /** The common state of the entities of a region. */
  private static final class Entities {
    private final Stage stage;
    private final boolean linger;
    private final boolean impatient;
    private final AtomicInteger born = new AtomicInteger();
    private final AtomicReference<ActorRef> first = new AtomicReference<>();

    private Entities(Stage stage, boolean linger, boolean impatient) {
      this.stage = stage;
      this.linger = linger;
      this.impatient = impatient;
    }

    static Entities of(Stage stage) {
      return new Entities(stage, false, false);
    }

    /** The first of them does not stop when it is told, but later. */
    static Entities lingering(Stage stage) {
      return new Entities(stage, true, false);
    }

    static Entities impatient(Stage stage) {
      return new Entities(stage, false, true);
    }
  }

  /** Answers, and asks its shard to be stopped. */
  static final class Resting extends AbstractActor {
    private final Entities entities;

    Resting(Entities entities) {
      this.entities = entities;
      entities.born.incrementAndGet();
      entities.first.compareAndSet(null, getSelf());
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                getSender().tell(new Done(w.number()), getSelf());
                if (entities.impatient) {
                  getContext().setReceiveTimeout(PAUSE);
                }
              })
          .match(Rest.class, r -> rest())
          .match(ReceiveTimeout.class, t -> rest())
          .match(Stop.class, s -> stop())
          .match(Go.class, g -> getContext().stop(getSelf()))
          .build();
    }

    private void rest() {
      getContext().cancelReceiveTimeout();
      getContext().getParent().tell(new ShardRegion.Passivate(new Stop()), getSelf());
    }

    private void stop() {
      if (entities.linger && getSelf().equals(entities.first.get())) {
        entities.stage.signal();
      } else {
        getContext().stop(getSelf());
      }
    }

    @Override
    public void postStop() {
      entities.stage.signal();
    }
  }
}
