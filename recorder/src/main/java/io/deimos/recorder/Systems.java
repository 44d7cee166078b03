// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The actor systems that have started in this process. Safe for any thread. */
public final class Systems {
  private static final List<String> NAMES = new CopyOnWriteArrayList<>();
  private static volatile @Nullable Consumer<Object> listener;

  private Systems() {}

  /** Sets who is told of each started actor system, on the starting thread. */
  public static void onStart(Consumer<Object> told) {
    listener = told;
  }

  /** An actor system is up; called by woven code. */
  public static void started(Object system, String name) {
    if (!NAMES.contains(name)) {
      NAMES.add(name);
    }
    Consumer<Object> told = listener;
    if (told != null) {
      told.accept(system);
    }
  }

  /** Names of the systems started so far. */
  public static List<String> names() {
    return List.copyOf(NAMES);
  }
}
