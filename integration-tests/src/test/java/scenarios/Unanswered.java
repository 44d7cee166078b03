// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.testkit.ExplicitlyTriggeredScheduler;
import scala.concurrent.duration.FiniteDuration;
import scenarios.Messages.Begin;
import scenarios.Messages.Done;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/** Questions that run out of time, for one reason each; time passes when the scenario says so. */
public final class Unanswered {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private Unanswered() {}

  public static void addTo(Scenes all) {
    unanswered(all, "slow", "processing", "");
    unanswered(all, "busy", "in_mailbox", "process Work at /user/asked\n");
    unanswered(all, "silent", "processed", "process Work at /user/asked\n");
    unanswered(all, "stops", "stopped", "");
    all.add(
        "unanswered-nobody",
        Unanswered::nobody,
        """
        process Begin at /user/front
          ask Ping at /user/nobody from /user/front ! timeout, target dead_letter
        """);
    for (String whom : new String[] {"gone", "nowhere"}) {
      all.add("asked-" + whom, s -> notThere(s, whom), "process Begin at /user/front\n");
      all.add("asked-typed-" + whom, s -> notThereTyped(s, whom), "process Begin at /user/front\n");
    }
  }

  private static void unanswered(Scenes all, String how, String found, String before) {
    String traces =
        """
        process Begin at /user/front
          ask %1$s at /user/asked from /user/front ! timeout, target %2$s
            process %1$s at /user/asked%3$s
        """
            + before;
    all.add(
        "unanswered-" + how, s -> classic(s, how), traces.formatted("Ping", found, " from /temp"));
    all.add("unanswered-typed-" + how, s -> typed(s, how), traces.formatted("Question", found, ""));
  }

  record Question(org.apache.pekko.actor.typed.ActorRef<Done> replyTo) {}

  private static void classic(Stage stage, String how) throws Exception {
    Conduct conduct = new Conduct(timed(stage), new CountDownLatch(1), how);
    ActorRef asked = stage.actor(Props.create(Asked.class, () -> new Asked(conduct)), "asked");
    run(
        conduct,
        work -> asked.tell(work, ActorRef.noSender()),
        () ->
            stage.start(
                "front",
                f -> {
                  var unused = Patterns.ask(asked, new Ping(), TIMEOUT);
                  stage.signal();
                }));
  }

  private static void typed(Stage stage, String how) throws Exception {
    Conduct conduct = new Conduct(timed(stage), new CountDownLatch(1), how);
    var asked = stage.typed(Unanswered.asked(conduct), "asked");
    run(
        conduct,
        asked::tell,
        () ->
            stage
                .typed(
                    Behaviors.<Begin>setup(
                        context ->
                            Behaviors.receiveMessage(
                                begin -> {
                                  var unused = ask(context, asked);
                                  stage.signal();
                                  return Behaviors.same();
                                })),
                    "front")
                .tell(new Begin()));
  }

  /** Asks where there is no actor. */
  private static void nobody(Stage stage) throws Exception {
    timed(stage)
        .actor(
            Front.props(
                stage,
                f -> {
                  var unused =
                      Patterns.ask(
                          f.getContext().actorSelection("/user/nobody"), new Ping(), TIMEOUT);
                  stage.signal();
                }),
            "front")
        .tell(new Begin(), ActorRef.noSender());
    stage.await(1);
    timePasses(stage);
  }

  /** Asks one of whom Pekko knows that it is not there: stopped, or never made. */
  private static void notThere(Stage stage, String whom) throws Exception {
    ActorRef asked = terminated(stage, whom);
    stage.begin(
        1,
        f -> {
          var unused =
              Patterns.ask(asked, new Ping(), TIMEOUT)
                  .whenComplete((answer, failure) -> signalIfOver(stage, failure));
        });
  }

  private static void notThereTyped(Stage stage, String whom) throws Exception {
    org.apache.pekko.actor.typed.ActorRef<Object> asked = Adapter.toTyped(terminated(stage, whom));
    stage
        .typed(
            Behaviors.<Begin>setup(
                context ->
                    Behaviors.receiveMessage(
                        begin -> {
                          var unused =
                              ask(context, asked)
                                  .whenComplete((answer, failure) -> signalIfOver(stage, failure));
                          return Behaviors.same();
                        })),
            "front")
        .tell(new Begin());
    stage.await(1);
  }

  private static CompletionStage<Done> ask(
      ActorContext<Begin> context, org.apache.pekko.actor.typed.ActorRef<Object> asked) {
    return AskPattern.<Object, Done>ask(
        asked, Question::new, TIMEOUT, context.getSystem().scheduler());
  }

  /** It fails at once, long before its time is over: no time passes here. */
  private static void signalIfOver(Stage stage, Throwable failure) {
    if (failure instanceof TimeoutException) {
      stage.signal();
    }
  }

  private static ActorRef terminated(Stage stage, String whom) {
    timed(stage);
    if (whom.equals("nowhere")) {
      return ((ExtendedActorSystem) stage.system())
          .provider()
          .resolveActorRef("pekko://" + stage.name() + "/user/asked");
    }
    ActorRef asked = stage.actor(Echo.props(), "asked");
    stage.system().stop(asked);
    while (!asked.isTerminated()) {
      Thread.onSpinWait();
    }
    return asked;
  }

  private static Stage timed(Stage stage) {
    return stage.with(
        "pekko.scheduler.implementation = " + ExplicitlyTriggeredScheduler.class.getName());
  }

  /** A thread that waits for the question's time to pass is told of it before this returns. */
  private static void timePasses(Stage stage) {
    ((ExplicitlyTriggeredScheduler) stage.system().scheduler())
        .timePasses(FiniteDuration.create(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS));
  }

  private static void run(Conduct conduct, Consumer<Work> other, Runnable ask) throws Exception {
    Stage stage = conduct.stage();
    if (conduct.how().equals("busy")) {
      other.accept(new Work(1));
      stage.await(1);
    }
    ask.run();
    stage.await(1);
    switch (conduct.how()) {
      case "slow" -> stage.await(1);
      case "stops" -> stage.await(2);
      case "silent" -> {
        stage.await(1);
        other.accept(new Work(1)); // when that is processed, the question has been
        stage.await(1);
      }
      default -> {}
    }
    timePasses(stage);
    conduct.over().countDown();
    if (conduct.how().equals("slow") || conduct.how().equals("busy")) {
      stage.await(1);
    }
  }

  /** The treatment of messages by the one who is asked; it signals each of them. */
  private record Conduct(Stage stage, CountDownLatch over, String how) {
    /** Returns false if the actor is to stop. */
    boolean got(boolean question) throws InterruptedException {
      stage.signal();
      if (how.equals(question ? "slow" : "busy")) {
        over.await();
        if (question) {
          stage.signal();
        }
      }
      return !(question && how.equals("stops"));
    }
  }

  static final class Asked extends AbstractActor {
    private final Conduct conduct;

    Asked(Conduct conduct) {
      this.conduct = conduct;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> conduct.got(false))
          .match(
              Ping.class,
              p -> {
                if (!conduct.got(true)) {
                  getContext().stop(getSelf());
                }
              })
          .build();
    }

    @Override
    public void postStop() {
      conduct.stage().signal();
    }
  }

  private static Behavior<Object> asked(Conduct conduct) {
    return Behaviors.receive(Object.class)
        .onMessage(
            Work.class,
            w -> {
              conduct.got(false);
              return Behaviors.same();
            })
        .onMessage(Question.class, q -> conduct.got(true) ? Behaviors.same() : Behaviors.stopped())
        .onSignal(
            PostStop.class,
            stop -> {
              conduct.stage().signal();
              return Behaviors.same();
            })
        .build();
  }
}
