// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.AskTimeoutException;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.pattern.StatusReply;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Ping;

/** Questions of the classic kind. */
public final class ClassicAsks {
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final Duration SHORT = Duration.ofMillis(60);

  private ClassicAsks() {}

  public static void addTo(Scenes all) {
    all.add(
        "classic-ask",
        ClassicAsks::answered,
        """
        process Begin at /user/front
          ask Ping at /user/back from /user/front
            process Ping at /user/back from /temp
          process Pong at /user/front
        """);
    all.add(
        "classic-ask-outside",
        ClassicAsks::outside,
        """
        ask Ping at /user/back
          process Ping at /user/back from /temp
        """);
    all.add(
        "classic-ask-timeout",
        ClassicAsks::timedOut,
        """
        process Begin at /user/front
          ask Ping at /user/silent from /user/front ! timeout, target processed
            process Ping at /user/silent from /temp
        """);
    all.add(
        "classic-ask-failure",
        ClassicAsks::failed,
        """
        process Begin at /user/front
          ask Boom at /user/back from /user/front ! java.lang.IllegalStateException
            process Boom at /user/back from /temp
        """);
    all.add(
        "classic-ask-callback",
        ClassicAsks::callback,
        """
        process Begin at /user/front
          ask Ping at /user/back from /user/front
            process Ping at /user/back from /temp
          process Done at /user/front from /user/front
        """);
    all.add(
        "classic-ask-status",
        s -> status(s, StatusReply.success(new Done(1))),
        """
        process Begin at /user/front
          ask Ping at /user/back from /user/front
            process Ping at /user/back from /temp
          process Done at /user/front
        """);
    all.add(
        "classic-ask-status-error",
        s -> status(s, StatusReply.error("no status")),
        """
        process Begin at /user/front
          ask Ping at /user/back from /user/front
            process Ping at /user/back from /temp
          process Failure at /user/front
        """);
  }

  /** The answer is piped to the asker as a message. */
  private static void answered(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    piped(stage, () -> Patterns.ask(back, new Ping(), LONG));
  }

  private static void outside(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    Patterns.ask(back, new Ping(), LONG).toCompletableFuture().get(90, TimeUnit.SECONDS);
  }

  private static void timedOut(Stage stage) throws Exception {
    ActorRef silent = stage.actor(Props.create(Silent.class), "silent");
    stage.begin(
        1,
        f ->
            Patterns.ask(silent, new Ping(), SHORT)
                .whenComplete(
                    (answer, failure) -> {
                      if (failure instanceof AskTimeoutException) {
                        stage.signal();
                      }
                    }));
    stage.awaitTimers();
  }

  private static void failed(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.begin(
        1,
        f ->
            Patterns.ask(back, new Boom("no"), LONG)
                .whenComplete(
                    (answer, failure) -> {
                      if (failure instanceof IllegalStateException
                          || failure instanceof CompletionException) {
                        stage.signal();
                      }
                    }));
  }

  /** Messages of the answer's callback belong to the asker's message. */
  private static void callback(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.begin(
        1,
        f -> {
          ActorRef self = f.getSelf();
          Patterns.ask(back, new Ping(), LONG).thenAccept(answer -> self.tell(new Done(1), self));
        });
  }

  /** The answer is piped to the asker, without its status. */
  private static void status(Stage stage, StatusReply<Done> reply) throws Exception {
    ActorRef back = stage.actor(Props.create(Replying.class, () -> new Replying(reply)), "back");
    piped(stage, () -> Patterns.askWithStatus(back, new Ping(), LONG));
  }

  private static void piped(Stage stage, Supplier<CompletionStage<Object>> ask) throws Exception {
    stage.begin(1, f -> Patterns.pipe(ask.get(), f.getContext().getDispatcher()).to(f.getSelf()));
  }

  static final class Replying extends AbstractActor {
    private final StatusReply<Done> reply;

    Replying(StatusReply<Done> reply) {
      this.reply = reply;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Ping.class, p -> getSender().tell(reply, getSelf())).build();
    }
  }

  static final class Silent extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> {}).build();
    }
  }
}
