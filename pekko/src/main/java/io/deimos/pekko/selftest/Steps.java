// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.base.HookReport;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;

/** Runs the self-test's steps one after another and notes what each has shown. */
final class Steps {
  /** One step; true if the hook fired. */
  interface Step {
    boolean run() throws Exception;
  }

  /** The action that makes a hook fire. */
  interface Action {
    void run() throws Exception;
  }

  private final Supplier<Collection<String>> hooks;
  private final ExtendedActorSystem system;
  private final ActorRef conductor;
  private final Patience patience;
  private final Map<String, Boolean> shown = new LinkedHashMap<>();
  private final Set<String> unlinked = new LinkedHashSet<>();
  private boolean isWhole = true;

  /**
   * Steps for one actor system.
   *
   * @param hooks those that are woven there
   */
  Steps(Supplier<Collection<String>> hooks, ExtendedActorSystem system, ActorRef conductor) {
    this.hooks = hooks;
    this.system = system;
    this.conductor = conductor;
    this.patience = new Patience(system, conductor);
  }

  /**
   * Runs steps of one part of Pekko. Where the classes that these are written with are not there,
   * or in another shape, the steps are left out; the others are run all the same.
   */
  void part(Runnable steps) {
    try {
      steps.run();
    } catch (LinkageError e) {
      isWhole = false;
    }
  }

  /** Whether a hook is woven here. */
  boolean hasHook(String hook) {
    return hooks.get().contains(hook);
  }

  /** The same if a hook is woven here. */
  void part(String hook, Runnable steps) {
    if (hasHook(hook)) {
      part(steps);
    }
  }

  /**
   * Runs a step for a hook that is woven here; a step that throws has not shown its hook, but for
   * one whose classes are not there.
   */
  @SuppressWarnings("CatchingUnchecked")
  void check(String hook, Step step) {
    if (!hasHook(hook) || system.systemImpl().isTerminating()) {
      return;
    }
    boolean fired;
    try {
      fired = step.run();
    } catch (LinkageError e) {
      unlinked.add(hook);
      return;
    } catch (Exception e) {
      if (e.getCause() instanceof LinkageError) { // in an actor
        unlinked.add(hook);
        return;
      }
      fired = false;
    }
    shown.put(hook, fired);
  }

  /** As {@link #check}, for a hook that nothing but its firing shows, while the action runs. */
  void fires(String hook, Action action) {
    check(
        hook,
        () -> {
          action.run();
          return Hook.named(hook).hasFired();
        });
  }

  /** As {@link #fires}, for a hook that something before makes fire, perhaps on another thread. */
  void fires(String hook) {
    check(hook, () -> until(Hook.named(hook)::hasFired));
  }

  /**
   * As {@link #fires}, where the hook stands in a method of an object that was never set up: what
   * comes after the hook fails, and may.
   */
  @SuppressWarnings("CatchingUnchecked")
  void firesUnmade(String hook, Action action) {
    fires(
        hook,
        () -> {
          try {
            action.run();
          } catch (Exception e) {
            // whether the hook has fired is all that counts
          }
        });
  }

  /** Tells what the steps have shown. */
  void report() {
    shown.forEach(HookReport::checked);
    for (String hook : hooks.get()) {
      if (unlinked.contains(hook) || (!isWhole && !shown.containsKey(hook))) {
        HookReport.untested(hook);
      }
    }
  }

  /** Runs a body inside the conductor, while it processes a message. */
  boolean inActor(Run.Body body) throws InterruptedException, ExecutionException, TimeoutException {
    Run run = new Run(body);
    conductor.tell(run, ActorRef.noSender());
    return await(run.answer());
  }

  <T> T await(CompletableFuture<T> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    patience.awaitAnswer(answer::isDone);
    return answer.get(0, TimeUnit.MILLISECONDS);
  }

  /** Waits for what another thread will make true; false if it does not in time. */
  boolean until(BooleanSupplier condition) throws InterruptedException {
    return patience.await(condition);
  }

  /** Runs something on a thread that works on nothing else, and waits for it. */
  static void onPlainThread(Runnable body) throws InterruptedException {
    Thread thread = AgentThread.start("deimos-self-test-plain", body);
    thread.join(Patience.MOST.toMillis());
  }
}
