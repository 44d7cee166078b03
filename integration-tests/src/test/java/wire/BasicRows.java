// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.routing.RoundRobinGroup;
import wire.Messages.Done;
import wire.Messages.Large;
import wire.Messages.WhatBaggage;
import wire.Messages.WhatTracestate;
import wire.Messages.Work;

/** The abilities of every transport. */
public final class BasicRows {
  private BasicRows() {}

  public static void addTo(Rows all) {
    all.add(
        "tell",
        BasicRows::tell,
        """
              process Begin at a/user/tell
                process Work at b/user/echo
                  process Done at a/user/tell
              """);
    all.add(
        "forward",
        BasicRows::forward,
        """
              process Begin at a/user/forward
                process Work at a/user/forward-middle
                  process Work at b/user/echo
                    process Done at a/user/forward
              """);
    all.like("tell", "selection", BasicRows::selection);
    all.add(
        "ask",
        BasicRows::ask,
        """
              process Begin at a/user/ask
                ask Work at a/user/echo
                  process Work at b/user/echo
                process Done at a/user/ask
              """);
    all.add(
        "ask-typed",
        BasicRows::askTyped,
        """
              process Begin at a/user/ask-typed
                ask Question at a/user/typed
                  process Question at b/user/typed
                process Done at a/user/ask-typed
              """);
    all.add(
        "ask-timeout",
        BasicRows::askTimeout,
        """
              process Begin at a/user/ask-timeout
                ask Done at a/user/echo ! timeout
                  process Done at b/user/echo
              """);
    all.like("ask-timeout", "selection-timeout", BasicRows::selectionTimeout);
    all.add(
        "baggage",
        BasicRows::baggage,
        """
              process Begin at a/user/baggage
                process WhatBaggage at b/user/echo
                  process Baggages at a/user/baggage
              """);
    all.add(
        "tracestate",
        BasicRows::tracestate,
        """
              request at a
                process Begin at a/user/tracestate
                  process WhatTracestate at b/user/echo
                    process Tracestates at a/user/tracestate
              """);
    all.add(
        "large",
        BasicRows::large,
        """
              process Begin at a/user/large
                process Large at b/user/echo-large
                  process Done at a/user/large
              """);
    all.add(
        "router",
        BasicRows::router,
        """
              process Begin at a/user/router
                process Work at b/user/echo
                  process Done at a/user/router
                process Work at b/user/echo-large
                  process Done at a/user/router
              """);
    all.add("outside", BasicRows::outside);
    all.add("find", BasicRows::find);
    all.add(
        "deployed",
        BasicRows::deployed,
        """
              process Begin at a/user/deployed
                process Work at b/remote/…/deployed-there
                  process Done at a/user/deployed
              """);
    all.add("loops", BasicRows::loops);
  }

  private static void tell(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    stage.front(1, f -> echo.tell(new Work(1), f.getSelf()));
  }

  private static void forward(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    ActorRef middle =
        stage.actor(Props.create(Forwarder.class, () -> new Forwarder(echo)), "-middle");
    stage.front(1, f -> middle.tell(new Work(1), f.getSelf()));
  }

  private static void selection(Stage stage) throws Exception {
    stage.front(1, f -> stage.selection("/user/echo").tell(new Work(1), f.getSelf()));
  }

  private static void ask(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    stage.front(
        1,
        f ->
            Patterns.pipe(
                    Patterns.ask(echo, new Work(1), Stage.PATIENCE), f.getContext().getDispatcher())
                .to(f.getSelf()));
  }

  private static void askTyped(Stage stage) throws Exception {
    org.apache.pekko.actor.typed.ActorRef<Services.Question> typed =
        Adapter.toTyped(stage.remote("/user/typed"));
    stage.front(
        1,
        f ->
            Patterns.pipe(
                    AskPattern.<Services.Question, Done>ask(
                        typed,
                        replyTo -> new Services.Question(1, replyTo),
                        Stage.PATIENCE,
                        Adapter.toTyped(stage.system()).scheduler()),
                    f.getContext().getDispatcher())
                .to(f.getSelf()));
  }

  /** Asks what the other does not answer. */
  private static void askTimeout(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    stage.front(
        1,
        f ->
            Patterns.ask(echo, new Done(0), Duration.ofMillis(200))
                .whenComplete((answer, failure) -> stage.signal()));
  }

  /** The same of whom it is to find there. */
  private static void selectionTimeout(Stage stage) throws Exception {
    stage.front(
        1,
        f ->
            Patterns.ask(stage.selection("/user/echo"), new Done(0), Duration.ofMillis(200))
                .whenComplete((answer, failure) -> stage.signal()));
  }

  private static void baggage(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    stage.front(
        1,
        f -> {
          try (Scope scope = Baggage.builder().put("user", Front.BAGGAGE).build().makeCurrent()) {
            echo.tell(new WhatBaggage(), f.getSelf());
          }
        });
  }

  /** A request of another system's, that came with a tracestate. */
  private static void tracestate(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    ActorRef front = stage.front(f -> echo.tell(new WhatTracestate(), f.getSelf()));
    stage.started(front);
    Span request =
        GlobalOpenTelemetry.getTracer("rows").spanBuilder("request").setNoParent().startSpan();
    SpanContext own = request.getSpanContext();
    SpanContext stated =
        SpanContext.create(
            own.getTraceId(),
            own.getSpanId(),
            own.getTraceFlags(),
            TraceState.builder().put("older", "1").put("newer", "2").build());
    try (Scope scope = Span.wrap(stated).makeCurrent()) {
      front.tell(new Messages.Begin(), ActorRef.noSender());
    }
    request.end();
    stage.await(1);
  }

  private static void large(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo-large");
    stage.front(1, f -> echo.tell(new Large(new byte[100_000]), f.getSelf()));
  }

  /** A router here, whose routees are there. */
  private static void router(Stage stage) throws Exception {
    stage.remote("/user/echo");
    ActorRef router =
        stage.actor(
            new RoundRobinGroup(
                    java.util.List.of(
                        stage.peer() + "/user/echo", stage.peer() + "/user/echo-large"))
                .props(),
            "-router");
    stage.front(
        2,
        f -> {
          router.tell(new Work(1), f.getSelf());
          router.tell(new Work(2), f.getSelf());
        });
  }

  /** Sent from no actor: the trace begins where it arrives. */
  private static void outside(Stage stage) throws Exception {
    ActorRef front = stage.front(f -> {});
    stage.remote("/user/echo").tell(new Work(1), front);
    stage.await(1);
  }

  /** A message there and one back, as often as it is run. */
  private static void find(Stage stage) throws Exception {
    stage.remote("/user/echo");
  }

  /** An actor of ours that runs there, as its parent says. */
  private static void deployed(Stage stage) throws Exception {
    ActorRef there =
        stage.actor(
            Props.create(Services.Echo.class)
                .withDeploy(
                    new org.apache.pekko.actor.Deploy(
                        new org.apache.pekko.remote.RemoteScope(stage.peer()))),
            "-there");
    stage.front(1, f -> there.tell(new Work(1), f.getSelf()));
  }

  /** Two messages that go to and fro, each sent because of the one before. */
  private static void loops(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    for (int i = 0; i < 2; i++) {
      stage
          .actor(Props.create(Looping.class, () -> new Looping(stage, echo)), "" + i)
          .tell(new Messages.Begin(), ActorRef.noSender());
    }
    stage.await(2);
  }

  /** Answers an answer by the next piece of work. */
  static final class Looping extends org.apache.pekko.actor.AbstractActor {
    static final int ROUNDS = 300;

    private final Stage stage;
    private final ActorRef echo;
    private int rounds;

    Looping(Stage stage, ActorRef echo) {
      this.stage = stage;
      this.echo = echo;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(begunOrDone -> next()).build();
    }

    private void next() {
      if (rounds++ == ROUNDS) {
        stage.signal();
      } else {
        echo.tell(new Work(rounds), getSelf());
      }
    }
  }

  /** Hands on what it gets in its sender's name. */
  static final class Forwarder extends org.apache.pekko.actor.AbstractActor {
    private final ActorRef to;

    Forwarder(ActorRef to) {
      this.to = to;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Work.class, w -> to.forward(w, getContext())).build();
    }
  }
}
