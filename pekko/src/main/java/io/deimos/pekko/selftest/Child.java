// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/** Fails when told to. */
final class Child extends AbstractActor {
  record Fail() implements NoSerializationVerificationNeeded, DeadLetterSuppression {}

  /** The failure the test makes; without a stack trace, since nobody needs one. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure() {
      super("the hook self-test fails an actor of its own", null, false, false);
    }
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(
            Fail.class,
            fail -> {
              throw new Failure();
            })
        .match(Run.class, run -> run.answer().complete(true))
        .build();
  }
}
