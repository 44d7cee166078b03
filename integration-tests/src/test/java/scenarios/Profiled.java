// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import scenarios.Messages.Done;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/**
 * One message computes, one sleeps, and many do next to nothing. It goes on until the argument, a
 * number of rounds, is through.
 */
final class Profiled {
  private static final int BYSTANDERS = 50;
  private static final long BURN_NANOS = 20_000_000;
  private static final long SLEEP_MILLIS = 15;

  private Profiled() {}

  static void addTo(Scenes all) {
    all.add("profiled", Profiled::run);
  }

  private static void run(Stage stage) throws Exception {
    ActorRef busy = stage.actor(Props.create(Busy.class, stage), "busy");
    ActorRef idle = stage.actor(Props.create(Idle.class), "idle");
    for (int round = Integer.parseInt(stage.argument()); round > 0; round--) {
      busy.tell(new Work(round), ActorRef.noSender());
      idle.tell(new Done(round), ActorRef.noSender());
      for (int i = 0; i < BYSTANDERS; i++) {
        idle.tell(new Ping(), ActorRef.noSender());
      }
      stage.await(1);
    }
  }

  static long burn(long seed) {
    long until = System.nanoTime() + BURN_NANOS;
    long x = seed | 1;
    while (System.nanoTime() < until) {
      for (int i = 0; i < 1000; i++) {
        x = x * 6364136223846793005L + 1442695040888963407L;
      }
    }
    return x;
  }

  static final class Busy extends AbstractActor {
    private final Stage stage;
    private long sum;

    Busy(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work -> {
                sum += burn(sum);
                stage.signal();
              })
          .build();
    }
  }

  static final class Idle extends AbstractActor {
    private int seen;

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Ping.class, ping -> seen++)
          .match(Done.class, done -> Thread.sleep(SLEEP_MILLIS))
          .build();
    }
  }
}
