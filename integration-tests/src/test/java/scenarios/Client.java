// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Does one thing when told to start; everything else it gets it signals. */
final class Client extends AbstractBehavior<Client.Command> {
  interface Command {}

  record Start() implements Command {}

  record Adapted(Object from) implements Command {}

  record Failed(Throwable why) implements Command {}

  record Ticked() implements Command {}

  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(90);

  private final TimerScheduler<Command> timers;
  private final Stage stage;
  private final ActorRef<Server.Command> server;
  private final Function<Client, Behavior<Command>> how;

  Client(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Stage stage,
      ActorRef<Server.Command> server,
      Function<Client, Behavior<Command>> how) {
    super(context);
    this.timers = timers;
    this.stage = stage;
    this.server = server;
    this.how = how;
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Start.class, s -> how.apply(this))
        .onMessage(
            Command.class,
            c -> {
              stage.signal();
              return this;
            })
        .build();
  }

  /** The answer goes to a child of its own kind. */
  Behavior<Command> tell() {
    ActorRef<Server.Answer> answers = getContext().spawn(TypedSending.answers(stage), "answers");
    server.tell(new Server.Question(1, answers));
    return this;
  }

  Behavior<Command> ask() {
    getContext()
        .<Server.Command, Server.Answer>ask(
            Server.Answer.class,
            server,
            LONG,
            replyTo -> new Server.Question(1, replyTo),
            (answer, failure) -> failure == null ? new Adapted(answer) : new Failed(failure));
    return this;
  }

  Behavior<Command> askStatus() {
    getContext()
        .<Server.Command, Server.Answer>askWithStatus(
            Server.Answer.class,
            server,
            LONG,
            Server.StatusQuestion::new,
            (answer, failure) -> failure == null ? new Adapted(answer) : new Failed(failure));
    return this;
  }

  Behavior<Command> askInVain() {
    getContext()
        .<Server.Command, Server.Answer>ask(
            Server.Answer.class,
            server,
            Duration.ofMillis(60),
            Server.Ignored::new,
            (answer, failure) -> failure == null ? new Adapted(answer) : new Failed(failure));
    return this;
  }

  Behavior<Command> adapter() {
    ActorRef<Server.Answer> adapter =
        getContext().messageAdapter(Server.Answer.class, Adapted::new);
    server.tell(new Server.Question(1, adapter));
    return this;
  }

  Behavior<Command> pipe() {
    getContext()
        .pipeToSelf(
            CompletableFuture.supplyAsync(() -> 1),
            (answer, failure) -> failure == null ? new Adapted(answer) : new Failed(failure));
    return this;
  }

  Behavior<Command> timer() {
    timers.startSingleTimer(new Ticked(), SOON);
    return this;
  }

  Behavior<Command> schedule() {
    getContext().scheduleOnce(SOON, getContext().getSelf(), new Ticked());
    return this;
  }

  /** The event stream is an actor here, and both ways to it are messages. */
  Behavior<Command> eventStream() {
    ActorRef<EventStream.Command> stream = getContext().getSystem().eventStream();
    ActorRef<Server.Answer> listener = getContext().spawn(TypedSending.answers(stage), "listener");
    stream.tell(new EventStream.Subscribe<>(Server.Answer.class, listener));
    stream.tell(new EventStream.Publish<>(new Server.Answer(1)));
    return this;
  }
}
