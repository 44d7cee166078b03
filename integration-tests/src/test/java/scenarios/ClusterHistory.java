// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import static scenarios.WholeHistories.sentBy;

import java.io.Serializable;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.SingletonActor;
import scenarios.Messages.Done;
import scenarios.Messages.Open;

/** Entities of a cluster of one, put to rest and woken up, and a singleton. */
final class ClusterHistory {
  private static final int ENTITIES = 12;
  private static final int EACH = 20;

  static final String SETTINGS =
      """
      pekko.actor.provider = cluster
      pekko.actor.allow-java-serialization = on
      pekko.actor.warn-about-java-serializer-usage = off
      pekko.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
      pekko.cluster.jmx.enabled = off
      pekko.cluster.downing-provider-class = ""
      pekko.cluster.sharding.number-of-shards = 5
      pekko.cluster.sharding.passivation.strategy = none
      pekko.coordinated-shutdown.exit-jvm = off
      """;

  private ClusterHistory() {}

  static void addTo(Scenes all) {
    all.add("history-cluster", s -> WholeHistories.write(s, SETTINGS, book -> run(s, book)));
  }

  /** For an entity, of either kind. */
  record Envelope(int entity, Object message) implements Serializable {}

  record Task(int number) implements Serializable {}

  /** Asks to be put to rest. */
  record Rest() implements Serializable {}

  private static void run(Stage stage, Book book) throws Exception {
    Cluster cluster = Cluster.get(stage.system());
    cluster.registerOnMemberUp(book::signal);
    cluster.join(cluster.selfAddress());
    stage.await(1);
    classic(stage, book);
    typed(stage, book);
    var singleton =
        ClusterSingleton.get(Adapter.toTyped(stage.system()))
            .init(SingletonActor.of(singleton(book), "singleton"));
    for (int i = 0; i < EACH; i++) {
      singleton.tell(new Task(i));
    }
    stage.await(EACH);
  }

  private static void classic(Stage stage, Book book) throws Exception {
    ActorRef region =
        ClusterSharding.get(stage.system())
            .start(
                "classic",
                Props.create(Classic.class, book),
                ClusterShardingSettings.create(stage.system()),
                new Extractor());
    ActorRef sender = stage.actor(Props.create(Sender.class, book), "sender");
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < EACH; i++) {
        for (int entity = 0; entity < ENTITIES; entity++) {
          region.tell(new Envelope(entity, i == 10 ? new Rest() : new Task(i)), sender);
        }
      }
      stage.await(ENTITIES * EACH); // answered, or at rest
    }
  }

  private static void typed(Stage stage, Book book) throws Exception {
    EntityTypeKey<Object> key = EntityTypeKey.create(Object.class, "typed");
    var sharding =
        org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
            Adapter.toTyped(stage.system()));
    sharding.init(
        Entity.of(
                key,
                context -> typed(book, context.getShard(), "typed entity " + context.getEntityId()))
            .withStopMessage(new Open()));
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < EACH; i++) {
        for (int entity = 0; entity < ENTITIES; entity++) {
          sharding
              .entityRefFor(key, String.valueOf(entity))
              .tell(i == 10 ? new Rest() : new Task(i));
        }
      }
      stage.await(ENTITIES * EACH);
    }
    Object answer =
        sharding
            .entityRefFor(key, "0")
            .<Done>ask(to -> new Question(to), Stage.PATIENCE)
            .toCompletableFuture()
            .get();
    book.write("outside", answer.toString());
  }

  record Question(org.apache.pekko.actor.typed.ActorRef<Done> replyTo) implements Serializable {}

  static final class Extractor extends ShardRegion.HashCodeMessageExtractor {
    Extractor() {
      super(5);
    }

    @Override
    public String entityId(Object message) {
      return String.valueOf(((Envelope) message).entity());
    }

    @Override
    public Object entityMessage(Object message) {
      return ((Envelope) message).message();
    }
  }

  static final class Sender extends AbstractActor {
    private final Book book;

    Sender(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              m -> {
                book.write("/user/sender from entity " + getSender().path().name(), m.toString());
                book.signal();
              })
          .build();
    }
  }

  /** The entity that takes what comes while one of two is put to rest is nobody's promise. */
  static final class Classic extends AbstractActor {
    private final Book book;
    private final String me = "entity " + getSelf().path().name();

    Classic(Book book) {
      this.book = book;
    }

    @Override
    public void postStop() {
      book.signal();
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Rest.class,
              r -> {
                book.write(me, r + sentBy(getSender()));
                getContext()
                    .getParent()
                    .tell(new ShardRegion.Passivate(PoisonPill.getInstance()), getSelf());
              })
          .match(
              Task.class,
              t -> {
                book.write(me, t + sentBy(getSender()));
                getSender().tell(new Done(t.number()), getSelf());
              })
          .build();
    }
  }

  private static Behavior<Object> typed(
      Book book,
      org.apache.pekko.actor.typed.ActorRef<
              org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.ShardCommand>
          shard,
      String me) {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Object.class)
                .onMessage(
                    Rest.class,
                    r -> {
                      book.write(me, r.toString());
                      shard.tell(
                          new org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding
                              .Passivate<>(context.getSelf()));
                      return Behaviors.same();
                    })
                .onMessage(
                    Task.class,
                    t -> {
                      book.write(me, t.toString());
                      book.signal();
                      return Behaviors.same();
                    })
                .onMessage(
                    Question.class,
                    q -> {
                      book.write(me, "asked");
                      q.replyTo().tell(new Done(1));
                      return Behaviors.same();
                    })
                .onMessage(Open.class, o -> Behaviors.stopped())
                .onSignal(
                    PostStop.class,
                    s -> {
                      book.signal();
                      return Behaviors.same();
                    })
                .build());
  }

  private static Behavior<Object> singleton(Book book) {
    return Behaviors.receive(
        (context, message) -> {
          book.write("singleton", message.toString());
          book.signal();
          return Behaviors.same();
        });
  }
}
