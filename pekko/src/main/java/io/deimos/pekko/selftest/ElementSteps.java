// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.woven.NumberFields;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.pekko.stream.impl.fusing.GraphInterpreter;

/** An interpreter of streams that has no stream, and counts all the same. */
final class ElementSteps {
  private ElementSteps() {}

  static void run(Steps steps) {
    steps.check(
        "GraphInterpreter.processPush.counted",
        () -> {
          GraphInterpreter interpreter = Unmade.of(GraphInterpreter.class);
          pushed(interpreter);
          return ((NumberFields) (Object) interpreter).deimos$number() == 1;
        });
    steps.fires(
        "GraphInterpreter.execute",
        () -> {
          GraphInterpreter interpreter = Unmade.of(GraphInterpreter.class);
          ((NumberFields) (Object) interpreter).deimos$number(1);
          interpreter.execute(0);
        });
  }

  private static void pushed(GraphInterpreter interpreter) throws ReflectiveOperationException {
    Method push =
        GraphInterpreter.class.getDeclaredMethod("processPush", GraphInterpreter.Connection.class);
    push.setAccessible(true);
    try {
      push.invoke(interpreter, Unmade.of(GraphInterpreter.Connection.class));
    } catch (InvocationTargetException e) {
      // the connection leads nowhere
    }
  }
}
