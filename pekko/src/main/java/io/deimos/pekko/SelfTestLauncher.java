// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.HookReport;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs the hook self-test beside the first actor system that starts: on a thread of its own, in a
 * class loader below Pekko's, so that it delays nobody and uses Pekko as any application does.
 */
final class SelfTestLauncher implements Consumer<Object> {
  private static final String TEST = "io.deimos.pekko.selftest.SelfTest";

  private final Consumer<String> problems;
  private final AtomicBoolean launched = new AtomicBoolean();

  SelfTestLauncher(Consumer<String> problems) {
    this.problems = problems;
  }

  @Override
  public void accept(Object system) {
    if (launched.compareAndSet(false, true)) {
      AgentThread.start("deimos-self-test", () -> run(system));
    }
  }

  private void run(Object system) {
    try {
      ClassLoader pekkos = system.getClass().getClassLoader();
      Thread.currentThread().setContextClassLoader(pekkos); // as an application's thread has it
      ClassLoader loader = new SideLoader(pekkos);
      @SuppressWarnings("unchecked") // SelfTest implements it
      Predicate<Object> test =
          (Predicate<Object>) loader.loadClass(TEST).getConstructor().newInstance();
      if (!test.test(system)) {
        launched.set(false); // that system ended before the test did; the next one is as good
        return;
      }
    } catch (Throwable t) { // said in the report and here; it is no failure of what is woven
      HookReport.done("");
      problems.accept(
          "the hook self-test could not run on this version of Pekko ("
              + t
              + "), so Deimos may be missing something; use a supported version, or report it");
      return;
    }
    if (HookReport.state() == HookReport.State.MISSING) {
      problems.accept(
          "these hooks did not fire on Pekko "
              + HookReport.pekkoVersion()
              + ": "
              + String.join(", ", HookReport.missing())
              + ". What they record is missing from spans and metrics; use a supported version of"
              + " Pekko, or report it");
    }
  }
}
