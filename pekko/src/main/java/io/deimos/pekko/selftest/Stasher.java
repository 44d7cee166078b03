// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/** Stashes the first message, takes it up again at once, and stops. */
final class Stasher extends AbstractActorWithStash {
  /** The stashed message. */
  record Stash(CompletableFuture<Boolean> answer)
      implements NoSerializationVerificationNeeded, DeadLetterSuppression {}

  private boolean stashed;

  @Override
  public Receive createReceive() {
    return receiveBuilder().match(Stash.class, this::stashOnce).build();
  }

  private void stashOnce(Stash message) {
    if (stashed) {
      getContext().stop(getSelf());
      return;
    }
    stashed = true;
    stash();
    unstashAll();
    message.answer().complete(true);
  }
}
