// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import org.apache.pekko.actor.UntypedAbstractActor;

/**
 * The actor of {@link OneActor} and {@link Phases}: it tells its messages apart, counts, and
 * allocates nothing.
 */
public class CountingActor extends UntypedAbstractActor {
  private long works;
  private long numbers;
  private long texts;

  @Override
  public void onReceive(Object message) throws Exception {
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
    } else if (message instanceof Collect) {
      getSender().tell(works + numbers + texts, getSelf());
      works = 0;
      numbers = 0;
      texts = 0;
    } else {
      unhandled(message);
    }
  }
}
