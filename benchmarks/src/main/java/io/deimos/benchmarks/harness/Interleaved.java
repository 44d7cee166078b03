// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs forks of several modes in turn, so that what the machine does beside them falls on all
 * alike; each pass starts with another mode. A mode that cannot run is named with its reason and
 * never left out in silence.
 */
final class Interleaved {
  /** Runs one fork of a mode. */
  interface Runner {
    Map<String, Object> run(Mode mode) throws ForkFailedException;
  }

  /** Runs one fork of a mode, and puts down what it measures. */
  interface Measurement {
    void of(Mode mode, Map<String, Object> result)
        throws IOException, ForkFailedException, InterruptedException;
  }

  /** A failed measurement is a fork that has failed. */
  static Runner measuring(Measurement measurement) {
    return mode -> {
      try {
        Map<String, Object> result = new LinkedHashMap<>();
        measurement.of(mode, result);
        return result;
      } catch (IOException e) {
        throw new ForkFailedException(mode.name() + ": " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ForkFailedException(mode.name() + ": interrupted");
      }
    };
  }

  private final List<Mode> modes;
  private final Deadline deadline;
  private final Map<String, List<Map<String, Object>>> results = new LinkedHashMap<>();
  private final Map<String, String> missing = new LinkedHashMap<>();

  Interleaved(List<Mode> modes, Deadline deadline) {
    this.modes = modes;
    this.deadline = deadline;
    for (Mode mode : modes) {
      List<Path> absent = mode.files().stream().filter(file -> !Files.exists(file)).toList();
      if (absent.isEmpty()) {
        results.put(mode.name(), new ArrayList<>());
      } else {
        missing.put(mode.name(), "not there: " + absent.get(0));
      }
    }
    missing.forEach((name, why) -> System.out.println("  " + name + ": missing, " + why));
  }

  /** Runs up to {@code passes} passes, fewer if time is short. */
  void run(String what, int passes, Runner runner) {
    List<Mode> present = modes.stream().filter(mode -> results.containsKey(mode.name())).toList();
    for (int pass = 0; pass < passes; pass++) {
      if (!deadline.allowsAnother(pass)) {
        System.out.println(
            "  " + what + ": stopped after " + pass + " of " + passes + " forks, no time left");
        return;
      }
      deadline.passStarts();
      for (int i = 0; i < present.size(); i++) {
        one(what, pass, present.get((i + pass) % present.size()), runner);
      }
      deadline.passEnds();
    }
  }

  private void one(String what, int pass, Mode mode, Runner runner) {
    List<Map<String, Object>> done = results.get(mode.name());
    if (done == null) {
      return;
    }
    if (deadline.isOver()) {
      if (done.isEmpty()) {
        missing.put(mode.name(), what + ": no time left in a quick run");
      }
      return;
    }
    try {
      System.out.println("  " + what + ": fork " + (pass + 1) + ", " + mode.name());
      done.add(runner.run(mode));
    } catch (ForkFailedException e) {
      System.out.println("  " + mode.name() + " failed: " + e.getMessage());
      missing.put(mode.name(), String.valueOf(e.getMessage()).lines().findFirst().orElse("failed"));
      if (done.isEmpty()) {
        results.remove(mode.name());
      }
    }
  }

  /** The results of each mode that gave any, in the order asked for. */
  Map<String, List<Map<String, Object>>> results() {
    Map<String, List<Map<String, Object>>> some = new LinkedHashMap<>(results);
    some.values().removeIf(List::isEmpty);
    return some;
  }

  /** The modes that could not run, or failed at some time, with the reason. */
  Map<String, String> missing() {
    return missing;
  }
}
