// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

import org.jspecify.annotations.Nullable;

/**
 * The one door from woven Pekko methods to the transport. Until a handler is there, and whenever it
 * answers {@code null}, Pekko's own method body runs.
 *
 * <p><b>Threads.</b> Any. <b>Cost.</b> Called when a connection or a stream is set up, never per
 * message.
 */
public final class RemoteBridge {
  private static volatile @Nullable Handler handler;

  private RemoteBridge() {}

  /** Stands in for the methods of Pekko that are routed here. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Does the method's work instead of Pekko.
     *
     * @param self the object the method was called on
     * @param method the name of the method
     * @param arguments what it was called with
     * @return what the method shall return, {@link Boolean#TRUE} for a void method, or {@code null}
     *     if Pekko's own body shall run
     */
    @Nullable Object handle(Object self, String method, Object[] arguments);
  }

  /** Puts the handler in place; the last one put there wins. */
  public static void install(@Nullable Handler newHandler) {
    handler = newHandler;
  }

  /** Called from woven code. */
  public static @Nullable Object call(Object self, String method, Object[] arguments) {
    Handler current = handler;
    return current == null ? null : current.handle(self, method, arguments);
  }
}
