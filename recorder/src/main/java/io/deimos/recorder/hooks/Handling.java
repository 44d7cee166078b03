// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.spans.Operation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One envelope, or one group of them, in the hands of a projection's handler, with all attempts. It
 * is also what Scala's future calls with the outcome.
 *
 * <p><b>Threads.</b> The stream's, then those on which the handler ends, one after the other.
 */
final class Handling implements InvocationHandler {
  /** How many envelopes of a group have their links. */
  private static final int MAX_LINKS = 32;

  private final Projection projection;
  private final ReadEnvelope first;
  private final @Nullable Operation operation;
  private final AtomicInteger processed = new AtomicInteger();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile @Nullable Throwable lastError;
  private @Nullable Frame frame;

  /**
   * @param operation its span; null for none
   */
  Handling(Projection projection, ReadEnvelope first, @Nullable Operation operation) {
    this.projection = projection;
    this.first = first;
    this.operation = operation;
  }

  /** The handler is called in this frame. */
  void isIn(Frame entered) {
    frame = entered;
  }

  /** The handler has been called. */
  void isLeft() {
    Frame entered = frame;
    if (entered != null) {
      frame = null;
      entered.thread().leave(entered);
    }
  }

  /** An envelope has been processed; of a group each is told of. */
  void processed(ReadEnvelope read) {
    Operation about = operation;
    if (processed.incrementAndGet() > 1 && about != null && read != first) {
      about.linked(read.link(), MAX_LINKS);
    }
  }

  /** An attempt has failed; another one may follow. */
  void failed(Throwable error) {
    lastError = error;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return method.invoke(this, args);
    }
    if (method.getName().equals("apply") && args != null) {
      try {
        ends(error(args[0]));
      } catch (Throwable t) {
        Faults.caught(t);
      }
    }
    return null;
  }

  /** The failure in Scala's {@code Try}. */
  private static @Nullable Throwable error(Object outcome) throws ReflectiveOperationException {
    return outcome.getClass().getName().endsWith(".Failure")
        ? (Throwable) outcome.getClass().getMethod("exception").invoke(outcome)
        : null;
  }

  /** All attempts are over. */
  void ends(@Nullable Throwable error) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    projection.isThrough(this);
    int envelopes = processed.get();
    Throwable failure = error;
    if (failure == null ? envelopes == 0 : Projection.isEnd(failure)) {
      failure = lastError; // which was skipped, or the projection is stopped meanwhile
    }
    Operation about = operation;
    if (about != null) {
      about.events(envelopes);
      Projection.write(about, failure);
    }
  }
}
