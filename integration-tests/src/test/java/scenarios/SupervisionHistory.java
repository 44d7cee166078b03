// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.pattern.BackoffOpts;
import org.apache.pekko.pattern.BackoffSupervisor;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Open;
import scenarios.Messages.Work;

/** The same work for a typed actor of each kind of supervision, and for a classic one's. */
final class SupervisionHistory {
  private static final int TASKS = 60;
  private static final Duration SOON = Duration.ofMillis(10);
  private static final Map<String, SupervisorStrategy> STRATEGIES = new LinkedHashMap<>();

  /** The others lose what they put aside while they restart when that fails in another way. */
  private static final Set<String> UNSTASHED = Set.of("resumed", "keeping-its-child");

  static {
    STRATEGIES.put("resumed", SupervisorStrategy.resume());
    STRATEGIES.put("restarted", SupervisorStrategy.restart());
    STRATEGIES.put("limited", SupervisorStrategy.restart().withLimit(3, Duration.ofMinutes(1)));
    STRATEGIES.put("stopped", SupervisorStrategy.stop());
    STRATEGIES.put("backing-off", SupervisorStrategy.restartWithBackoff(SOON, SOON, 0));
    STRATEGIES.put(
        "giving-up",
        SupervisorStrategy.restartWithBackoff(SOON, SOON, 0)
            .withMaxRestarts(2)
            .withResetBackoffAfter(Duration.ofMinutes(1)));
    STRATEGIES.put("keeping-its-child", SupervisorStrategy.restart().withStopChildren(false));
  }

  /**
   * These end by this task's failure. A later message would lose those put aside while the worker
   * restarted, and that is not the same each time.
   */
  private static final Map<String, Integer> LAST = Map.of("limited", 58, "giving-up", 43);

  private SupervisionHistory() {}

  static void run(Stage stage, Book book) throws Exception {
    stage.typed(boss(book, new ArrayDeque<>(STRATEGIES.keySet())), "boss").tell(new Open());
    stage.await(1);
    classic(stage, book);
  }

  /** One worker after the other, each when the one before has ended. */
  private static Behavior<Object> boss(Book book, Deque<String> left) {
    return Behaviors.setup(
        context -> {
          String me = TypedHistory.name(context);
          return Behaviors.receive(Object.class)
              .onMessage(
                  Open.class,
                  o -> {
                    work(context, left.remove(), book);
                    return Behaviors.same();
                  })
              .onMessage(
                  Done.class,
                  d -> {
                    book.write(me, d.toString());
                    return Behaviors.same();
                  })
              .onSignal(
                  ChildFailed.class,
                  f -> {
                    book.write(me, f.getRef().path().name() + " failed, " + f.cause().getMessage());
                    return next(context, left, book);
                  })
              .onSignal(
                  Terminated.class,
                  t -> {
                    book.write(me, t.getRef().path().name() + " ended");
                    return next(context, left, book);
                  })
              .build();
        });
  }

  private static Behavior<Object> next(
      ActorContext<Object> context, Deque<String> left, Book book) {
    if (left.isEmpty()) {
      book.signal();
    } else {
      context.getSelf().tell(new Open());
    }
    return Behaviors.same();
  }

  /** Failures of another kind resume it, whatever its strategy. */
  private static void work(ActorContext<Object> context, String name, Book book) {
    ActorRef<Object> worker =
        context.spawn(
            Behaviors.supervise(
                    Behaviors.supervise(
                            Behaviors.<Object>setup(
                                c -> Behaviors.withStash(TASKS, s -> worker(c, s, book))))
                        .onFailure(IllegalStateException.class, STRATEGIES.get(name)))
                .onFailure(IllegalArgumentException.class, SupervisorStrategy.resume()),
            name);
    context.watch(worker);
    int last = LAST.getOrDefault(name, TASKS - 1);
    for (int i = 0; i <= last; i++) {
      worker.tell(new TypedHistory.Task(i, context.getSelf()));
    }
    if (LAST.containsKey(name)) {
      return;
    }
    worker.tell(new Open());
    worker.tell("stop");
  }

  private static Behavior<Object> worker(
      ActorContext<Object> context, StashBuffer<Object> stash, Book book) {
    String me = TypedHistory.name(context);
    book.write(me, "starts, children " + context.getChildren().size());
    if (context.getChildren().isEmpty()) {
      context.spawn(child(book), "child");
    }
    return Behaviors.receive(Object.class)
        .onMessage(
            TypedHistory.Task.class,
            t -> {
              if (t.number() % 15 == 13) {
                book.write(me, "fails at " + t.number());
                throw new IllegalStateException("at " + t.number());
              }
              if (t.number() % 15 == 4 && UNSTASHED.contains(context.getSelf().path().name())) {
                book.write(me, "fails in another way at " + t.number());
                throw new IllegalArgumentException("at " + t.number());
              }
              if (t.number() % 3 == 0) {
                stash.stash(t);
                return Behaviors.same();
              }
              book.write(me, "does " + t.number());
              t.replyTo().tell(new Done(t.number()));
              return Behaviors.same();
            })
        .onMessage(
            Open.class,
            o -> {
              book.write(me, "opens, has " + stash.size());
              return stash.unstashAll(TypedHistory.open(book, me));
            })
        .onSignal(PreRestart.class, s -> signalled(book, me, "restarts"))
        .onSignal(PostStop.class, s -> signalled(book, me, "stops"))
        .build();
  }

  private static Behavior<Object> signalled(Book book, String me, String what) {
    book.write(me, what);
    return Behaviors.same();
  }

  private static Behavior<Object> child(Book book) {
    return Behaviors.setup(
        context -> {
          String me = TypedHistory.name(context);
          book.write(me, "starts");
          return Behaviors.receive(Object.class)
              .onSignal(PostStop.class, s -> signalled(book, me, "stops"))
              .build();
        });
  }

  /** While its child is away, a classic supervisor hands nothing on; so each step is waited for. */
  private static void classic(Stage stage, Book book) throws Exception {
    org.apache.pekko.actor.ActorRef none = org.apache.pekko.actor.ActorRef.noSender();
    org.apache.pekko.actor.ActorRef onFailure =
        stage.actor(
            BackoffSupervisor.props(
                BackoffOpts.onFailure(Props.create(Child.class, book), "child", SOON, SOON, 0)),
            "on-failure");
    org.apache.pekko.actor.ActorRef onStop =
        stage.actor(
            BackoffSupervisor.props(
                BackoffOpts.onStop(Props.create(Child.class, book), "child", SOON, SOON, 0)),
            "on-stop");
    stage.await(2);
    for (int i = 0; i < 10; i++) {
      onFailure.tell(new Work(i), none);
      onFailure.tell(new Boom("boom " + i), none);
      stage.await(1);
      onStop.tell(new Work(i), none);
      onStop.tell(new Open(), none);
      stage.await(1);
    }
  }

  /** Signals that it is there, also when it is there again. */
  static final class Child extends AbstractActor {
    private final Book book;

    Child(Book book) {
      this.book = book;
    }

    @Override
    public void preStart() {
      book.write(getSelf(), "starts");
      book.signal();
    }

    @Override
    public void postStop() {
      book.write(getSelf(), "stops");
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> book.write(getSelf(), w.toString()))
          .match(Open.class, o -> getContext().stop(getSelf()))
          .match(
              Boom.class,
              b -> {
                throw new IllegalStateException(b.text());
              })
          .build();
    }
  }
}
