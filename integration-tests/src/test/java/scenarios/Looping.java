// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/** Goes on in one trace as often as the argument says, each in its way. */
public final class Looping {
  private static final Duration SOON = Duration.ofMillis(20);

  /** Longer than a trace lives, where its age is bounded to the seconds of a test. */
  private static final Duration LATE = Duration.ofSeconds(4);

  private Looping() {}

  public static void addTo(Scenes all) {
    all.add("loop-many-typed", s -> typed(s, (context, next) -> context.getSelf().tell(next)));
    all.add(
        "loop-schedule-typed",
        s -> typed(s, (context, next) -> context.scheduleOnce(SOON, context.getSelf(), next)));
    all.add("loop-user-span", Looping::userSpan);
    all.add("loop-ask-typed", Looping::askTyped);
    all.add(
        "loop-schedule",
        s ->
            classic(
                s,
                (a, next) ->
                    a.getContext()
                        .getSystem()
                        .scheduler()
                        .scheduleOnce(
                            SOON,
                            a.getSelf(),
                            next,
                            a.getContext().getDispatcher(),
                            ActorRef.noSender())));
    all.add("loop-ask", Looping::ask);
    all.add("loop-forward", Looping::forward);
    all.add("loop-ask-late", Looping::askLate);
    all.add("loop-ask-late-typed", Looping::askLateTyped);
    all.add("fan-out-typed", Looping::fanOutTyped);
  }

  /** Sees to it that the next message comes. */
  interface Turn<A> {
    void take(A actor, Work next);
  }

  record Question(org.apache.pekko.actor.typed.ActorRef<Work> replyTo, Work next) {}

  private static void classic(Stage stage, Turn<Loop> turn) throws Exception {
    int turns = Integer.parseInt(stage.argument());
    stage
        .actor(Props.create(Loop.class, () -> new Loop(stage, turns, turn)), "loop")
        .tell(new Work(0), ActorRef.noSender());
    stage.await(1);
  }

  /** Each message is sent within a span of the user's; what is kept for each is printed. */
  private static void userSpan(Stage stage) throws Exception {
    int turns = Integer.parseInt(stage.argument());
    long[] before = {0};
    classic(
        stage,
        (a, next) -> {
          if (next.number() == turns / 5) {
            before[0] = used(0);
          } else if (next.number() == turns) {
            int counted = turns - turns / 5;
            long kept = used(before[0] + 50L * counted) - before[0];
            System.out.println("@kept " + kept / counted + " B");
          }
          Span own = GlobalOpenTelemetry.getTracer("shop").spanBuilder("own").startSpan();
          try (Scope ignored = own.makeCurrent()) {
            a.getSelf().tell(next, ActorRef.noSender());
          } finally {
            own.end();
          }
        });
  }

  /**
   * The heap in use once what is not needed is gone: the least of some looks. They go on until it
   * is no more than {@code enough}, or for half a minute: records that wait for a drainer on a busy
   * machine are not kept for ever, and what is kept for ever is still there then.
   */
  private static long used(long enough) {
    long least = Long.MAX_VALUE;
    long began = System.nanoTime();
    for (int i = 0; i < 4 || (least > enough && enough > 0 && !isOver(began)); i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static boolean isOver(long began) {
    return System.nanoTime() - began > TimeUnit.SECONDS.toNanos(30);
  }

  private static void ask(Stage stage) throws Exception {
    ask(stage, stage.actor(Echo.props(), "back"));
  }

  /** The actor that is asked hands the question on when its trace is too old already. */
  private static void askLate(Stage stage) throws Exception {
    ActorRef late = stage.actor(Echo.props(), "late");
    ask(stage, stage.actor(Props.create(Delaying.class, () -> new Delaying(late)), "back"));
  }

  private static void ask(Stage stage, ActorRef back) throws Exception {
    classic(
        stage,
        (a, next) ->
            Patterns.pipe(
                    Patterns.ask(back, new Ping(), Stage.PATIENCE).thenApply(pong -> next),
                    a.getContext().getDispatcher())
                .to(a.getSelf()));
  }

  /** By way of another, which hands each on to who is in turn. */
  private static void forward(Stage stage) throws Exception {
    ActorRef other = stage.actor(Props.create(Other.class, () -> new Other(stage)), "other");
    classic(stage, (a, next) -> other.forward(next, a.getContext()));
  }

  private static void typed(Stage stage, Turn<ActorContext<Work>> turn) throws Exception {
    stage.typed(loop(stage, turn), "loop").tell(new Work(0));
    stage.await(1);
  }

  private static void askTyped(Stage stage) throws Exception {
    askTyped(stage, stage.typed(answering(), "back"));
  }

  private static void askLateTyped(Stage stage) throws Exception {
    var late = stage.typed(answering(), "late");
    askTyped(
        stage,
        stage.typed(
            Behaviors.<Question>receive(
                (context, question) -> {
                  context.scheduleOnce(LATE, late, question);
                  return Behaviors.same();
                }),
            "back"));
  }

  private static Behavior<Question> answering() {
    return Behaviors.receiveMessage(
        question -> {
          question.replyTo().tell(question.next());
          return Behaviors.same();
        });
  }

  private static void askTyped(Stage stage, org.apache.pekko.actor.typed.ActorRef<Question> back)
      throws Exception {
    typed(
        stage,
        (context, next) ->
            context.ask(
                Work.class,
                back,
                Stage.PATIENCE,
                to -> new Question(to, next),
                (work, failure) -> work));
  }

  private static Behavior<Work> loop(Stage stage, Turn<ActorContext<Work>> turn) {
    int turns = Integer.parseInt(stage.argument());
    return Behaviors.receive(
        (context, work) -> {
          if (work.number() < turns) {
            turn.take(context, new Work(work.number() + 1));
          } else {
            stage.signal();
          }
          return Behaviors.same();
        });
  }

  private static void fanOutTyped(Stage stage) throws Exception {
    int messages = Integer.parseInt(stage.argument());
    var sink =
        stage.typed(
            Behaviors.<Work>receiveMessage(
                work -> {
                  stage.signal();
                  return Behaviors.same();
                }),
            "sink");
    stage.beginTyped(
        messages,
        context -> {
          for (int i = 0; i < messages; i++) {
            sink.tell(new Work(i));
          }
        });
  }

  static final class Loop extends AbstractActor {
    private final Stage stage;
    private final int turns;
    private final Turn<Loop> turn;

    Loop(Stage stage, int turns, Turn<Loop> turn) {
      this.stage = stage;
      this.turns = turns;
      this.turn = turn;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work -> {
                if (work.number() < turns) {
                  turn.take(this, new Work(work.number() + 1));
                } else {
                  stage.signal();
                }
              })
          .build();
    }
  }

  static final class Other extends AbstractActor {
    private final Stage stage;

    Other(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work ->
                  stage
                      .system()
                      .actorSelection("/user/loop")
                      .forward(new Work(work.number()), getContext()))
          .build();
    }
  }

  /** Hands on what it gets, in its sender's name, and late. */
  static final class Delaying extends AbstractActor {
    private final ActorRef to;

    Delaying(ActorRef to) {
      this.to = to;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              message ->
                  getContext()
                      .getSystem()
                      .scheduler()
                      .scheduleOnce(LATE, to, message, getContext().getDispatcher(), getSender()))
          .build();
    }
  }
}
