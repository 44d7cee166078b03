// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** Streams of some elements that cross a boundary. */
final class Flows implements Load {
  private static final int ELEMENTS = 100;

  private final ActorSystem system;

  Flows(ActorSystem system) {
    this.system = system;
  }

  @Override
  public String name() {
    return "streams";
  }

  @Override
  public long everyNanos() {
    return 50_000_000;
  }

  @Override
  public int once() throws Exception {
    Source.range(1, ELEMENTS)
        .map(i -> i + 1)
        .async()
        .map(i -> i * 2)
        .runWith(Sink.ignore(), system)
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
    return 1;
  }
}
