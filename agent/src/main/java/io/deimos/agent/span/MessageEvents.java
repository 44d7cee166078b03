// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

/** Whether spans have the events {@code waiting} and {@code message}. Safe for any thread. */
public final class MessageEvents {
  private static volatile boolean on = true;

  private MessageEvents() {}

  public static boolean areOn() {
    return on;
  }

  public static void turn(boolean wanted) {
    on = wanted;
  }
}
