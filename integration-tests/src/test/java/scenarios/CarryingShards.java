// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import scenarios.Carrying.Typed;
import scenarios.CarryingFar.Question;
import scenarios.Messages.Event;
import scenarios.Messages.Ping;

/**
 * Baggage as in {@link Carrying}, over a shard region, which keeps what it gets until it has found
 * its coordinator, and over the shard, which makes the entity that both customers meet in.
 */
public final class CarryingShards {
  private static final String ASKED =
      """
      process Event at /user/noting
        ask Question at /system/sharding/typed from /user/noting
          process Question at /system/sharding/typed/2/entity
        process Done at /user/noting
      """
          .repeat(2);

  private static final EntityTypeKey<Object> TYPED = EntityTypeKey.create(Object.class, "typed");

  private CarryingShards() {}

  private static String answered(String question, String from) {
    return """
        process Event at /user/noting
          process %s
            process Done at /user/noting%s
        """
        .formatted(question, from)
        .repeat(2);
  }

  public static void addTo(Scenes all) {
    all.add(
        "baggage-sharding",
        stage -> {
          ActorRef region = region(stage);
          Carrying.classic(stage, (a, e) -> region.tell(new Ping(), a.getSelf()));
        },
        answered(
            "Ping at /system/sharding/classic/0/entity from /user/noting",
            " from /system/sharding/classic/0/entity"));
    typed(
        all,
        "sharding",
        entity -> (a, e) -> entity.tell(new Question(a.context().getSelf())),
        answered("Question at /system/sharding/typed/2/entity", ""));
    typed(
        all,
        "sharding-ask",
        entity ->
            (a, e) ->
                a.context()
                    .ask(
                        Object.class,
                        entity,
                        Stage.PATIENCE,
                        Question::new,
                        (answer, failure) -> answer),
        ASKED);
  }

  private static ActorRef region(Stage stage) throws Exception {
    join(stage);
    return ClusterSharding.get(stage.system())
        .start(
            "classic",
            Props.create(CarryingFar.Answering.class),
            ClusterShardingSettings.create(stage.system()),
            new OneEntity());
  }

  private static void typed(
      Scenes all,
      String how,
      Function<EntityRef<Object>, BiConsumer<Typed, Event>> then,
      String traces) {
    all.add(
        "baggage-" + how + "-typed",
        stage -> {
          join(stage);
          var sharding =
              org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
                  Adapter.toTyped(stage.system()));
          sharding.init(Entity.of(TYPED, context -> CarryingFar.answering()));
          Carrying.typed(stage, then.apply(sharding.entityRefFor(TYPED, "entity")));
        },
        traces);
  }

  private static void join(Stage stage) throws Exception {
    Cluster cluster = Cluster.get(stage.with(ClusterHistory.SETTINGS).system());
    cluster.registerOnMemberUp(stage::signal);
    cluster.join(cluster.selfAddress());
    stage.await(1);
  }

  static final class OneEntity extends ShardRegion.HashCodeMessageExtractor {
    OneEntity() {
      super(1);
    }

    @Override
    public String entityId(Object message) {
      return "entity";
    }
  }
}
