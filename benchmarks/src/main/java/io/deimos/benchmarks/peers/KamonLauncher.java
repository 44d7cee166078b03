// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.peers;

import java.util.Arrays;

/**
 * Starts Kamon as its manual says, before anything else, then runs the program named; but not if
 * Kanela has left Pekko's actors alone, which it says on its log only: the figures would be those
 * of no agent.
 */
public final class KamonLauncher {
  private KamonLauncher() {}

  public static void main(String[] args) throws Exception {
    Class.forName("kamon.Kamon").getMethod("init").invoke(null);
    Class<?> cell = Class.forName("org.apache.pekko.actor.ActorCell");
    if (Arrays.stream(cell.getInterfaces()).noneMatch(i -> i.getName().startsWith("kamon."))) {
      throw new IllegalStateException("Kanela has not changed " + cell.getName() + " on this JDK");
    }
    Launch.program(args);
  }
}
