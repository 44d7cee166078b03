// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.Probe;
import io.deimos.recorder.RefFields;
import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.pattern.Patterns;

/** Questions from outside of all actors. */
final class AskSteps {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private AskSteps() {}

  static void run(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    Object[] identity = new Object[1];
    Run question =
        new Run(
            c -> {
              ActorRef asker = c.asker();
              identity[0] = ((RefFields) (Object) asker).deimos$identity();
              boolean asked = Probe.isAsked(identity[0], false);
              asker.tell("answer", ActorRef.noSender());
              return asked;
            });
    steps.check(
        "PromiseActorRef.ask",
        () -> {
          Patterns.ask(conductor, question, TIMEOUT);
          return Steps.await(question.answer());
        });
    steps.check("PromiseActorRef.<init>", () -> identity[0] != null);
    steps.check("PromiseActorRef.stop", () -> Steps.until(() -> Probe.hasEnded(identity[0])));
    steps.check(
        "PromiseActorRef.ask(ActorSelection)",
        () -> {
          Run selected =
              new Run(
                  c -> {
                    Object asked = ((RefFields) (Object) c.asker()).deimos$identity();
                    boolean isAsked = Probe.isAsked(asked, false);
                    c.asker().tell("answer", ActorRef.noSender());
                    return isAsked;
                  });
          Patterns.ask(system.actorSelection(conductor.path()), selected, TIMEOUT);
          return Steps.await(selected.answer());
        });
  }
}
