// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** The {@link CountingActor} of {@link Phases} as a typed behaviour. */
public final class TypedCounter extends ExtensibleBehavior<Object> {
  long works;
  long numbers;
  long texts;

  @Override
  public Behavior<Object> receive(TypedActorContext<Object> context, Object message)
      throws Exception {
    if (message instanceof Work) {
      works++;
    } else if (message instanceof Integer) {
      numbers++;
    } else if (message instanceof String) {
      texts++;
    } else if (message instanceof Gate gate) {
      gate.pass();
    } else if (message instanceof Finish finish) {
      finish.reached();
    } else {
      return Behaviors.unhandled();
    }
    return Behaviors.same();
  }

  @Override
  public Behavior<Object> receiveSignal(TypedActorContext<Object> context, Signal signal) {
    return Behaviors.same();
  }
}
