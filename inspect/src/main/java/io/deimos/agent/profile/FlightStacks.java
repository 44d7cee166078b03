// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The frames of stacks, innermost first. The flight recorder has one object for all events of a
 * while with the same stack, so those are read once. One thread's.
 */
final class FlightStacks {
  private static final int MAX_KEPT = 1024;

  private final IdentityHashMap<RecordedStackTrace, List<String>> kept = new IdentityHashMap<>();

  /** Its frames; empty if it cannot be read. */
  List<String> frames(@Nullable RecordedStackTrace stack) {
    if (stack == null) {
      return List.of();
    }
    List<String> known = kept.get(stack);
    if (known != null) {
      return known;
    }
    List<String> frames = new ArrayList<>();
    for (RecordedFrame frame : stack.getFrames()) {
      RecordedMethod method = frame.getMethod();
      frames.add(
          method == null ? "(unknown)" : method.getType().getName() + "." + method.getName());
    }
    if (kept.size() == MAX_KEPT) {
      kept.clear();
    }
    kept.put(stack, frames);
    return frames;
  }
}
