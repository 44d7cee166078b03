// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Event;
import scenarios.Messages.Open;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Tick;
import scenarios.Messages.Work;

/** Messages that nobody processes, one in each place where a message can wait. */
final class Waiting {
  private static final String SETTINGS =
      """
      blocking { executor = thread-pool-executor, thread-pool-executor.fixed-pool-size = 2 }
      """;

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration OFTEN = Duration.ofMillis(100);

  private Waiting() {}

  static void addTo(Scenes all) {
    all.add("waiting", Waiting::run);
  }

  private static void run(Stage stage) throws Exception {
    stage.with(ClusterHistory.SETTINGS).with(SETTINGS);
    CountDownLatch never = new CountDownLatch(1);
    Props blocks = Props.create(Busy.class, () -> new Busy(never)).withDispatcher("blocking");
    ActorRef busy = stage.actor(blocks, "busy");
    ActorRef stashing = stage.actor(Props.create(Stashing.class, Stashing::new), "stashing");
    var gate = stage.typed(Gate.create(), "gate");
    org.apache.pekko.actor.typed.ActorRef<Object> typed =
        Adapter.spawn(
            stage.system(),
            Behaviors.receiveMessage(
                message -> {
                  await(never);
                  return Behaviors.same();
                }),
            "typed",
            DispatcherSelector.fromConfig("blocking"));
    // Its cluster has no members, so the region never finds its coordinator.
    ActorRef region =
        ClusterSharding.get(stage.system())
            .start(
                "orders",
                Echo.props(),
                ClusterShardingSettings.create(stage.system()),
                new CarryingShards.OneEntity());
    org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding shards =
        org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
            Adapter.toTyped(stage.system()));
    EntityTypeKey<Object> carts = EntityTypeKey.create(Object.class, "carts");
    var unusedRegion = shards.init(Entity.of(carts, context -> Behaviors.empty()));
    ActorRef deaf = stage.actor(Props.create(Deaf.class, Deaf::new), "deaf");
    ActorRef far =
        ((ExtendedActorSystem) stage.system())
            .provider()
            .resolveActorRef("pekko://far@127.0.0.1:1/user/nobody");
    stage.begin(
        1,
        f -> {
          for (int i = 0; i <= 3; i++) {
            busy.tell(new Work(i), f.getSelf());
          }
          stashing.tell(new Event("kept"), f.getSelf());
          gate.tell(new Gate.Enter(17, Adapter.toTyped(f.getSelf())));
          typed.tell(new Work(10));
          typed.tell(new Tick());
          region.tell(new Pong(), f.getSelf());
          Object[] unused = {
            Patterns.ask(busy, new Ping(), LONG),
            Patterns.ask(deaf, new Boom("unheard"), LONG),
            Patterns.askWithReplyTo(deaf, replyTo -> new Work(20), LONG),
            Patterns.ask(f.getContext().actorSelection("/user/deaf"), new Event("selected"), LONG),
            Patterns.ask(far, new Done(21), LONG),
            AskPattern.ask(
                typed,
                replyTo -> new Gate.Open(),
                LONG,
                Adapter.toTyped(stage.system()).scheduler()),
            shards.entityRefFor(carts, "17").ask(replyTo -> new Open(), LONG)
          };
          stage.signal();
        });
    stage
        .system()
        .scheduler()
        .scheduleAtFixedRate(
            OFTEN, OFTEN, far, new Done(18), stage.system().dispatcher(), ActorRef.noSender());
    stage
        .system()
        .scheduler()
        .scheduleAtFixedRate(
            OFTEN,
            OFTEN,
            stage.actor(Echo.props(), "echo"),
            new Work(19),
            stage.system().dispatcher(),
            ActorRef.noSender());
    await(never);
  }

  private static void await(CountDownLatch never) throws InterruptedException {
    boolean unused = never.await(LONG.toMinutes(), TimeUnit.MINUTES);
  }

  static final class Busy extends AbstractActor {
    private final CountDownLatch never;

    Busy(CountDownLatch never) {
      this.never = never;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> await(never)).build();
    }
  }

  /** Takes everything and never answers. */
  static final class Deaf extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> {}).build();
    }
  }

  static final class Stashing extends AbstractActorWithStash {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> stash()).build();
    }
  }
}
