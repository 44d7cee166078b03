// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;

/**
 * {@code <size> <seconds>}: one quiet actor on a dispatcher with a fixed pool of that size. Prints
 * how many threads the pool has after so long.
 */
public final class QuietPool {
  private QuietPool() {}

  public static void main(String[] args) throws Exception {
    ActorSystem system =
        ActorSystem.create(
            "lifetimes",
            ConfigFactory.parseString(
                    "quiet { executor = thread-pool-executor\n"
                        + "thread-pool-executor.fixed-pool-size = "
                        + args[0]
                        + " }")
                .withFallback(ConfigFactory.load()));
    system
        .actorOf(Answerer.props().withDispatcher("quiet"), "quiet")
        .tell("wake up", ActorRef.noSender());
    Thread.sleep(Long.parseLong(args[1]) * 1000);
    long threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("lifetimes-quiet-"))
            .count();
    System.out.println("@threads " + threads);
    System.exit(0);
  }
}
