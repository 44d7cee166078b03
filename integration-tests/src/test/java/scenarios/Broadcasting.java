// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.pubsub.Topic;
import scenarios.Messages.Begin;
import scenarios.Messages.Event;
import scenarios.Messages.Ping;

/** Messages that reach whoever wants them: by a topic, or as dead letters. */
public final class Broadcasting {
  private static final String LISTENED =
      """
      process Begin at /user/front
        process DeadLetter at /user/listener
      """;

  private Broadcasting() {}

  public static void addTo(Scenes all) {
    all.add(
        "topic",
        Broadcasting::topic,
        """
        process Begin at /user/publisher
          process Event at /user/one
          process Event at /user/two
        """);
    all.add("dead-letter", Broadcasting::deadLetter, LISTENED);
    all.add("dead-letter-typed", Broadcasting::deadLetterTyped, LISTENED);
  }

  private static void topic(Stage stage) throws Exception {
    var topic = stage.typed(Topic.create(Event.class, "news"), "topic");
    for (String name : new String[] {"one", "two"}) {
      topic.tell(
          Topic.subscribe(
              stage.typed(
                  Behaviors.<Event>receiveMessage(
                      event -> {
                        stage.signal();
                        return Behaviors.same();
                      }),
                  name)));
    }
    while (subscribers(stage, topic) < 2) {
      Thread.onSpinWait();
    }
    stage
        .typed(
            Behaviors.<Begin>receiveMessage(
                begin -> {
                  topic.tell(Topic.publish(new Event("new")));
                  return Behaviors.same();
                }),
            "publisher")
        .tell(new Begin());
    stage.await(2);
  }

  private static int subscribers(
      Stage stage, org.apache.pekko.actor.typed.ActorRef<Topic.Command<Event>> topic)
      throws Exception {
    return AskPattern.<Topic.Command<Event>, Topic.TopicStats>ask(
            topic,
            Topic::getTopicStats,
            Duration.ofSeconds(90),
            Adapter.toTyped(stage.system()).scheduler())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS)
        .localSubscriberCount();
  }

  /** A message to an actor that is not there any more goes to its listeners. */
  private static void deadLetter(Stage stage) throws Exception {
    ActorRef gone = stage.actor(Echo.props(), "gone");
    ActorRef listener = stage.front("listener", f -> {});
    stage.system().getEventStream().subscribe(listener, DeadLetter.class);
    stage.system().stop(gone);
    while (!gone.isTerminated()) {
      Thread.onSpinWait();
    }
    stage.begin(1, f -> gone.tell(new Ping(), f.getSelf()));
  }

  private static void deadLetterTyped(Stage stage) throws Exception {
    var gone = stage.typed(Behaviors.<Ping>stopped(), "gone");
    var listener =
        stage.typed(
            Behaviors.<DeadLetter>receiveMessage(
                letter -> {
                  stage.signal();
                  return Behaviors.same();
                }),
            "listener");
    stage.system().getEventStream().subscribe(Adapter.toClassic(listener), DeadLetter.class);
    while (!Adapter.toClassic(gone).isTerminated()) {
      Thread.onSpinWait();
    }
    stage
        .typed(
            Behaviors.<Begin>receiveMessage(
                begin -> {
                  gone.tell(new Ping());
                  return Behaviors.same();
                }),
            "front")
        .tell(new Begin());
    stage.await(1);
  }
}
