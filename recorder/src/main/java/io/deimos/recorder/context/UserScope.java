// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import org.jspecify.annotations.Nullable;

/**
 * The contexts that user code made current within one {@link Frame}, by OpenTelemetry's API. While
 * a task is handed to an executor, the frame's context is hidden from it; a task that then runs in
 * the caller may still make something current of its own. Written by its thread only.
 */
final class UserScope {
  private @Nullable Object attached;
  private int hidden;

  /** The context that was attached while the rest is hidden. */
  private @Nullable Object within;

  /** The context attached last; null for none. */
  @Nullable Object attached() {
    return within != null ? within : attached;
  }

  /** The context that may be seen as attached; null for none. */
  @Nullable Object visible() {
    return hidden != 0 ? within : attached;
  }

  boolean isHidden() {
    return hidden != 0;
  }

  boolean isEmpty() {
    return attached == null && hidden == 0;
  }

  /** Returns what was attached before. */
  @Nullable Object attach(@Nullable Object context) {
    Object before = visible();
    if (hidden != 0) {
      within = context;
    } else {
      attached = context;
    }
    return before;
  }

  void hide() {
    hidden++;
  }

  /** Ends {@link #hide}; without effect if the frame was left meanwhile. */
  void unhide() {
    if (hidden > 0 && --hidden == 0) {
      within = null;
    }
  }

  void clear() {
    attached = null;
    hidden = 0;
    within = null;
  }
}
