// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Says what may be seen of messages whose content is recorded ({@code deimos.content.messages}).
 * Named by the setting {@code deimos.content.redactor}, or found by {@link
 * java.util.ServiceLoader}; needs a public constructor without parameters.
 *
 * <p>Texts of the log ({@code deimos.content.logs}) and the state of an actor ({@code
 * deimos.content.state}) come as both message and content.
 *
 * <p>Called by many threads at once: on the actor's thread just before the message is processed,
 * or, with {@code deimos.content.late}, on the thread that exports spans. If it throws, nothing of
 * the message is shown but that.
 */
@FunctionalInterface
public interface ContentRedactor extends BiFunction<Object, String, @Nullable String> {
  /**
   * Returns the part of a message's content that may be seen.
   *
   * @param message as the actor gets it
   * @param content its {@code toString}, whole
   * @return the text to show, cut to {@code deimos.content.max-length} afterwards; null to show
   *     none
   */
  @Nullable String redact(Object message, String content);

  /** Called by the agent, which does not know this type. */
  @Override
  default @Nullable String apply(Object message, String content) {
    return redact(message, content);
  }
}
