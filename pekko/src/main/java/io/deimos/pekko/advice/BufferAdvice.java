// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.BufferHooks;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.woven.ContextFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.util.MessageBufferMap;
import org.jspecify.annotations.Nullable;

/** Copied into {@code MessageBuffer}, its {@code Node}, and where shards make entities. */
@SuppressWarnings("unused") // copied into Pekko
final class BufferAdvice {
  private BufferAdvice() {}

  /** The constructor. */
  static final class Kept {
    private Kept() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object node) {
      BufferHooks.kept((ContextFields) node);
    }
  }

  /** {@code apply}, which sends the message on. */
  static final class Sending {
    private Sending() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(@Advice.This Object node) {
      return BufferHooks.sending((ContextFields) node);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        ContextHooks.ran(state);
      }
    }
  }

  /** {@code MessageBuffer.append}. */
  static final class First {
    private First() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object buffer, @Advice.FieldValue("_size") int size) {
      if (size == 1) {
        BufferHooks.keptFirst((ContextFields) buffer);
      }
    }
  }

  /** {@code Shard.getOrCreateEntity}: one that is remembered is made when that is written down. */
  static final class Making {
    private Making() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(
        @Advice.Argument(0) String entity,
        @Advice.FieldValue("messageBuffers") MessageBufferMap<String> waiting) {
      return BufferHooks.making((ContextFields) (Object) waiting.getOrEmpty(entity));
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        ContextHooks.ran(state);
      }
    }
  }
}
