// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.base.Hook;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.woven.RefFields;
import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.pattern.Patterns;

/** Asks from outside of all actors. */
final class AskSteps {
  /** For an ask that nobody answers. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private AskSteps() {}

  static void run(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    Object[] identity = new Object[1];
    Run request =
        new Run(
            c -> {
              identity[0] = ((RefFields) (Object) c.asker()).deimos$identity();
              c.asker().tell("answer", ActorRef.noSender());
              return true;
            });
    long endings = AskHooks.endings();
    steps.check(
        "PromiseActorRef.ask",
        () -> {
          Patterns.ask(conductor, request, Patience.MOST);
          return Hook.named("PromiseActorRef.ask").hasFired() && steps.await(request.answer());
        });
    steps.check(
        "PromiseActorRef.<init>", () -> steps.await(request.answer()) && identity[0] != null);
    steps.check("PromiseActorRef.stop", () -> steps.until(() -> AskHooks.endings() > endings));
    steps.fires(
        "PromiseActorRef.ask(ActorSelection)",
        () -> Patterns.ask(system.actorSelection(conductor.path()), new Run(c -> true), TIMEOUT));
  }
}
