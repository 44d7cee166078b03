// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.woven.ContextFields;
import java.lang.reflect.Method;
import scala.Function1;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.util.Success;
import scala.util.Try;

/** A future's callback in Scala 2.12. */
final class FutureSteps {
  private FutureSteps() {}

  static void run(Steps steps, ExecutionContext here) {
    boolean[] ran = new boolean[1];
    Object[] callback = new Object[1];
    steps.check(
        "CallbackRunnable.<init>",
        () ->
            steps.inActor(
                c -> {
                  callback[0] =
                      type()
                          .getConstructor(ExecutionContext.class, Function1.class)
                          .newInstance(
                              here,
                              new scala.runtime.AbstractFunction1<Try<String>, Object>() {
                                @Override
                                public Object apply(Try<String> value) {
                                  ran[0] = Probe.isActive();
                                  return value;
                                }
                              });
                  ContextFields fields = (ContextFields) callback[0];
                  if (fields.deimos$trace() != null) {
                    return true;
                  }
                  ContextHooks.register(fields);
                  return false;
                }));
    steps.check(
        "CallbackRunnable.run",
        () -> {
          Method execute = type().getMethod("executeWithValue", Try.class);
          Exception[] failed = new Exception[1];
          Steps.onPlainThread(
              () -> {
                try {
                  execute.invoke(callback[0], new Success<>(""));
                } catch (ReflectiveOperationException e) {
                  failed[0] = e;
                }
              });
          return failed[0] == null && ran[0];
        });
  }

  private static Class<?> type() throws ClassNotFoundException {
    return Class.forName(
        "scala.concurrent.impl.CallbackRunnable", true, Future.class.getClassLoader());
  }
}
