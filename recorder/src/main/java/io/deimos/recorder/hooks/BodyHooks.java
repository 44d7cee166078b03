// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.woven.ContextFields;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code for the bodies of HTTP messages that are streams. The stage that sends one
 * gets it from a future, which knows nothing of the request; one that comes is a source whose
 * elements the network gives, without a context.
 *
 * <p><b>Threads.</b> A body is made on any thread, and sent by the actor of its connection; what
 * brings it there orders the two.
 *
 * <p><b>Record.</b> None, as {@link StreamHooks}.
 *
 * <p><b>Full.</b> A context for each body that is not sent yet.
 */
public final class BodyHooks {
  public static final Hook CHUNKED = Hook.named("HttpEntity$Chunked.<init>");
  public static final Hook OF_LENGTH = Hook.named("HttpEntity$Default.<init>");
  public static final Hook CLOSE_DELIMITED = Hook.named("HttpEntity$CloseDelimited.<init>");
  public static final Hook RESPONSE = Hook.named("ResponseRenderingContext.<init>");
  public static final Hook REQUEST = Hook.named("RequestRenderingContext.<init>");
  public static final Hook FRAMED = Hook.named("Http2SubStream$.apply");

  private static final Hook COPIED = Hook.named("HttpEntity$.captureTermination");
  private static final Hook TOLD = Hook.named("GraphInterpreter.runAsyncInput");

  private BodyHooks() {}

  /** A body is made: it keeps the context of this thread, now. */
  public static void made(Hook hook, ContextFields body) {
    hook.fires();
    if (Parts.streams) {
      ContextHooks.register(body);
    }
  }

  /** Another is made of a body on its way, in no context: it has that of the first. */
  public static void copied(@Nullable Object body, @Nullable Object copy) {
    COPIED.fires();
    if (body instanceof ContextFields from
        && copy instanceof ContextFields to
        && to.deimos$trace() == null) {
      to.deimos$context(from.deimos$trace(), from.deimos$parent());
    }
  }

  /**
   * A body is about to be sent, by a stage that starts it next. If it came there without a context,
   * it goes on in its own. After that it has none: a body that is sent again is no more of one
   * request than of another.
   */
  public static void sent(Hook hook, @Nullable Object body) {
    hook.fires();
    if (body instanceof ContextFields made && made.deimos$trace() != null) {
      goOn(made);
      ContextHooks.forget(made);
    }
  }

  /** A stage is told something from outside. */
  public static void tells() {
    TOLD.fires();
  }

  /**
   * A part of a stream is told an element. If this is the body of an HTTP message, the element is
   * of the request that reads it, and of no other on its connection.
   *
   * @param name of the source, by which Pekko HTTP's are known
   */
  public static void told(ContextFields logic, String name) {
    if (name.startsWith("EntitySource") || name.startsWith("substream-out-")) {
      StreamHooks.resume(logic.deimos$trace(), logic.deimos$parent());
    }
  }

  private static void goOn(ContextFields kept) {
    ThreadState s = ThreadState.current();
    if (Parts.streams && s != null && s.isBusy() && s.isWithoutContext()) {
      s.at.goOnIn(kept.deimos$trace(), kept.deimos$parent());
    }
  }
}
