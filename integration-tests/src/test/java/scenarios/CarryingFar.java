// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.routing.RoundRobinPool;
import scenarios.Carrying.Noting;
import scenarios.Carrying.Typed;
import scenarios.Messages.Done;
import scenarios.Messages.Event;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Tick;

/** Baggage as in {@link Carrying}, over what stands between who sends and who processes. */
public final class CarryingFar {
  private static final String LISTENED = Carrying.once("DeadLetter at /user/listener");
  private static final Duration SOON = Duration.ofMillis(20);

  private CarryingFar() {}

  private static String asked(String question, String from) {
    return """
        process Event at /user/noting
          ask %1$s at /user/asked from /user/noting
            process %1$s at /user/asked%2$s
          process Done at /user/noting
        """
        .formatted(question, from);
  }

  public static void addTo(Scenes all) {
    classic(all, "ask", CarryingFar::asking, asked("Ping", " from /temp"));
    classic(
        all,
        "pipe",
        stage ->
            (a, e) ->
                Patterns.pipe(
                        CompletableFuture.supplyAsync(() -> new Done(1)),
                        a.getContext().getDispatcher())
                    .to(a.getSelf()),
        Carrying.DONE);
    classic(
        all,
        "schedule",
        stage ->
            (a, e) ->
                a.getContext()
                    .getSystem()
                    .scheduler()
                    .scheduleOnce(
                        SOON,
                        a.getSelf(),
                        new Tick(),
                        a.getContext().getDispatcher(),
                        ActorRef.noSender()),
        Carrying.TICK);
    classic(
        all,
        "router",
        stage -> {
          ActorRef router = stage.actor(new RoundRobinPool(2).props(noting(stage)), "router");
          return (a, e) -> router.tell(new Done(1), ActorRef.noSender());
        },
        Carrying.once("Done at /user/router/$"));
    classic(
        all,
        "event-stream",
        stage -> {
          stage
              .system()
              .getEventStream()
              .subscribe(stage.actor(noting(stage), "listener"), Done.class);
          return (a, e) -> a.getContext().getSystem().getEventStream().publish(new Done(1));
        },
        Carrying.once("Done at /user/listener"));
    classic(all, "dead-letter", CarryingFar::deadLetter, LISTENED);
    classic(all, "dead-letter-remote", CarryingFar::remoteDeadLetter, LISTENED);
    typed(
        all,
        "ask",
        stage -> {
          var asked = stage.typed(answering(), "asked");
          return (a, e) ->
              a.context()
                  .ask(
                      Object.class,
                      asked,
                      Stage.PATIENCE,
                      Question::new,
                      (answer, failure) -> answer);
        },
        asked("Question", ""));
    typed(
        all,
        "pipe",
        stage ->
            (a, e) ->
                a.context()
                    .pipeToSelf(
                        CompletableFuture.supplyAsync(() -> new Done(1)), (done, failure) -> done),
        Carrying.DONE);
    typed(
        all,
        "schedule",
        stage -> (a, e) -> a.context().scheduleOnce(SOON, a.context().getSelf(), new Tick()),
        Carrying.TICK);
    typed(
        all,
        "adapter",
        stage ->
            (a, e) -> a.context().messageAdapter(Pong.class, p -> new Done(1)).tell(new Pong()),
        Carrying.DONE);
    typed(
        all,
        "router",
        stage -> {
          var router = stage.typed(Routers.pool(2, Carrying.noting(stage, (a, e) -> {})), "router");
          return (a, e) -> router.tell(new Done(1));
        },
        Carrying.once("Done at /user/router/$"));
    typed(all, "event-stream", CarryingFar::typedEvents, Carrying.once("Done at /user/listener"));
    typed(all, "dead-letter", CarryingFar::typedDeadLetter, LISTENED);
  }

  private static void classic(
      Scenes all, String how, Function<Stage, BiConsumer<Noting, Event>> then, String once) {
    all.add("baggage-" + how, stage -> Carrying.classic(stage, then.apply(stage)), once + once);
  }

  private static void typed(
      Scenes all, String how, Function<Stage, BiConsumer<Typed, Event>> then, String once) {
    all.add(
        "baggage-" + how + "-typed",
        stage -> Carrying.typed(stage, then.apply(stage)),
        once + once);
  }

  private static Props noting(Stage stage) {
    return Props.create(Noting.class, () -> new Noting(stage, (a, e) -> {}));
  }

  private static BiConsumer<Noting, Event> asking(Stage stage) {
    ActorRef asked = stage.actor(Props.create(Answering.class), "asked");
    return (a, e) ->
        Patterns.pipe(
                Patterns.ask(asked, new Ping(), Stage.PATIENCE), a.getContext().getDispatcher())
            .to(a.getSelf());
  }

  /** The listener processes the dead letter where it was sent. */
  private static BiConsumer<Noting, Event> deadLetter(Stage stage) {
    ActorRef gone = stage.actor(noting(stage), "gone");
    Patterns.gracefulStop(gone, Stage.PATIENCE).toCompletableFuture().join();
    stage
        .system()
        .getEventStream()
        .subscribe(stage.actor(noting(stage), "listener"), DeadLetter.class);
    return (a, e) -> gone.tell(new Done(1), ActorRef.noSender());
  }

  /** Given up by the streams of the connection, together, since nobody listens at that port. */
  private static BiConsumer<Noting, Event> remoteDeadLetter(Stage stage) {
    stage.with(
        """
        pekko.actor.provider = remote
        pekko.actor.allow-java-serialization = on
        pekko.remote.use-unsafe-remote-features-outside-cluster = on
        pekko.remote.artery {
          canonical { hostname = "127.0.0.1", port = 0 }
          # A later connection may leave dead letters, too.
          advanced { handshake-timeout = 2s, outbound-restart-backoff = 1m }
        }
        """);
    ActorRef gone =
        ((ExtendedActorSystem) stage.system())
            .provider()
            .resolveActorRef("pekko://nobody@127.0.0.1:1/user/nobody");
    stage
        .system()
        .getEventStream()
        .subscribe(stage.actor(noting(stage), "listener"), DeadLetter.class);
    return (a, e) -> gone.tell(new Done(1), ActorRef.noSender());
  }

  /** The same, typed. */
  private static BiConsumer<Typed, Event> typedDeadLetter(Stage stage) {
    var gone = stage.typed(answering(), "gone");
    Patterns.gracefulStop(Adapter.toClassic(gone), Stage.PATIENCE).toCompletableFuture().join();
    var listener = stage.typed(Carrying.noting(stage, (a, e) -> {}), "listener");
    stage.system().getEventStream().subscribe(Adapter.toClassic(listener), DeadLetter.class);
    return (a, e) -> gone.tell(new Done(1));
  }

  /** This thread's message to the stream comes before what it makes others tell it. */
  private static BiConsumer<Typed, Event> typedEvents(Stage stage) {
    var stream = Adapter.toTyped(stage.system()).eventStream();
    var listener = stage.typed(Carrying.noting(stage, (a, e) -> {}), "listener");
    stream.tell(new EventStream.Subscribe<>(Done.class, listener.narrow()));
    return (a, e) -> stream.tell(new EventStream.Publish<>(new Done(1)));
  }

  record Question(org.apache.pekko.actor.typed.ActorRef<Object> replyTo) {}

  static Behavior<Object> answering() {
    return Behaviors.receive(Object.class)
        .onMessage(
            Question.class,
            q -> {
              Carrying.note();
              q.replyTo().tell(new Done(1));
              return Behaviors.same();
            })
        .build();
  }

  static final class Answering extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Ping.class,
              p -> {
                Carrying.note();
                getSender().tell(new Done(1), getSelf());
              })
          .build();
    }
  }
}
