// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.HookReport;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs the hook self-test beside the first actor system that starts: on a thread of its own, in a
 * class loader below Pekko's, so that it delays nobody and uses Pekko as any application does. If
 * that system ends before the test does, the next one is as good.
 */
final class SelfTestLauncher implements Consumer<Object> {
  private static final String TEST = "io.deimos.pekko.selftest.SelfTest";

  /** Makes the test that fits an actor system. */
  interface Tests {
    Predicate<Object> of(Object system) throws ReflectiveOperationException;
  }

  private final Consumer<String> problems;
  private final Tests tests;
  private boolean isLaunched;

  /** The newest system that has started and is not tested yet. */
  private WeakReference<Object> next = new WeakReference<>(null);

  SelfTestLauncher(Consumer<String> problems) {
    this(problems, SelfTestLauncher::below);
  }

  SelfTestLauncher(Consumer<String> problems, Tests tests) {
    this.problems = problems;
    this.tests = tests;
  }

  @SuppressWarnings("unchecked") // SelfTest implements it
  private static Predicate<Object> below(Object system) throws ReflectiveOperationException {
    ClassLoader loader = new SideLoader(system.getClass().getClassLoader());
    return (Predicate<Object>) loader.loadClass(TEST).getConstructor().newInstance();
  }

  @Override
  public void accept(Object system) {
    synchronized (this) {
      next = new WeakReference<>(system);
      if (isLaunched) {
        return;
      }
      isLaunched = true;
    }
    AgentThread.start("deimos-self-test", this::run); // nothing of the thread's keeps the system
  }

  private void run() {
    for (Object system = next(); system != null; system = next()) {
      try {
        // as an application's thread has it
        Thread.currentThread().setContextClassLoader(system.getClass().getClassLoader());
        if (tests.of(system).test(system)) {
          tell();
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
    }
  }

  /** The system to go on with; null if the one that starts next is to launch the test again. */
  private synchronized @Nullable Object next() {
    Object system = next.get();
    next = new WeakReference<>(null);
    isLaunched = system != null;
    return system;
  }

  private void tell() {
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
