// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.io.IOException;
import org.apache.pekko.actor.ActorRef;

/** Spans from actors: every message told is one. */
public final class ActorLoad {
  private ActorLoad() {}

  public static void main(String[] args)
      throws IOException, InterruptedException, ClassNotFoundException {
    ActorRef actor = Systems.counter(Systems.create(), new Arguments(args));
    Object[] kinds = Systems.messages();
    LoadCommands.serve(
        (perSecond, seconds) -> {
          long told = Pace.run(perSecond, seconds, count -> tell(actor, kinds, count));
          Finish finish = new Finish();
          actor.tell(finish, ActorRef.noSender());
          finish.awaitReachedNanos();
          return told + 1;
        });
  }

  private static void tell(ActorRef actor, Object[] kinds, int count) {
    int kind = 0;
    for (int i = 0; i < count; i++) {
      actor.tell(kinds[kind], ActorRef.noSender());
      kind = kind == 2 ? 0 : kind + 1;
    }
  }
}
