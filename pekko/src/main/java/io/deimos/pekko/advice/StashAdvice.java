// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.StashHooks;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.EnvelopeFields;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.StashSupport;
import org.apache.pekko.actor.typed.internal.StashBufferImpl;
import org.jspecify.annotations.Nullable;
import scala.Product;

/** Copied into {@code StashSupport} and {@code StashBufferImpl}. */
@SuppressWarnings("unused") // copied into Pekko
final class StashAdvice {
  private StashAdvice() {}

  /** {@code StashSupport.stash}, of classic actors. */
  static final class Stashed {
    private Stashed() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This StashSupport stash) {
      StashHooks.stashed((EnvelopeFields) (Object) ((ActorCell) stash.context()).currentMessage());
    }
  }

  /** {@code StashBufferImpl.<init>}. */
  static final class Made {
    private Made() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object stash) {
      StashHooks.made(stash);
    }
  }

  /** {@code Node.<init>}. */
  static final class Kept {
    private Kept() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object node) {
      StashHooks.kept((ContextFields) node);
    }
  }

  /** {@code dropHeadForUnstash}. */
  static final class Next {
    private Next() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Return(typing = Assigner.Typing.DYNAMIC) StashBufferImpl.@Nullable Node<?> node) {
      if (node != null) {
        Object message = node.message();
        StashHooks.next(
            (ContextFields) (Object) node,
            message,
            message instanceof Product wrapper && wrapper.productArity() == 1
                ? wrapper.productElement(0)
                : null);
      }
    }
  }

  /** {@code unstash} of some messages. */
  static final class Unstash {
    private Unstash() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return StashHooks.begin(StashHooks.UNSTASH);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      StashHooks.done(token);
    }
  }

  /** {@code unstash} of all. */
  static final class UnstashAll {
    private UnstashAll() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return StashHooks.begin(StashHooks.UNSTASH_ALL);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      StashHooks.done(token);
    }
  }
}
