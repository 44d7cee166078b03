// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import io.deimos.remote.RemoteBridge;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/**
 * Copied into a method of Pekko: what the bridge answers replaces the body, {@code null} keeps it.
 */
@SuppressWarnings({"unused", "UnusedVariable", "ParameterCanBeLocal"}) // called from woven code
final class RouteAdvice {
  private RouteAdvice() {}

  /** For methods that return an object. */
  static final class Returning {
    private Returning() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class, suppress = Throwable.class)
    static @Nullable Object enter(
        @Advice.This Object self,
        @Advice.Origin("#m") String method,
        @Advice.AllArguments Object[] arguments) {
      return RemoteBridge.call(self, method, arguments);
    }

    @Advice.OnMethodExit
    static void exit(
        @Advice.Enter @Nullable Object answer,
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object returned) {
      if (answer != null) {
        returned = answer;
      }
    }
  }

  /** For methods that return nothing. */
  static final class Procedure {
    private Procedure() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class, suppress = Throwable.class)
    static @Nullable Object enter(
        @Advice.This Object self,
        @Advice.Origin("#m") String method,
        @Advice.AllArguments Object[] arguments) {
      return RemoteBridge.call(self, method, arguments);
    }
  }
}
