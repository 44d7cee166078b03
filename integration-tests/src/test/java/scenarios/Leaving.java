// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import com.typesafe.config.Config;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.pattern.Patterns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Promise;
import scenarios.Messages.Begin;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Event;
import scenarios.Messages.Work;

/**
 * The leftovers of a processed message: on its thread, which plain tasks then use; in an actor that
 * it made; in a future that it completed.
 */
public final class Leaving {
  private static final String NEXT = "process Work at /user/next\n";
  private static final String BOTH = NEXT + "process Work at /user/untidy\n";
  private static final String FAILED =
      "process Boom at /user/untidy ! java.lang.IllegalStateException\n" + NEXT;
  private static final String INTERRUPTED =
      "process Boom at /user/untidy ! java.lang.InterruptedException\n" + NEXT;
  private static final String AFTERWARDS =
      "process Begin at /user/front\nprocess Done at /user/sink\n";

  private static final Logger log = LoggerFactory.getLogger(Leaving.class);

  private Leaving() {}

  public static void addTo(Scenes all) {
    for (String executor : List.of("fork-join", "thread-pool", "affinity", "shared")) {
      all.add("leave-" + executor, s -> new Single(s, executor).after(new Work(1), 1), BOTH);
    }
    all.add(
        "leave-calling-thread",
        Leaving::callingThread,
        """
        own
          process Boom at /user/untidy-failure ! java.lang.IllegalStateException
        own
          process Work at /user/untidy-
        own
          process Work at /user/untidy-receive
        process Boom at /user/untidy-failure ! java.lang.IllegalStateException
        process Work at /user/untidy-
        process Work at /user/untidy-receive
        """);
    all.add("leave-exception", s -> new Single(s, "fork-join").after(new Boom("fails"), 1), FAILED);
    all.add(
        "leave-interrupt",
        s -> new Single(s, "shared").after(new Boom("interrupt"), 1),
        INTERRUPTED);
    all.add("leave-termination", s -> termination(s, false), "process Event at /user/untidy\n");
    all.add(
        "leave-exception-typed",
        s -> new Single(s, "fork-join").afterTyped(new Boom("fails")),
        FAILED);
    all.add(
        "leave-interrupt-typed",
        s -> new Single(s, "shared").afterTyped(new Boom("interrupt")),
        INTERRUPTED);
    all.add(
        "leave-termination-typed", s -> termination(s, true), "process Event at /user/untidy\n");
    Map.of("receive", BOTH, "failure", FAILED, "restart", FAILED, "start", NEXT, "stop", NEXT)
        .forEach(
            (where, traces) ->
                all.add(
                    "leave-scope-in-" + where,
                    s -> new Single(s, "shared").afterScopeIn(where),
                    traces));
    all.add("leave-scope-in-callback", Leaving::scopeInCallback, BOTH);
    all.add(
        "leave-scope-in-task",
        Leaving::scopeInTask,
        """
        process Done at /user/sink
        process Event at /user/untidy
          process Work at /user/untidy from /user/untidy
        """);
    all.add(
        "leave-created",
        Leaving::created,
        """
        process Begin at /user/front
        process Work at /user/front/child
        process Work at /user/front/child
        """);
    all.like("leave-created", "leave-created-typed", Leaving::createdTyped);
    futures(all);
    stages(all);
  }

  /** Makes a span current for good. */
  @SuppressWarnings("MustBeClosedChecker") // that it is not closed is the point
  private static void forgetScope() {
    Scope unused =
        GlobalOpenTelemetry.getTracer("shop").spanBuilder("forgotten").startSpan().makeCurrent();
  }

  /** The context of this thread; the empty text for nothing. */
  private static String context() {
    return (Span.current().getSpanContext().isValid() ? "a span " : "")
        + (Baggage.current().isEmpty() ? "" : "baggage");
  }

  private static void mustBe(String expected, String found, String where) {
    if (!found.equals(expected)) {
      throw new IllegalStateException(where + ": '" + found + "' instead of '" + expected + "'");
    }
  }

  /** An actor on a dispatcher of one thread, and plain tasks on the same. */
  private static final class Single {
    private final Stage stage;
    private final boolean shared;
    private final CompletableFuture<Thread> worker = new CompletableFuture<>();

    Single(Stage stage, String executor) {
      this.stage = stage;
      shared = executor.equals("shared");
      if (shared) {
        Shared.ONE.renew();
      }
      stage.with("one {\ntype = Dispatcher\n" + settings(executor) + "\n}");
    }

    private static String settings(String executor) {
      return switch (executor) {
        case "shared" -> "executor = \"" + Shared.class.getName() + "\"";
        case "thread-pool" ->
            "executor = thread-pool-executor\nthread-pool-executor.fixed-pool-size = 1";
        default ->
            "executor = %1$s\n%1$s { parallelism-min = 1, parallelism-max = 1 }"
                .formatted(
                    executor.equals("affinity") ? "affinity-pool-executor" : "fork-join-executor");
      };
    }

    Executor threads() {
      return shared ? Shared.ONE : stage.system().dispatchers().lookup("one");
    }

    ActorRef actor(String scopeIn, String name) {
      return stage.actor(
          Props.create(Untidy.class, () -> new Untidy(stage, worker, scopeIn))
              .withDispatcher("one"),
          name);
    }

    /** Sends a message that has baggage, and goes on when it has been processed. */
    void after(Object message, int signals) throws Exception {
      tellInBaggage(actor("", "untidy"), message);
      stage.await(signals);
      goOn();
    }

    ActorRef typed() {
      return Adapter.toClassic(
          Adapter.spawn(
              stage.system(),
              untidy(stage, worker),
              "untidy",
              DispatcherSelector.fromConfig("one")));
    }

    void afterTyped(Object message) throws Exception {
      tellInBaggage(typed(), message);
      stage.await(1);
      goOn();
    }

    void afterScopeIn(String where) throws Exception {
      ActorRef untidy = actor(where, "untidy");
      switch (where) {
        case "start" -> {}
        case "stop" -> stage.system().stop(untidy);
        case "receive" -> untidy.tell(new Work(1), ActorRef.noSender());
        default -> untidy.tell(new Boom("fails"), ActorRef.noSender());
      }
      stage.await(1);
      goOn();
    }

    /** A plain task on the thread of the actor: finds nothing there, and sends a message. */
    void goOn() throws Exception {
      ActorRef next = actor("", "next");
      String found =
          CompletableFuture.supplyAsync(
                  () -> {
                    log.info("{} outside", stage.name());
                    next.tell(new Work(2), ActorRef.noSender());
                    return onWorker() ? context() : "another thread";
                  },
                  threads())
              .get(90, TimeUnit.SECONDS);
      mustBe("", found, "context of a task after a message");
      stage.await(1);
    }

    private boolean onWorker() {
      return worker.getNow(null) == Thread.currentThread();
    }
  }

  private static void tellInBaggage(ActorRef to, Object message) {
    Baggage customer = Baggage.builder().put("customer", "c-7").build();
    try (Scope ignored = Context.current().with(customer).makeCurrent()) {
      to.tell(message, ActorRef.noSender());
    }
  }

  /** The sender's own context is there again after what is processed inside of its send. */
  private static void callingThread(Stage stage) throws Exception {
    stage.with("one.type = org.apache.pekko.testkit.CallingThreadDispatcherConfigurator");
    CompletableFuture<Thread> worker = new CompletableFuture<>();
    for (String scopeIn : List.of("", "receive", "failure")) {
      ActorRef actor =
          stage.actor(
              Props.create(Untidy.class, () -> new Untidy(stage, worker, scopeIn))
                  .withDispatcher("one"),
              "untidy-" + scopeIn);
      Object message = scopeIn.equals("failure") ? new Boom("fails") : new Work(1);
      actor.tell(message, ActorRef.noSender());
      stage.await(1);
      mustBe("", context(), "after a send");
      Span own = GlobalOpenTelemetry.getTracer("shop").spanBuilder("own").startSpan();
      try (Scope ignored = own.makeCurrent()) {
        actor.tell(message, ActorRef.noSender());
        stage.await(1);
        mustBe(
            own.getSpanContext().getSpanId(),
            Span.current().getSpanContext().getSpanId(),
            "after a send in a span");
      }
      own.end();
      mustBe("", context(), "after the span");
    }
  }

  /** The system ends in the middle of a message; its threads are somebody else's. */
  private static void termination(Stage stage, boolean typed) throws Exception {
    Single single = new Single(stage, "shared");
    ActorRef untidy = typed ? single.typed() : single.actor("", "untidy");
    tellInBaggage(untidy, new Event("terminate"));
    stage.await(2);
    stage.system().getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
    mustBe(
        "",
        CompletableFuture.supplyAsync(
                () -> single.onWorker() ? context() : "another thread", single.threads())
            .get(90, TimeUnit.SECONDS),
        "context of a task after the system");
  }

  /** A callback of a future that was asked for in a message. */
  private static void scopeInCallback(Stage stage) throws Exception {
    Single single = new Single(stage, "fork-join");
    single.actor("callback", "untidy").tell(new Work(1), ActorRef.noSender());
    stage.await(2);
    single.goOn();
  }

  /** The pool's thread keeps what a plain task forgot there, and no message sees it. */
  private static void scopeInTask(Stage stage) throws Exception {
    Single single = new Single(stage, "shared");
    CompletableFuture.runAsync(Leaving::forgetScope, Shared.ONE).get(90, TimeUnit.SECONDS);
    ActorRef untidy = single.actor("", "untidy");
    untidy.tell(new Event("again"), ActorRef.noSender());
    stage.await(2);
    stage.front("sink", f -> {});
    stage.system().stop(untidy);
    stage.await(2);
  }

  /** An actor that a message made is not in that message's trace. */
  private static void created(Stage stage) throws Exception {
    CompletableFuture<ActorRef> child = new CompletableFuture<>();
    ActorRef front =
        stage.front(
            "front",
            f ->
                child.complete(
                    f.getContext()
                        .actorOf(
                            Props.create(
                                Untidy.class,
                                () -> new Untidy(stage, new CompletableFuture<>(), "")),
                            "child")));
    tellInBaggage(front, new Begin());
    for (int i = 0; i < 2; i++) {
      child.get(90, TimeUnit.SECONDS).tell(new Work(1), ActorRef.noSender());
    }
    stage.await(2);
  }

  private static void createdTyped(Stage stage) throws Exception {
    CompletableFuture<org.apache.pekko.actor.typed.ActorRef<Work>> child =
        new CompletableFuture<>();
    org.apache.pekko.actor.typed.ActorRef<Begin> front =
        stage.typed(
            Behaviors.receive(
                (context, message) -> {
                  child.complete(
                      context.spawn(
                          Behaviors.receiveMessage(
                              work -> {
                                mustBe("a span ", context(), "in a message");
                                stage.signal();
                                return Behaviors.same();
                              }),
                          "child"));
                  return Behaviors.same();
                }),
            "front");
    front.tell(new Begin());
    for (int i = 0; i < 2; i++) {
      child.get(90, TimeUnit.SECONDS).tell(new Work(1));
    }
    stage.await(2);
  }

  /** Registered in no message, and completed in one. */
  private static void futures(Scenes all) {
    all.add(
        "leave-future-dispatcher",
        s -> future(s, (p, to) -> onComplete(p, to, s.system().dispatcher())),
        AFTERWARDS);
    all.add(
        "leave-future-parasitic",
        s -> future(s, (p, to) -> onComplete(p, to, ExecutionContext.parasitic$.MODULE$)),
        AFTERWARDS);
    all.add(
        "leave-future-pipe",
        s -> future(s, (p, to) -> Patterns.pipe(p.future(), s.system().dispatcher()).to(to)),
        AFTERWARDS);
  }

  private static void stages(Scenes all) {
    all.add(
        "leave-stage-accept",
        s -> stage(s, (f, to) -> ignored(f.thenAccept(d -> tell(to, d)))),
        AFTERWARDS);
    all.add(
        "leave-stage-async",
        s ->
            stage(
                s,
                (f, to) -> ignored(f.thenAcceptAsync(d -> tell(to, d), s.system().dispatcher()))),
        AFTERWARDS);
    all.add(
        "leave-stage-pipe",
        s -> stage(s, (f, to) -> Patterns.pipe(f, s.system().dispatcher()).to(to)),
        AFTERWARDS);
  }

  private static void ignored(CompletableFuture<Void> end) {
    var unused = end.exceptionally(failure -> null);
  }

  private static void tell(ActorRef to, Done done) {
    to.tell(done, ActorRef.noSender());
  }

  /** As {@link #future}, with Java's. */
  private static void stage(Stage stage, BiConsumer<CompletableFuture<Done>, ActorRef> register)
      throws Exception {
    CompletableFuture<Done> future = new CompletableFuture<>();
    ActorRef sink = stage.front("sink", f -> {});
    register.accept(future, sink);
    ActorRef front = stage.front("front", f -> future.complete(new Done(1)));
    tellInBaggage(front, new Begin());
    stage.await(1);
  }

  private static void onComplete(Promise<Done> promise, ActorRef to, ExecutionContext in) {
    promise
        .future()
        .onComplete(
            done -> {
              to.tell(done.get(), ActorRef.noSender());
              return null;
            },
            in);
  }

  private static void future(Stage stage, BiConsumer<Promise<Done>, ActorRef> register)
      throws Exception {
    Promise<Done> promise = Futures.promise();
    ActorRef sink = stage.front("sink", f -> {});
    register.accept(promise, sink);
    ActorRef front = stage.front("front", f -> promise.success(new Done(1)));
    tellInBaggage(front, new Begin());
    stage.await(1);
  }

  /** Does what it is told, and forgets to close a scope where it is told so. */
  static final class Untidy extends AbstractActor {
    private final Stage stage;
    private final CompletableFuture<Thread> worker;
    private final String scopeIn;

    Untidy(Stage stage, CompletableFuture<Thread> worker, String scopeIn) {
      this.stage = stage;
      this.worker = worker;
      this.scopeIn = scopeIn;
    }

    @Override
    public void preStart() {
      if (scopeIn.equals("start")) {
        at("start");
        stage.signal();
      }
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                log.info("{} inside", stage.name());
                at("receive");
                if (scopeIn.equals("callback")) {
                  callBack();
                }
                stage.signal();
              })
          .match(
              Boom.class,
              b -> {
                at("failure");
                if (b.text().equals("interrupt")) {
                  throw new InterruptedException(b.text());
                }
                throw new IllegalStateException(b.text());
              })
          .match(
              Event.class,
              e -> {
                at("event");
                if (e.text().equals("again")) {
                  getSelf().tell(new Work(2), getSelf());
                } else {
                  ActorSystem system = getContext().getSystem();
                  system.terminate();
                }
                stage.signal();
              })
          .build();
    }

    private void callBack() {
      Futures.future(() -> 1, getContext().getDispatcher())
          .onComplete(
              one -> {
                at("callback");
                stage.signal();
                return null;
              },
              getContext().getDispatcher());
    }

    @Override
    public void preRestart(Throwable reason, Optional<Object> message) {}

    @Override
    public void postRestart(Throwable reason) {
      at("restart");
      stage.signal();
    }

    @Override
    public void postStop() {
      at("stop");
      getContext().actorSelection("/user/sink").tell(new Done(1), ActorRef.noSender());
      stage.signal();
    }

    private void at(String where) {
      worker.complete(Thread.currentThread());
      if (scopeIn.equals(where)) {
        forgetScope();
      }
    }
  }

  /** The like of {@link Untidy}, typed; signals its end, or that it is made anew. */
  private static Behavior<Object> untidy(Stage stage, CompletableFuture<Thread> worker) {
    return Behaviors.receive(Object.class)
        .onMessage(
            Boom.class,
            b -> {
              worker.complete(Thread.currentThread());
              mustBe("a span baggage", context(), "in a message");
              if (b.text().equals("interrupt")) {
                throw new InterruptedException(b.text());
              }
              throw new IllegalStateException(b.text());
            })
        .onMessage(
            Event.class,
            e -> {
              worker.complete(Thread.currentThread());
              stage.system().terminate();
              stage.signal();
              return Behaviors.same();
            })
        .onSignal(PostStop.class, s -> signalled(stage))
        .onSignal(PreRestart.class, s -> signalled(stage))
        .build();
  }

  private static Behavior<Object> signalled(Stage stage) {
    stage.signal();
    return Behaviors.same();
  }

  /** An executor that is the application's: it outlives the actor system that it works for. */
  static final class Shared extends ExecutorServiceConfigurator {
    static final Outliving ONE = new Outliving();

    @SuppressWarnings("unused") // by reflection
    Shared(Config config, DispatcherPrerequisites prerequisites) {
      super(config, prerequisites);
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory factory) {
      return () -> ONE;
    }
  }

  /** One thread, whoever shuts it down; each scenario has its own. */
  static final class Outliving extends AbstractExecutorService {
    private volatile ExecutorService thread = thread();

    private static ExecutorService thread() {
      return Executors.newSingleThreadExecutor(
          task -> {
            Thread made = new Thread(task, "shared");
            made.setDaemon(true);
            return made;
          });
    }

    void renew() {
      thread.shutdown();
      thread = thread();
    }

    @Override
    public void execute(Runnable task) {
      thread.execute(
          () -> {
            try {
              task.run();
            } catch (Throwable t) { // Pekko hands on that it was interrupted; the thread lives on
              System.err.println("a task failed: " + t);
            }
          });
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
