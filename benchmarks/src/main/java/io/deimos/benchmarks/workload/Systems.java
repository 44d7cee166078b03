// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;

/**
 * Builds the actor system and the messages that the programs share. All of Pekko's settings are its
 * defaults, unless a program is told otherwise.
 */
final class Systems {
  private Systems() {}

  static ActorSystem create() {
    return create(0);
  }

  /**
   * A system whose dispatcher has so many worker threads.
   *
   * @param workers 0 for Pekko's default, which is at least eight
   */
  static ActorSystem create(int workers) {
    StringBuilder text =
        new StringBuilder("pekko.loglevel=WARNING\npekko.stdout-loglevel=WARNING\n");
    if (workers > 0) {
      String pool = "pekko.actor.default-dispatcher.fork-join-executor.parallelism-";
      text.append(pool).append("min=").append(workers).append('\n');
      text.append(pool).append("max=").append(workers).append('\n');
    }
    Config own = ConfigFactory.parseString(text.toString());
    return ActorSystem.create("benchmark", own.withFallback(ConfigFactory.load()));
  }

  /**
   * Starts the actor that {@code --actor} names: the plain one, the typed one, or one with a
   * rival's code written into it.
   */
  static ActorRef counter(ActorSystem system, Arguments arguments) throws ClassNotFoundException {
    String name = arguments.string("actor", CountingActor.class.getName());
    if (name.equals(TypedCounter.class.getName())) {
      return Adapter.toClassic(Adapter.spawn(system, new TypedCounter(), "counter"));
    }
    return system.actorOf(Props.create(Class.forName(name)), "counter");
  }

  /**
   * A third each: a class of our own, a boxed number, a string; made once, so that only the
   * envelope allocates.
   */
  static Object[] messages() {
    return new Object[] {new Work(1), 7, "text"};
  }
}
