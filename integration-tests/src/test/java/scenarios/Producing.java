// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;

/**
 * A producer of reliable delivery: sends one message for each begin, when it is asked for one.
 *
 * @param <N> how its controller asks for the next message
 */
public final class Producing<N> {
  private final Class<N> nextType;
  private final Runnable demand;
  private final BiConsumer<N, Integer> send;
  private final StashBuffer<Object> stash;
  private int number;

  private Producing(
      Class<N> nextType, Runnable demand, BiConsumer<N, Integer> send, StashBuffer<Object> stash) {
    this.nextType = nextType;
    this.demand = demand;
    this.send = send;
    this.stash = stash;
  }

  /**
   * A producer that has its messages made for it.
   *
   * @param start tells the controller whom to ask
   * @param demand is told each time the controller asks
   * @param send sends the message of that number to where the controller asks for it
   */
  public static <N> Behavior<Object> of(
      Class<N> nextType,
      Consumer<ActorRef<N>> start,
      Runnable demand,
      BiConsumer<N, Integer> send) {
    return Behaviors.setup(
        context -> {
          start.accept(context.messageAdapter(nextType, next -> next));
          return Behaviors.withStash(
              10, stash -> new Producing<>(nextType, demand, send, stash).waiting());
        });
  }

  private Behavior<Object> waiting() {
    return Behaviors.receiveMessage(
        message -> {
          if (nextType.isInstance(message)) {
            demand.run();
            return stash.unstash(asked(nextType.cast(message)), 1, m -> m);
          }
          stash.stash(message);
          return Behaviors.same();
        });
  }

  private Behavior<Object> asked(N next) {
    return Behaviors.receiveMessage(
        message -> {
          send.accept(next, ++number);
          return waiting();
        });
  }
}
