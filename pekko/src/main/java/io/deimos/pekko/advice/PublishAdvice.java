// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.EventHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.SuppressedDeadLetter;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.dispatch.BoundedMessageQueueSemantics;
import org.apache.pekko.event.EventStream;
import org.apache.pekko.event.Logging;
import org.jspecify.annotations.Nullable;
import scala.Product;

/**
 * Copied before {@code EventStream.publish}, or before the same of what it inherits. An
 * application's own buses may inherit that, too.
 */
@SuppressWarnings("unused") // copied into Pekko
final class PublishAdvice {
  private PublishAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter(@Advice.This Object bus, @Advice.Argument(0) @Nullable Object event) {
    if (!(bus instanceof EventStream)) {
      return;
    }
    if (event instanceof Logging.LogEvent log) {
      EventHooks.logged(
          log.level(),
          log.logSource(),
          log.message(),
          log instanceof Logging.Error error ? error.cause() : null);
    } else if (event instanceof DeadLetter letter) {
      Object inside =
          letter.message() instanceof Product wrapper
                  && wrapper
                      .getClass()
                      .getName()
                      .startsWith("org.apache.pekko.actor.typed.internal.Adapt")
              ? wrapper.productElement(0)
              : null;
      boolean full =
          letter.recipient() instanceof ActorRefWithCell with
              && with.underlying() instanceof ActorCell cell
              && cell.mailbox().messageQueue() instanceof BoundedMessageQueueSemantics;
      EventHooks.deadLetter(
          letter.message(),
          inside,
          ((RefFields) (Object) letter.sender()).deimos$identity(),
          ((RefFields) (Object) letter.recipient()).deimos$identity(),
          full);
      EventHooks.deadLetter(
          letter.message(),
          inside,
          letter.sender(),
          ((RefFields) (Object) letter.sender()).deimos$identity(),
          letter.recipient(),
          ((RefFields) (Object) letter.recipient()).deimos$identity(),
          full);
    } else if (event instanceof UnhandledMessage message) {
      EventHooks.unhandled(((RefFields) (Object) message.recipient()).deimos$identity());
    } else if (event instanceof Dropped dropped) {
      EventHooks.dropped(dropped.reason(), dropped.message());
    } else if (event instanceof SuppressedDeadLetter letter) {
      EventHooks.suppressed(letter.message());
    } else if (event != null) {
      EventHooks.published(event);
    }
  }
}
