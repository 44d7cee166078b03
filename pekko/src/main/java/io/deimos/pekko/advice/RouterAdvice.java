// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.RouterHooks;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.routing.RoutedActorCell;

/** Copied around {@code RoutedActorCell.sendMessage}. */
@SuppressWarnings("unused") // copied into Pekko
final class RouterAdvice {
  private RouterAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static long enter() {
    return RouterHooks.begin(RouterHooks.ROUTED);
  }

  @Advice.OnMethodExit(suppress = Throwable.class)
  static void exit(@Advice.Enter long begunNanos, @Advice.This RoutedActorCell cell) {
    if (begunNanos != 0) {
      RouterHooks.end(begunNanos, cell.system().name(), cell.routeeProps().actorClass().getName());
    }
  }
}
