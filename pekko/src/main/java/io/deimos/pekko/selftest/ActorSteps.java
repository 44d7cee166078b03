// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.hooks.EventHooks;
import io.deimos.recorder.hooks.LifecycleHooks;
import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.woven.CellFields;
import io.deimos.recorder.woven.EnvelopeFields;
import io.deimos.recorder.woven.RefFields;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.dispatch.Envelope;
import org.jspecify.annotations.Nullable;

/** Messages, and the life of an actor. */
final class ActorSteps {
  private ActorSteps() {}

  static void run(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    steps.check("ActorCell.<init>", () -> steps.until(() -> kind(conductor) != null));
    steps.check("ActorCell.invoke", () -> steps.inActor(c -> Probe.isActive()));
    steps.check(
        "Envelope.<init>",
        () ->
            steps.inActor(
                c -> {
                  EnvelopeFields sent =
                      (EnvelopeFields) (Object) new Envelope("", system.deadLetters());
                  return sent.deimos$sent() != 0 || sent.deimos$trace() != null;
                }));
    steps.fires("Mailbox.run", () -> steps.inActor(c -> true));
    steps.check(
        "EventStream.publish",
        () -> {
          long before = EventHooks.selfTests();
          system.eventStream().publish(new Published());
          return EventHooks.selfTests() > before;
        });
    ActorRef child = child(steps);
    if (child == null) {
      return;
    }
    steps.check("ActorCell.create", () -> steps.until(() -> started(child) > 0));
    seeStarted(child);
    steps.fires(
        "ActorCell.systemInvoke",
        () ->
            steps.inActor(
                c -> {
                  ((org.apache.pekko.actor.ActorCell) c.classicContext())
                      .systemInvoke(new org.apache.pekko.dispatch.sysmsg.Resume(null));
                  return true;
                }));
    child.tell(new Child.Fail(), ActorRef.noSender());
    steps.check("FaultHandling.handleInvokeFailure", () -> steps.until(() -> failed(child) > 0));
    steps.check("FaultHandling.finishRecreate", () -> steps.until(() -> restarted(child) > 0));
    steps.check("ExecutorServiceDelegate.execute", () -> steps.inActor(c -> handsOn(steps, child)));
    child.tell(PoisonPill.getInstance(), ActorRef.noSender());
    steps.check("FaultHandling.finishTerminate", () -> steps.until(() -> stopped(child) > 0));
  }

  /** Does by hand what a missing hook did not, so that the steps after it show their own. */
  private static void seeStarted(ActorRef child) {
    if (started(child) == 0
        && ((org.apache.pekko.actor.ActorRefWithCell) child).underlying()
            instanceof org.apache.pekko.actor.ActorCell cell
        && cell.actor() != null) {
      LifecycleHooks.started((CellFields) (Object) cell, cell.actor());
    }
  }

  private static @Nullable ActorRef child(Steps steps) {
    ActorRef[] made = new ActorRef[1];
    try {
      steps.inActor(
          c -> {
            made[0] = c.classicContext().actorOf(Props.create(Child.class), "child");
            return true;
          });
    } catch (Exception e) {
      return null; // its steps are then named as missing
    }
    return made[0];
  }

  /** Sends to an idle actor, whose mailbox then goes through the executor. */
  private static boolean handsOn(Steps steps, ActorRef idle) throws Exception {
    Hook hook = Hook.named("ExecutorServiceDelegate.execute");
    for (int i = 0; i < 20 && !hook.hasFired(); i++) {
      Run run = new Run(c -> true);
      idle.tell(run, ActorRef.noSender());
      steps.await(run.answer());
    }
    return hook.hasFired();
  }

  private static long started(ActorRef ref) {
    ActorKind kind = kind(ref);
    return kind == null ? 0 : kind.started();
  }

  private static long stopped(ActorRef ref) {
    ActorKind kind = kind(ref);
    return kind == null ? 0 : kind.stopped();
  }

  static long failed(ActorRef ref) {
    ActorKind kind = kind(ref);
    return kind == null ? 0 : kind.failed();
  }

  static long restarted(ActorRef ref) {
    ActorKind kind = kind(ref);
    return kind == null ? 0 : kind.restarted();
  }

  private static @Nullable ActorKind kind(ActorRef ref) {
    return Probe.kind(((RefFields) (Object) ref).deimos$identity());
  }
}
