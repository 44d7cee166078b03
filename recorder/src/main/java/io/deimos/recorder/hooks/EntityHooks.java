// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.trouble.EntityAsks;
import org.jspecify.annotations.Nullable;

/** Called by woven code where a shard hands a message to an entity, or sends it to another node. */
public final class EntityHooks {
  private EntityHooks() {}

  /**
   * A message leaves this node.
   *
   * @param recipient Pekko's reference to whom it is for
   */
  public static void leaving(@Nullable Object recipient, @Nullable Object message) {
    EntityAsks.leaving(recipient, message);
  }

  /**
   * A shard is about to look for the entity that a message is for.
   *
   * @return to be given to {@link #delivered}; null if that is not an ask that is followed
   */
  public static @Nullable Frame delivering() {
    return EntityAsks.delivering();
  }

  /** Ends {@link #delivering}. */
  public static void delivered(Frame in) {
    EntityAsks.delivered(in);
  }

  /**
   * A shard has found or made an entity.
   *
   * @param entity Pekko's reference
   */
  public static void found(@Nullable Object entity) {
    EntityAsks.found(entity);
  }
}
