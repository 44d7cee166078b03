// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;

/** An actor that each class loader of {@link Loaders} has anew; it stops at its first message. */
public final class Reloaded extends AbstractActor {
  /** So that a loader that is kept is seen in the heap. */
  static final byte[] WEIGHT = new byte[64 * 1024];

  /** Its message. */
  public record Hello(int bytes) {}

  public static Props props() {
    return Props.create(Reloaded.class, Reloaded::new);
  }

  public static Object message() {
    return new Hello(WEIGHT.length);
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder().match(Hello.class, h -> getContext().stop(getSelf())).build();
  }
}
