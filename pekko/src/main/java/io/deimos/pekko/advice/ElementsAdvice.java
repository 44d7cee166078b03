// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.StreamElements;
import io.deimos.recorder.woven.NumberFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.stream.impl.fusing.GraphInterpreter;

/** Copied behind {@code GraphInterpreter.execute}: what was pushed since is told at once. */
@SuppressWarnings("unused") // copied into Pekko
final class ElementsAdvice {
  private ElementsAdvice() {}

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.This GraphInterpreter interpreter) {
    NumberFields pushed = (NumberFields) (Object) interpreter;
    if (pushed.deimos$number() != 0) {
      StreamElements.pushed(
          pushed,
          interpreter.materializer() == null ? "" : interpreter.materializer().system().name());
    }
  }
}
