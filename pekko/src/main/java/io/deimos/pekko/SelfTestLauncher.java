// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.HookReport;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the hook self-test beside the first actor system that starts on each Pekko of the process:
 * at a quiet moment, on a thread of its own, in a class loader below that Pekko's, so that it
 * delays nobody and uses Pekko as any application does. If that system ends before the test does,
 * the next one is as good.
 */
final class SelfTestLauncher implements Consumer<Object> {
  private static final String TEST = "io.deimos.pekko.selftest.SelfTest";

  /** Makes the test that fits an actor system. */
  interface Tests {
    /**
     * A test.
     *
     * @param hooks those that it is to try
     */
    Predicate<Object> of(Object system, Supplier<Collection<String>> hooks)
        throws ReflectiveOperationException;
  }

  /** Each costs a weak reference. */
  private static final int MAX_WAITING = 16;

  private final Consumer<String> problems;
  private final Function<Object, Set<String>> woven;
  private final Tests tests;
  private final QuietMoment quiet;

  /** By the class of its systems, of which each Pekko has one. */
  private final Map<Class<?>, Launch> launches = new WeakHashMap<>();

  /** Hooks of several Pekkos tell that they fire by the same flags, so one is tested at a time. */
  private final Object oneAtATime = new Object();

  private boolean isAnyTested;

  /**
   * A launcher.
   *
   * @param woven expects the hooks that are woven for an actor system, and says their names
   * @param quiet awaited before a test
   */
  SelfTestLauncher(
      Consumer<String> problems, Function<Object, Set<String>> woven, QuietMoment quiet) {
    this(problems, woven, quiet, SelfTestLauncher::below);
  }

  SelfTestLauncher(
      Consumer<String> problems,
      Function<Object, Set<String>> woven,
      QuietMoment quiet,
      Tests tests) {
    this.problems = problems;
    this.woven = woven;
    this.quiet = quiet;
    this.tests = tests;
  }

  @SuppressWarnings("unchecked") // SelfTest implements it
  private static Predicate<Object> below(Object system, Supplier<Collection<String>> hooks)
      throws ReflectiveOperationException {
    ClassLoader loader = new SideLoader(system);
    return (Predicate<Object>)
        loader.loadClass(TEST).getConstructor(Supplier.class).newInstance(hooks);
  }

  @Override
  public void accept(Object system) {
    Launch launch;
    synchronized (launches) {
      launch = launches.computeIfAbsent(system.getClass(), type -> new Launch());
      launch.add(system);
      if (launch.isUnderWay) {
        return;
      }
      launch.isUnderWay = true;
    }
    // nothing of the thread's keeps the system
    AgentThread.start(
        "deimos-self-test",
        () -> {
          quiet.await();
          run(launch);
        });
  }

  private void run(Launch launch) {
    for (Object system = next(launch); system != null; system = next(launch)) {
      try {
        // as an application's thread has it
        Thread.currentThread().setContextClassLoader(system.getClass().getClassLoader());
        synchronized (oneAtATime) {
          if (tests.of(system, hooks(system)).test(system)) {
            isAnyTested = true;
            tell(system);
            return;
          }
        }
      } catch (Throwable t) { // said in the report and here; it is no failure of what is woven
        HookReport.done("");
        problems.accept(
            "the hook self-test could not run on this version of "
                + Toolkit.of(system.getClass()).label()
                + " ("
                + t
                + "), so Deimos may be missing something; use a supported version, or report it");
        return;
      }
    }
  }

  /** The first Pekko's are all that there are, with those that belong to no Pekko. */
  private Supplier<Collection<String>> hooks(Object system) {
    Set<String> here = woven.apply(system); // which expects them
    if (!isAnyTested) {
      return HookReport::hooks;
    }
    HookReport.again(here);
    return () -> here;
  }

  /** The system to go on with; null if the one that starts next is to launch the test again. */
  private @Nullable Object next(Launch launch) {
    synchronized (launches) {
      Object system = launch.take();
      launch.isUnderWay = system != null;
      return system;
    }
  }

  private void tell(Object system) {
    if (HookReport.state() == HookReport.State.MISSING) {
      problems.accept(
          "these hooks did not fire on "
              + Toolkit.of(system.getClass()).label()
              + " "
              + HookReport.pekkoVersion().replace("Akka ", "")
              + ": "
              + String.join(", ", HookReport.missing())
              + ". Their records are missing from spans and metrics; use a supported version of"
              + " Pekko, or report it");
    }
  }

  /** The test of one Pekko. */
  private static final class Launch {
    /** True from its begin, and for ever once it is done. */
    private boolean isUnderWay;

    /** Systems that have started and are not tested yet, the first one first. */
    private final Deque<WeakReference<Object>> waiting = new ArrayDeque<>();

    /** If there are many, the ones between the first and the last are passed over. */
    void add(Object system) {
      waiting.removeIf(one -> one.get() == null);
      if (waiting.size() == MAX_WAITING) {
        waiting.removeLast();
      }
      waiting.addLast(new WeakReference<>(system));
    }

    @Nullable Object take() {
      Object system = null;
      while (system == null && !waiting.isEmpty()) {
        system = waiting.removeFirst().get();
      }
      return system;
    }
  }
}
