// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Looks into a mailbox from outside, which is seldom done: most are collections; those that typed
 * actors have by default are chains of nodes, which are followed by reflection.
 */
public final class WaitingEnvelopes {
  private WaitingEnvelopes() {}

  /**
   * The envelopes that wait in a queue of Pekko's, or a little more than {@link
   * Unanswered#MAX_ENVELOPES} of it; null if it is of a kind that cannot be looked into.
   */
  public static @Nullable Iterable<?> of(@Nullable Object queue) {
    if (queue == null || queue instanceof Iterable<?>) {
      return (Iterable<?>) queue;
    }
    for (Class<?> type = queue.getClass(); type != null; type = type.getSuperclass()) {
      if (type.getName()
          .matches("(org\\.apache\\.pekko|akka)\\.dispatch\\.Abstract(Bounded)?NodeQueue")) {
        try {
          return nodes(queue, type);
        } catch (ReflectiveOperationException | RuntimeException e) {
          return null; // another shape than we know
        }
      }
    }
    return null;
  }

  /**
   * The same of a queue that is read without any lock, so that nobody who sends to it has to wait;
   * null for others.
   */
  public static @Nullable Iterable<?> withoutLock(@Nullable Object queue) {
    if (queue instanceof Iterable<?> && !(queue instanceof ConcurrentLinkedQueue<?>)) {
      return null;
    }
    return queue == null ? null : of(queue);
  }

  /** The queue's one consumer may empty nodes meanwhile, but leaves them linked. */
  private static List<Object> nodes(Object queue, Class<?> type)
      throws ReflectiveOperationException {
    Method first = type.getDeclaredMethod("peekNode");
    first.setAccessible(true);
    List<Object> values = new ArrayList<>();
    Object node = first.invoke(queue);
    if (node == null) {
      return values;
    }
    Method next = node.getClass().getMethod("next");
    Field value = node.getClass().getDeclaredField("value");
    value.setAccessible(true);
    while (node != null && values.size() <= Unanswered.MAX_ENVELOPES) {
      Object found = value.get(node);
      if (found != null) {
        values.add(found);
      }
      node = next.invoke(node);
    }
    return values;
  }
}
