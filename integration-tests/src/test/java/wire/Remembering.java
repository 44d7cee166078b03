// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import wire.Messages.Done;
import wire.Messages.Work;

/** Remembered entities of a node that leaves, which start anew on the one that stays. */
final class Remembering {
  private static final String CLASSIC = "starting-anew";
  private static final EntityTypeKey<Object> TYPED =
      EntityTypeKey.create(Object.class, "typed-starting-anew");
  private static final String LEAVER = "leaver";

  private Remembering() {}

  static void addTo(Rows all) {
    all.add("remembered-there", stage -> there(stage, CLASSIC, classic(stage)));
    all.add("remembered-typed-there", stage -> there(stage, TYPED.name(), typed(stage)));
    all.add("remembered-left", stage -> left(stage, CLASSIC + "/5/5", classic(stage)));
    all.add(
        "remembered-typed-left",
        stage ->
            left(
                stage, TYPED.name() + "/" + Moves.typedShard(LEAVER) + "/" + LEAVER, typed(stage)));
  }

  static void start(ActorSystem system) {
    var sharding =
        org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
            Adapter.toTyped(system));
    sharding.init(
        Entity.of(TYPED, context -> starting())
            .withSettings(
                ClusterShardingSettings.create(Adapter.toTyped(system)).withRememberEntities(true))
            .withAllocationStrategy(new Elsewhere()));
    ClusterSharding.get(system)
        .start(
            CLASSIC,
            Props.create(ClusterServices.Starting.class),
            org.apache.pekko.cluster.sharding.ClusterShardingSettings.create(system)
                .withRememberEntities(true),
            ClusterServices.extractor(),
            new Elsewhere(),
            PoisonPill.getInstance());
  }

  /** An entity that tells itself when it starts. */
  private static Behavior<Object> starting() {
    return Behaviors.setup(
        context -> {
          context.getSelf().tell(new ClusterServices.Started());
          return Behaviors.receive(Object.class)
              .onMessage(
                  Services.Question.class,
                  q -> {
                    q.replyTo().tell(new Done(q.number(), q.token()));
                    return Behaviors.same();
                  })
              .onMessage(ClusterServices.Started.class, s -> Behaviors.same())
              .build();
        });
  }

  private static Consumer<Front> classic(Stage stage) {
    ActorRef region = ClusterSharding.get(stage.system()).shardRegion(CLASSIC);
    return f -> region.tell(new Work(5), f.getSelf());
  }

  private static Consumer<Front> typed(Stage stage) {
    EntityRef<Object> entity =
        org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
                Adapter.toTyped(stage.system()))
            .entityRefFor(TYPED, LEAVER);
    return f -> entity.tell(new Services.Question(1, Adapter.toTyped(f.getSelf())));
  }

  /** A message starts the entity on the other node. */
  private static void there(Stage stage, String type, Consumer<Front> send) throws Exception {
    Elsewhere.awaitRegions(stage, type);
    stage.front(1, send);
  }

  /** The entity is here before anybody sends to it. */
  private static void left(Stage stage, String path, Consumer<Front> send) throws Exception {
    Moves.until(
        "the remembered entity",
        () ->
            stage
                .system()
                .actorSelection("/system/sharding/" + path)
                .resolveOne(Duration.ofSeconds(5))
                .toCompletableFuture()
                .handle((here, failure) -> failure == null)
                .get(90, TimeUnit.SECONDS));
    stage.front(1, send);
  }
}
