// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

/**
 * The place of a finding. Texts are empty where nothing is known.
 *
 * @param actor an actor's path, as {@code pekko://shop/user/cart}
 * @param actorClass the full name of its class
 * @param messageClass the full name of a message's class
 * @param line a line of code, as a stack has it
 * @param dispatcher its name in the configuration
 * @param peer the address of another node
 */
public record Where(
    String actor,
    String actorClass,
    String messageClass,
    String line,
    String dispatcher,
    String peer) {
  /** No place: the process as a whole. */
  public static final Where HERE = new Where("", "", "", "", "", "");

  /** A single actor. */
  public static Where actor(String path, String className) {
    return new Where(path, className, "", "", "", "");
  }

  /** All actors of a class. */
  public static Where actors(String className) {
    return new Where("", className, "", "", "", "");
  }

  public static Where dispatcher(String name) {
    return new Where("", "", "", "", name, "");
  }

  public static Where peer(String address) {
    return new Where("", "", "", "", "", address);
  }

  public Where message(String className) {
    return new Where(actor, actorClass, className, line, dispatcher, peer);
  }

  public Where line(String frame) {
    return new Where(actor, actorClass, messageClass, frame, dispatcher, peer);
  }

  public Where on(String otherDispatcher) {
    return new Where(actor, actorClass, messageClass, line, otherDispatcher, peer);
  }

  String subject() {
    return String.join("\n", actor, actorClass, messageClass, dispatcher, peer);
  }
}
