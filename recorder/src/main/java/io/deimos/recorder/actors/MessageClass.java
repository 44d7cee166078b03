// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

/**
 * One class of messages: its number in records and its names.
 *
 * @param id in [0, 65535]; 0 stands for every class beyond the number we tell apart
 * @param name the class's full name
 * @param simpleName the last part of it, as it stands in span names
 * @param flags of {@link #TRANSPARENT}, {@link #WRAPPER}, {@link #PEKKO}, {@link #HIDDEN}, and of
 *     {@link Marks}
 */
public record MessageClass(int id, String name, String simpleName, int flags) {
  /** Pekko's own envelope-like message, of which no span is made; the context passes through. */
  public static final int TRANSPARENT = 1;

  /** Pekko's wrapper around the user's message; the real class becomes known during processing. */
  public static final int WRAPPER = 2;

  /** One of Pekko's own messages. */
  public static final int PEKKO = 4;

  /** One of the self-test's, which nobody is told of. */
  public static final int HIDDEN = 8;

  /** That of a record would go through all of them, for each ask that is counted. */
  @Override
  public int hashCode() {
    return id;
  }

  public boolean isPekko() {
    return (flags & PEKKO) != 0;
  }

  public boolean isHidden() {
    return (flags & HIDDEN) != 0;
  }

  public boolean isTransparent() {
    return (flags & TRANSPARENT) != 0;
  }

  public boolean isWrapper() {
    return (flags & WRAPPER) != 0;
  }
}
