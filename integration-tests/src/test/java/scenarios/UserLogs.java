// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAware;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.instrumentation.annotations.WithSpan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.event.DiagnosticLoggingAdapter;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;
import org.slf4j.LoggerFactory;
import scenarios.Messages.Begin;
import scenarios.Messages.Event;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Work;

/** Users' work with logs, annotations and contexts inside actors. */
public final class UserLogs {
  private UserLogs() {}

  public static void addTo(Scenes all) {
    all.add("user-log-classic", UserLogs::classic);
    all.add("user-log-typed", UserLogs::typed);
    all.add("user-log-appender", UserLogs::appender);
    all.like("user-child", "user-with-span", UserLogs::withSpan);
    all.add(
        "user-make-current",
        UserLogs::makeCurrent,
        """
        process Begin at /user/front
          own
            process Ping at /user/back from /user/front
              process Pong at /user/front from /user/back
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        """);
    all.add(
        "user-with-span-typed",
        UserLogs::withSpanTyped,
        """
        process Begin at /user/front
          price
            process Question at /user/back
              process Answer at /user/front
        """);
    all.add(
        "user-make-current-typed",
        UserLogs::makeCurrentTyped,
        """
        process Begin at /user/front
          own
            process Question at /user/back
              process Answer at /user/front
          process Question at /user/back
            process Answer at /user/front
        """);
  }

  /** Three messages, logged by Pekko's own logging: the lines are written by another actor. */
  private static void classic(Stage stage) throws Exception {
    ActorRef logging = stage.actor(Props.create(Logged.class, stage), "logging");
    for (int i = 1; i <= 3; i++) {
      logging.tell(new Work(i), ActorRef.noSender());
    }
    stage.await(3);
    // No actor's, in no trace.
    LoggingAdapter outside = Logging.getLogger(stage.system(), "scenarios.outside");
    outside.info("user-log-classic outside");
    // All lines are written by one actor, in their order.
    Appender<ILoggingEvent> last = new Signals(stage);
    last.start();
    ((Logger) LoggerFactory.getLogger("scenarios.last")).addAppender(last);
    Logging.getLogger(stage.system(), "scenarios.last").info("user-log-classic is over");
    stage.await(1);
  }

  /** Three messages, whose lines are written by the thread of an appender. */
  private static void appender(Stage stage) throws Exception {
    LoggerContext logback = (LoggerContext) LoggerFactory.getILoggerFactory();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setPattern("@log %level trace=%X{trace_id} span=%X{span_id} %msg%n");
    AsyncAppender queue = new AsyncAppender();
    queue.setMaxFlushTime(0);
    for (ContextAware part : List.of(encoder, console, queue)) {
      part.setContext(logback);
    }
    encoder.start();
    console.setEncoder(encoder);
    console.start();
    queue.addAppender(console);
    queue.start();
    Logger log = logback.getLogger("scenarios.queued");
    log.setAdditive(false);
    log.addAppender(queue);
    ActorRef logging =
        stage.front(
            "logging",
            f -> {
              log.info("user-log-appender begins");
              stage.signal();
            });
    for (int i = 0; i < 3; i++) {
      logging.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(3);
    log.info("user-log-appender outside");
    queue.stop(); // when all is written
  }

  /** Signals all that it is given. */
  private static final class Signals extends AppenderBase<ILoggingEvent> {
    private final Stage stage;

    Signals(Stage stage) {
      this.stage = stage;
    }

    @Override
    protected void append(ILoggingEvent event) {
      stage.count();
    }
  }

  private static void typed(Stage stage) throws Exception {
    stage
        .typed(
            Behaviors.<Event>setup(
                context ->
                    Behaviors.withMdc(
                        Event.class,
                        event -> Map.of("customer", event.text()),
                        Behaviors.receiveMessage(
                            event -> {
                              context.setLoggerName("scenarios.typed");
                              context.getLog().info("user-log-typed begins");
                              stage.signal();
                              return Behaviors.same();
                            }))),
            "typed")
        .tell(new Event("news"));
    stage.await(1);
  }

  /** A span by annotation, and a message sent inside of it. */
  private static void withSpan(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.begin(1, f -> new Annotated().price(f, back));
  }

  /** A context made current by hand, in the actor and on a thread to which it is taken. */
  private static void makeCurrent(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    var threads = Executors.newSingleThreadExecutor();
    try {
      stage.begin(
          2,
          f -> {
            Span own = GlobalOpenTelemetry.getTracer("shop").spanBuilder("own").startSpan();
            try (Scope ignored = Context.current().with(own).makeCurrent()) {
              back.tell(new Ping(), f.getSelf());
            }
            own.end();
            ActorRef self = f.getSelf();
            // The context of the message, without the span above.
            var unused = threads.submit(Context.current().wrap(() -> back.tell(new Ping(), self)));
          });
    } finally {
      threads.shutdown();
    }
  }

  private static void withSpanTyped(Stage stage) throws Exception {
    frontTyped(stage, 1, (back, self) -> new Annotated().priceTyped(back, self));
  }

  private static void makeCurrentTyped(Stage stage) throws Exception {
    var threads = Executors.newSingleThreadExecutor();
    try {
      frontTyped(
          stage,
          2,
          (back, self) -> {
            Span own = GlobalOpenTelemetry.getTracer("shop").spanBuilder("own").startSpan();
            try (Scope ignored = Context.current().with(own).makeCurrent()) {
              back.tell(new Server.Question(1, self));
            }
            own.end();
            // The context of the message, without the span above.
            var unused =
                threads.submit(
                    Context.current().wrap(() -> back.tell(new Server.Question(2, self))));
          });
    } finally {
      threads.shutdown();
    }
  }

  private static void frontTyped(
      Stage stage,
      int answers,
      BiConsumer<
              org.apache.pekko.actor.typed.ActorRef<Server.Command>,
              org.apache.pekko.actor.typed.ActorRef<Server.Answer>>
          then)
      throws Exception {
    var back = stage.typed(Server.create(), "back");
    stage.beginTyped(answers, context -> then.accept(back, context.getSelf().narrow()));
  }

  /** Has a method with a span. */
  static final class Annotated {
    @WithSpan("price")
    void price(Front front, ActorRef back) {
      Span.current().setAttribute("price", 7);
      back.tell(new Ping(), front.getSelf());
    }

    @WithSpan("price")
    void priceTyped(
        org.apache.pekko.actor.typed.ActorRef<Server.Command> back,
        org.apache.pekko.actor.typed.ActorRef<Server.Answer> self) {
      Span.current().setAttribute("price", 7);
      back.tell(new Server.Question(1, self));
    }
  }

  /** Logs in three ways, all of them asynchronous. */
  static final class Logged extends AbstractActor {
    private final LoggingAdapter log = Logging.getLogger(getContext().getSystem(), this);
    private final DiagnosticLoggingAdapter diagnostic = Logging.getLogger(this);
    private final Stage stage;

    Logged(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                log.info("user-log-classic plain {}", w.number());
                diagnostic.setMDC(Map.of("customer", "c-" + w.number()));
                diagnostic.info("user-log-classic diagnostic {}", w.number());
                diagnostic.clearMDC();
                getSelf().tell(new Pong(), getSelf());
              })
          .match(
              Pong.class,
              p -> {
                log.warning("user-log-classic answered");
                stage.signal();
              })
          .build();
    }
  }
}
