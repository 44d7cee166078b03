// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.woven.ContextFields;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.internal.Supervisor;
import org.apache.pekko.actor.typed.internal.routing.GroupRouterImpl;
import org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl;
import org.apache.pekko.actor.typed.internal.routing.RoutingLogics;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.actor.typed.scaladsl.AbstractBehavior;
import scala.reflect.ClassTag$;

/** A typed actor: adapters, timers, supervision, asks, the stash. */
final class TypedSteps {
  /** Something to be done in the typed actor. */
  private record Do(TypedBody body, CompletableFuture<Boolean> answer)
      implements NoSerializationVerificationNeeded, DeadLetterSuppression {
    Do(TypedBody body) {
      this(body, new CompletableFuture<>());
    }
  }

  /** The step; true if the hook was seen to work. */
  private interface TypedBody {
    boolean run(Typed actor) throws Exception;
  }

  /** The tools at hand of the typed actor. */
  private record Typed(
      ActorContext<Object> context,
      StashBuffer<Object> stash,
      org.apache.pekko.actor.typed.javadsl.TimerScheduler<Object> timers)
      implements NoSerializationVerificationNeeded, DeadLetterSuppression {}

  private record Raw(Do wrapped)
      implements NoSerializationVerificationNeeded, DeadLetterSuppression {}

  private TypedSteps() {}

  static void run(Steps steps, ExtendedActorSystem system) {
    ActorRef<Object> actor =
        Adapter.toTyped(
            system
                .systemImpl()
                .systemActorOf(
                    org.apache.pekko.actor.typed.internal.adapter.PropsAdapter.apply(
                        new scala.runtime.AbstractFunction0<Behavior<Object>>() {
                          @Override
                          public Behavior<Object> apply() {
                            return behavior();
                          }
                        },
                        org.apache.pekko.actor.typed.Props.empty(),
                        false),
                    "deimos-self-test-typed"));
    wrapped(steps, actor);
    stash(steps, actor);
    steps.fires("StashBufferImpl.<init>");
    steps.fires(
        "AskPattern$PromiseRef.ask",
        () ->
            AskPattern.<Object, String>ask(
                actor,
                replyTo -> new Do(a -> true),
                Duration.ofSeconds(2),
                Adapter.toTyped(system).scheduler()));
    if (steps.hasHook("PoolRouterImpl.onMessage")) {
      routers(steps, actor);
    }
    actor.tell(new Stop(false));
  }

  /** Behaviours of routers, outside of actors of their own; each with one routee. */
  private static void routers(Steps steps, ActorRef<Object> actor) {
    Object message = new Do(a -> true);
    steps.fires(
        "PoolRouterImpl.onMessage",
        () ->
            in(
                steps,
                actor,
                a ->
                    routed(
                        new PoolRouterImpl<>(
                            a.context.asScala(),
                            1,
                            Behaviors.receiveMessage(any -> Behaviors.same()),
                            new RoutingLogics.RoundRobinLogic<>(),
                            new scala.runtime.AbstractFunction1<Object, Object>() {
                              @Override
                              public Object apply(Object any) {
                                return false;
                              }
                            },
                            org.apache.pekko.actor.typed.Props.empty()),
                        message)));
    steps.fires("PoolRouterImpl.<init>");
    steps.fires(
        "GroupRouterImpl.onMessage",
        () ->
            in(
                steps,
                actor,
                a -> {
                  RoutingLogics.RandomLogic<Object> logic = new RoutingLogics.RandomLogic<>();
                  logic.routeesUpdated(
                      new scala.collection.immutable.Set.Set1<>(a.context.getSelf()));
                  return routed(
                      new GroupRouterImpl<>(
                          a.context.asScala(),
                          ServiceKey.create(Object.class, "deimos-self-test"),
                          false,
                          logic,
                          false),
                      message);
                }));
    steps.fires("GroupRouterImpl.<init>");
  }

  private static boolean routed(AbstractBehavior<Object> router, Object message) throws Exception {
    router.onMessage(message);
    return true;
  }

  private static void wrapped(Steps steps, ActorRef<Object> actor) {
    steps.check(
        "ActorAdapter.handleMessage",
        () -> {
          Do adapted = new Do(a -> Do.class.getName().equals(Probe.messageClass()));
          in(
              steps,
              actor,
              a -> {
                a.context.messageAdapter(Raw.class, Raw::wrapped).tell(new Raw(adapted));
                return true;
              });
          return steps.await(adapted.answer);
        });
    steps.check(
        "typed.TimerSchedulerImpl.interceptTimerMsg",
        () -> {
          Do tick = new Do(a -> Do.class.getName().equals(Probe.messageClass()));
          in(
              steps,
              actor,
              a -> {
                a.timers.startSingleTimer("self-test", tick, Duration.ofMillis(1));
                return true;
              });
          return steps.await(tick.answer);
        });
    actor.tell(new Child.Fail());
    steps.check(
        "Behavior$.interpretMessage",
        () -> steps.until(() -> ActorSteps.failed(Adapter.toClassic(actor)) > 0));
    steps.check(
        "RestartSupervisor.restartCompleted",
        () -> steps.until(() -> ActorSteps.restarted(Adapter.toClassic(actor)) > 0));
  }

  private static void stash(Steps steps, ActorRef<Object> actor) {
    steps.check(
        "StashBufferImpl$Node.<init>",
        () ->
            in(
                steps,
                actor,
                a ->
                    ((ContextFields)
                                (Object)
                                    new org.apache.pekko.actor.typed.internal.StashBufferImpl
                                        .Node<>(null, "stashed"))
                            .deimos$trace()
                        != null));
    steps.fires(
        "StashBufferImpl.unstash(Function1)", () -> in(steps, actor, a -> unstashed(a, true)));
    steps.fires(
        "StashBufferImpl.unstash(Function)", () -> in(steps, actor, a -> unstashed(a, false)));
    steps.fires(
        "StashBufferImpl.dropHeadForUnstash", () -> in(steps, actor, a -> unstashed(a, true)));
  }

  /** Stashes a message, and empties the stash into a behaviour that ignores it. */
  private static boolean unstashed(Typed actor, boolean all) {
    actor.stash.stash("stashed");
    Behavior<Object> ignore = Behaviors.receiveMessage(message -> Behaviors.same());
    if (all) {
      actor.stash.unstashAll(ignore);
    } else {
      actor.stash.unstash(ignore, 1, message -> message);
    }
    return true;
  }

  private static Behavior<Object> behavior() {
    Behavior<Object> behavior =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        Behaviors.withStash(
                            10, stash -> handling(new Typed(context, stash, timers)))));
    // Not by Behaviors.supervise, whose result has another class since 1.1.
    return Supervisor.apply(
        behavior,
        SupervisorStrategy.restart().withLoggingEnabled(false),
        ClassTag$.MODULE$.apply(Child.Failure.class));
  }

  private static Behavior<Object> handling(Typed typed) {
    return Behaviors.receive(Object.class)
        .onMessage(
            Do.class,
            wanted -> {
              try {
                wanted.answer.complete(wanted.body.run(typed));
              } catch (Exception | LinkageError e) { // the latter on another version of Pekko
                wanted.answer.completeExceptionally(e);
              }
              return Behaviors.same();
            })
        .onMessage(
            Child.Fail.class,
            fail -> {
              throw new Child.Failure();
            })
        .onMessage(
            Stop.class,
            stop -> {
              if (stop.isLast) {
                return Behaviors.stopped();
              }
              typed.timers.cancelAll();
              typed.context.getSelf().tell(new Stop(true));
              return Behaviors.same();
            })
        .build();
  }

  /**
   * Ends the typed actor when it comes a second time, so that the actor still gets what it has sent
   * itself. Once the actor system ends, nobody waits for a step; what Pekko has wrapped for a late
   * one would become a dead letter of the application's.
   */
  private record Stop(boolean isLast)
      implements NoSerializationVerificationNeeded, DeadLetterSuppression {}

  private static boolean in(Steps steps, ActorRef<Object> actor, TypedBody body) throws Exception {
    Do wanted = new Do(body);
    actor.tell(wanted);
    return steps.await(wanted.answer);
  }
}
