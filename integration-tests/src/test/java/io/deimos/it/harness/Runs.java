// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Runs that many tests look at, each made once; and once more if one of those is tried again. */
public final class Runs<K, T> {
  private static final List<Runs<?, ?>> ALL = new CopyOnWriteArrayList<>();

  private final Map<K, T> made = new ConcurrentHashMap<>();

  public Runs() {
    ALL.add(this);
  }

  public T of(K key, Function<K, T> run) {
    return made.computeIfAbsent(key, run);
  }

  /** Surefire tries what has failed again in the same process, in a test plan of its own. */
  public static final class Forgotten implements TestExecutionListener {
    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
      ALL.forEach(runs -> runs.made.clear());
    }
  }
}
