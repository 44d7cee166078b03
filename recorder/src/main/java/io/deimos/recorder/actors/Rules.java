// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The user's wishes about recording. Asked when an actor is made or its class becomes known, and
 * once per thread, actor class and message class; never on the way of a message, but for the {@link
 * #filter}. Implementations are immutable, and called by any thread.
 */
public interface Rules {
  /** Nothing is asked for: the user's actors are recorded, Pekko's own are not. */
  Rules NONE = new Rules() {};

  /**
   * The rules for an actor.
   *
   * @param kind its class, as far as it is known
   * @param path its path, whose {@code toString} costs and is called only if need be
   * @param chosen what was asked for where the actor, or one above it, was made
   */
  default ActorPolicy actor(ActorKind kind, Object path, @Nullable ActorChoice chosen) {
    ActorPolicy policy = kind.isPekkos() ? ActorPolicy.NONE : ActorPolicy.ALL;
    return chosen == null ? policy : chosen.applyTo(policy);
  }

  /**
   * The settings of an actor and where each comes from, for people to read; costs too much for
   * more.
   */
  default List<ActorSetting> explain(ActorKind kind, Object path) {
    return List.of();
  }

  /** The wishes in code of the actor that carries these tags; null for nothing. */
  default @Nullable ActorChoice chosen(String tags) {
    return null;
  }

  /** Whether spans are recorded at all. */
  default boolean tracing() {
    return true;
  }

  /** Whether messages are counted at all. */
  default boolean metrics() {
    return true;
  }

  /** Whether an ask gets a span of its own. */
  default boolean asks() {
    return true;
  }

  /** Whether writes and recoveries are recorded. */
  default boolean persistence() {
    return true;
  }

  /** Whether elements of streams keep their context where they wait. */
  default boolean streams() {
    return true;
  }

  /** Whether functions given to a {@code CompletableFuture} keep the context of that. */
  default boolean stages() {
    return true;
  }

  /** Whether contexts go with messages to other nodes, and come with theirs. */
  default boolean remote() {
    return true;
  }

  /** Whether a trace may begin with an ask, or at an actor of which nothing else is said. */
  default boolean starts() {
    return true;
  }

  /** One of {@link Marks#NEVER_TRACED}, {@link Marks#ALWAYS_TRACED}, or 0, by the class's name. */
  default int message(String className) {
    return 0;
  }

  /** The same of all messages to an actor, by the name of the actor's class. */
  default int actorClass(String className) {
    return 0;
  }

  /** How a trace that begins with a message of this class is sampled; null for as anywhere. */
  default @Nullable Sampling sampling(String className) {
    return null;
  }

  /** How the content of messages of this class is recorded; null if it is not. */
  default @Nullable ContentRule content(String className) {
    return null;
  }

  /**
   * How texts that are no messages are shown, such as those of the log; null if they may not be.
   */
  default @Nullable ContentRule texts() {
    return null;
  }

  /** Whether the fields of objects of this class may be shown to who looks into an actor. */
  default boolean showsState(String className) {
    return false;
  }

  /**
   * The user's own decision on each message: it, and whether it belongs to a trace already. Null if
   * there is none.
   */
  default @Nullable BiPredicate<Object, Boolean> filter() {
    return null;
  }
}
