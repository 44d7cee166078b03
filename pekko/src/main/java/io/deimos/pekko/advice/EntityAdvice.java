// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.EntityHooks;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied into {@code Shard}, where it hands a message to an entity. */
@SuppressWarnings("unused") // copied into Pekko
final class EntityAdvice {
  private EntityAdvice() {}

  /** {@code deliverMessage}. */
  static final class Delivering {
    private Delivering() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter() {
      return EntityHooks.delivering();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        EntityHooks.delivered(state);
      }
    }
  }

  /** {@code Active.ref}, {@code getOrCreateEntity}: both are asked for whom a message is for. */
  static final class Found {
    private Found() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return @Nullable Object entity) {
      EntityHooks.found(entity);
    }
  }
}
