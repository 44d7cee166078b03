// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param name the benchmark
 * @param quick at most four minutes, app six, for a look rather than a result
 * @param save whether the result is written to {@code results/}
 * @param home the benchmarks folder
 * @param agent the Deimos agent; the file may be missing
 * @param commit the state of the sources
 */
record Options(
    String name,
    boolean quick,
    boolean save,
    Runs runs,
    Path home,
    Jvm jvm,
    Path agent,
    String commit) {
  /**
   * The runs that are asked for.
   *
   * @param forks forks of each mode, 1 or more; 0 leaves it to the benchmark
   * @param modes the modes to run; empty leaves it to the benchmark
   * @param start of {@code app}: starts alone, and nothing after
   * @param settle seconds of load before what {@code app} measures, 1 or more; 0 leaves it to the
   *     benchmark
   */
  record Runs(int forks, List<String> modes, boolean start, int settle) {}

  /** The JDK that runs the programs under test, and their garbage collector. */
  record Jvm(Path jdk, Collector collector) {}

  static Options parse(List<String> arguments) {
    String name = "";
    boolean quick = false;
    boolean save = false;
    int forks = 0;
    List<String> modes = List.of();
    boolean start = false;
    int settle = 0;
    Path home = Path.of(".");
    Path jdk = Path.of(System.getProperty("java.home"));
    @Nullable Path agent = null;
    Collector collector = Collector.G1;
    String commit = "unknown";
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String argument = rest.next();
      switch (argument) {
        case "--quick" -> quick = true;
        case "--save" -> save = true;
        case "--forks" -> forks = positive(argument, value(argument, rest));
        case "--modes" -> modes = List.of(value(argument, rest).split(",", -1));
        case "--start" -> start = true;
        case "--settle" -> settle = positive(argument, value(argument, rest));
        case "--home" -> home = Path.of(value(argument, rest));
        case "--jdk" -> jdk = Path.of(value(argument, rest));
        case "--agent" -> agent = Path.of(value(argument, rest));
        case "--gc" -> collector = Collector.of(value(argument, rest));
        case "--commit" -> commit = value(argument, rest);
        default -> {
          if (argument.startsWith("--") || !name.isEmpty()) {
            throw new IllegalArgumentException(argument + ": not understood");
          }
          name = argument;
        }
      }
    }
    Path jar = agent == null ? home.resolve("../agent/target/deimos.jar").normalize() : agent;
    Runs runs = new Runs(forks, modes, start, settle);
    return new Options(name, quick, save, runs, home, new Jvm(jdk, collector), jar, commit);
  }

  /** The same for a benchmark of another name. */
  Options named(String other) {
    return new Options(other, quick, save, runs, home, jvm, agent, commit);
  }

  /** Returns the forks asked for, or what the benchmark does otherwise. */
  int forksOr(int full, int quickly) {
    if (runs.forks > 0) {
      return runs.forks;
    }
    return quick ? quickly : full;
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + ": a value is missing");
    }
    return rest.next();
  }

  private static int positive(String option, String value) {
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      number = 0;
    }
    if (number < 1) {
      throw new IllegalArgumentException(option + "=" + value + ": expected 1 or more");
    }
    return number;
  }
}
