// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContextExecutor;
import scala.concurrent.Future;
import scenarios.Messages.Begin;
import scenarios.Messages.Event;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Work;

/** Users' work with OpenTelemetry's own interface inside actors. */
public final class UserSpans {
  private static final Logger log = LoggerFactory.getLogger(UserSpans.class);

  private UserSpans() {}

  private static Tracer tracer() {
    return GlobalOpenTelemetry.getTracer("shop");
  }

  public static void addTo(Scenes all) {
    all.add("user-attributes", UserSpans::attributes);
    all.add(
        "user-child",
        UserSpans::child,
        """
        process Begin at /user/front
          price
            process Ping at /user/back from /user/front
              process Pong at /user/front from /user/back
        """);
    all.add(
        "user-parent",
        UserSpans::parent,
        """
        request
          process Begin at /user/front
            process Ping at /user/back from /user/front
              process Pong at /user/front from /user/back
        """);
    all.add("user-tasks", UserSpans::tasks);
    all.add("user-baggage", UserSpans::baggage);
    all.add("user-log", UserSpans::log);
    all.add("user-logs", UserSpans::logs);
    all.add("user-logs-short", UserSpans::logs);
    all.add(
        "user-leak",
        UserSpans::leak,
        """
        process Work at /user/leaking
        process Work at /user/leaking
        process Work at /user/leaking
        """);
    all.add("user-unsampled", UserSpans::unsampled);
    all.add(
        "user-typed",
        UserSpans::typed,
        """
        process Event at /user/typed
          look
        """);
  }

  private static void attributes(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          Span span = Span.current();
          span.setAttribute("order.id", "o-1");
          span.setAttribute("order.total", 42L);
          span.setAttribute(AttributeKey.booleanKey("order.gift"), true);
          span.addEvent("checked", Attributes.of(AttributeKey.stringKey("by"), "front"));
          span.setStatus(StatusCode.OK);
          f.getSelf().tell(new Pong(), f.getSelf());
        });
  }

  /** A span of the user's own, and a message sent from inside it. */
  private static void child(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.begin(
        1,
        f -> {
          Span own = tracer().spanBuilder("price").startSpan();
          try (Scope ignored = own.makeCurrent()) {
            back.tell(new Ping(), f.getSelf());
          } finally {
            own.end();
          }
        });
  }

  /** A span around the first send: the actors are inside of it. */
  private static void parent(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef front = stage.front("front", f -> back.tell(new Ping(), f.getSelf()));
    Span request = tracer().spanBuilder("request").setSpanKind(SpanKind.SERVER).startSpan();
    try (Scope ignored = request.makeCurrent()) {
      front.tell(new Begin(), ActorRef.noSender());
    } finally {
      request.end();
    }
    stage.await(1);
  }

  /** Spans in what a dispatcher runs, inside of a span of a thread that is no actor's. */
  private static void tasks(Stage stage) throws Exception {
    ExecutionContextExecutor dispatcher = stage.system().dispatcher();
    CountDownLatch done = new CountDownLatch(3);
    Span request = tracer().spanBuilder("tasks").startSpan();
    try (Scope ignored = request.makeCurrent()) {
      dispatcher.execute(() -> ended("in a task", done));
      Future<Integer> future =
          Futures.future(
              () -> {
                ended("in a future", done);
                return 1;
              },
              dispatcher);
      future.onComplete(
          value -> {
            ended("in its callback", done);
            return null;
          },
          dispatcher);
    } finally {
      request.end();
    }
    done.await();
  }

  private static void ended(String name, CountDownLatch done) {
    tracer().spanBuilder(name).startSpan().end();
    done.countDown();
  }

  private static void baggage(Stage stage) throws Exception {
    ActorRef reader = stage.actor(Props.create(BaggageReader.class), "reader");
    ActorRef front = stage.front("front", f -> reader.tell(new Ping(), f.getSelf()));
    Baggage customer = Baggage.builder().put("customer", "c-7").build();
    try (Scope ignored = Context.current().with(customer).makeCurrent()) {
      front.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(1);
  }

  /** Logs in all ways that there are, and then too much. */
  private static void logs(Stage stage) throws Exception {
    stage.with(stage.argument());
    org.apache.pekko.actor.typed.ActorRef<String> typed =
        stage.typed(
            Behaviors.receive(
                (context, message) -> {
                  context.getLog().info("typed {}", message);
                  stage.signal();
                  return Behaviors.same();
                }),
            "typed");
    stage.begin(
        1,
        f -> {
          LoggingAdapter classic = Logging.getLogger(f.getContext().getSystem(), f);
          classic.warning("classic {}", 1);
          classic.error(new IllegalStateException("no stock"), "classic failure");
          log.warn("slf4j", new IllegalArgumentException("no card"));
          log.debug("too little to be noted");
          for (int i = 0; i < 20; i++) {
            log.info("more {}", i);
          }
          typed.tell("one");
        });
  }

  private static void log(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          log.info("user-log begins");
          f.getSelf().tell(new Pong(), f.getSelf());
        });
  }

  /** A scope that is opened and never closed must not reach the next message. */
  private static void leak(Stage stage) throws Exception {
    ActorRef leaking = stage.actor(Props.create(Leaking.class, stage), "leaking");
    leaking.tell(new Work(1), ActorRef.noSender());
    stage.await(1);
    leaking.tell(new Work(2), ActorRef.noSender());
    leaking.tell(new Work(3), ActorRef.noSender());
    stage.await(2);
  }

  /** The trace that arrives from elsewhere was decided not to be recorded. */
  private static void unsampled(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef front =
        stage.front(
            "front",
            f -> {
              if (Span.current().getSpanContext().isSampled()) {
                throw new IllegalStateException("recorded all the same");
              }
              back.tell(new Ping(), f.getSelf());
            });
    Span remote =
        Span.wrap(
            io.opentelemetry.api.trace.SpanContext.createFromRemoteParent(
                "0af7651916cd43dd8448eb211c80319c",
                "b7ad6b7169203331",
                io.opentelemetry.api.trace.TraceFlags.getDefault(),
                io.opentelemetry.api.trace.TraceState.getDefault()));
    try (Scope ignored = remote.makeCurrent()) {
      front.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(1);
  }

  private static void typed(Stage stage) throws Exception {
    stage
        .typed(
            org.apache.pekko.actor.typed.javadsl.Behaviors.<Event>receiveMessage(
                e -> {
                  Span.current().setAttribute("event.text", e.text());
                  Span own = tracer().spanBuilder("look").startSpan();
                  own.end();
                  stage.signal();
                  return org.apache.pekko.actor.typed.javadsl.Behaviors.same();
                }),
            "typed")
        .tell(new Event("news"));
    stage.await(1);
  }

  static final class BaggageReader extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Ping.class,
              p -> {
                String customer = Baggage.current().getEntryValue("customer");
                Span.current().setAttribute("customer", customer == null ? "none" : customer);
                getSender().tell(new Pong(), getSelf());
              })
          .build();
    }
  }

  static final class Leaking extends AbstractActor {
    private final Stage stage;

    Leaking(Stage stage) {
      this.stage = stage;
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // that it is not closed is the point
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                if (w.number() == 1) {
                  Scope unused = tracer().spanBuilder("leaked").startSpan().makeCurrent();
                }
                stage.signal();
              })
          .build();
    }
  }
}
