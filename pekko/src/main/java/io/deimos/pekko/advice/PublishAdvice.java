// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.EventHooks;
import io.deimos.recorder.Incidents;
import io.deimos.recorder.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.DeadLetter;
import org.jspecify.annotations.Nullable;

/** Copied before {@code EventStream.publish}. */
@SuppressWarnings("unused") // copied into Pekko
final class PublishAdvice {
  private PublishAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter(@Advice.Argument(0) @Nullable Object event) {
    if (event != null) {
      EventHooks.published(event);
      if (event instanceof DeadLetter letter) {
        Incidents.deadLetter(
            letter.message(),
            letter.sender(),
            ((RefFields) (Object) letter.sender()).deimos$identity(),
            letter.recipient(),
            ((RefFields) (Object) letter.recipient()).deimos$identity());
      }
    }
  }
}
