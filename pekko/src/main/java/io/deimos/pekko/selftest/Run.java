// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/**
 * Something to be done inside an actor, and where the answer goes. If the system ends meanwhile,
 * Pekko does not log what is left of it.
 */
record Run(Body body, CompletableFuture<Boolean> answer)
    implements NoSerializationVerificationNeeded, DeadLetterSuppression {
  /** The step; true if the hook was seen to work. */
  interface Body {
    boolean run(Conductor conductor) throws Exception;
  }

  Run(Body body) {
    this(body, new CompletableFuture<>());
  }
}
