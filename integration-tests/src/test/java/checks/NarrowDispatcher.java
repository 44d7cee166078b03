// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.ActorSystem;

/** Two calls that block one thread in turn, outside of actors; and two that have a thread each. */
final class NarrowDispatcher implements Scenario {
  private static final long LASTS_NANOS = 20_000_000;

  @Override
  public String rule() {
    return "dispatcher-threads";
  }

  @Override
  public void sick(ActorSystem system) {
    calls(system.dispatchers().lookup("sick-calls"));
  }

  @Override
  public void healthy(ActorSystem system) {
    calls(system.dispatchers().lookup("healthy-calls"));
  }

  private static void calls(Executor executor) {
    executor.execute(() -> call(executor));
    executor.execute(() -> call(executor));
  }

  private static void call(Executor executor) {
    LockSupport.parkNanos(LASTS_NANOS);
    executor.execute(() -> call(executor));
  }
}
