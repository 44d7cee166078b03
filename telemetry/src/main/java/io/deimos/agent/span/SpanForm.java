// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.deimos.recorder.actors.MessageClass;
import io.opentelemetry.api.trace.SpanKind;
import org.jspecify.annotations.Nullable;

/**
 * The form in which spans of messages are exported: the page always has the usual one, so that it
 * can tell the wait from the work. Set once, before anything is exported. Immutable.
 *
 * @param kind of the span of a message
 * @param isFromTakeOut whether that span begins when the message is taken out of the mailbox, and
 *     not when it was sent
 * @param isByDestination whether messages and asks are named after whom they went to, and not after
 *     the message
 */
public record SpanForm(SpanKind kind, boolean isFromTakeOut, boolean isByDestination) {
  public static final SpanForm USUAL = new SpanForm(SpanType.PROCESS.kind(), false, false);

  private static volatile SpanForm exported = USUAL;

  /** That of spans which leave the process. */
  public static SpanForm exported() {
    return exported;
  }

  public static void export(SpanForm form) {
    exported = form;
  }

  /**
   * A span's name.
   *
   * @param path of whom the message went to; null if that is not known
   */
  public String name(boolean ask, MessageClass message, @Nullable String path) {
    return isByDestination && path != null
        ? (ask ? SpanType.ASK : SpanType.PROCESS).of(PathTemplate.of(path))
        : RecordAttributes.name(ask, message);
  }
}
