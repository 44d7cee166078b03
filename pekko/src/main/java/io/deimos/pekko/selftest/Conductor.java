// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorContext;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.OneForOneStrategy;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.japi.pf.DeciderBuilder;

/** The classic actor in which the self-test's steps run; it restarts children without a word. */
final class Conductor extends AbstractActorWithTimers {
  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Run.class, this::run)
        .matchAny(answer -> {}) // of what a step began and nobody waits for
        .build();
  }

  // The test's thread must learn of any failure, and this actor must live on.
  @SuppressWarnings({"CatchingUnchecked", "PMD"})
  private void run(Run run) {
    try {
      run.answer().complete(run.body().run(this));
    } catch (Exception | LinkageError e) { // the latter on another version of Pekko
      run.answer().completeExceptionally(e);
    }
  }

  ActorContext classicContext() {
    return getContext();
  }

  ActorRef asker() {
    return getSender();
  }

  @Override
  public SupervisorStrategy supervisorStrategy() {
    return new OneForOneStrategy(
        -1,
        scala.concurrent.duration.Duration.Inf(),
        false,
        DeciderBuilder.matchAny(e -> (SupervisorStrategy.Directive) SupervisorStrategy.restart())
            .build());
  }
}
