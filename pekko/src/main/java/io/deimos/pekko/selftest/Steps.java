// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.HookReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;

/** Runs the self-test's steps one after another and notes what each has shown. */
final class Steps {
  /** One step; true if the hook fired. */
  interface Step {
    boolean run() throws Exception;
  }

  private final ExtendedActorSystem system;
  private final ActorRef conductor;
  private final Patience patience;
  private final Map<String, Boolean> shown = new LinkedHashMap<>();

  Steps(ExtendedActorSystem system, ActorRef conductor) {
    this.system = system;
    this.conductor = conductor;
    this.patience = new Patience(system, conductor);
  }

  /** Runs a step for a hook that is woven here; a step that throws has not shown its hook. */
  @SuppressWarnings("CatchingUnchecked")
  void check(String hook, Step step) {
    if (!HookReport.hooks().contains(hook) || system.systemImpl().isTerminating()) {
      return;
    }
    boolean fired;
    try {
      fired = step.run();
    } catch (Exception e) {
      fired = false;
    }
    shown.put(hook, fired);
  }

  /** Tells what the steps have shown. */
  void report() {
    shown.forEach(HookReport::checked);
  }

  /** Runs a body inside the conductor, while it processes a message. */
  boolean inActor(Run.Body body) throws InterruptedException, ExecutionException, TimeoutException {
    Run run = new Run(body);
    conductor.tell(run, ActorRef.noSender());
    return await(run.answer());
  }

  <T> T await(CompletableFuture<T> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    patience.await(answer::isDone);
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
