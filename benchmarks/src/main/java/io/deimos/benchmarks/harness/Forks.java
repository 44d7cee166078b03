// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes forks of one heap: the same size and the same collector for every mode. */
final class Forks {
  private static final long TIMEOUT_SECONDS = 600;
  private static final long QUICK_TIMEOUT_SECONDS = 100;

  private final Options options;
  private final List<String> gcFlags;

  Forks(Options options, String heap, String young) {
    this.options = options;
    gcFlags = new ArrayList<>(List.of("-Xms" + heap, "-Xmx" + heap));
    if (options.jvm().collector().hasYoungSize()) {
      gcFlags.add("-Xmn" + young);
    }
    gcFlags.addAll(options.jvm().collector().flags());
    gcFlags.add("-XX:+AlwaysPreTouch");
  }

  /** The flags that every mode has. */
  String flags() {
    return String.join(" ", gcFlags);
  }

  /**
   * Runs a program to its one result, bound to the first {@code cores} cores; 0 binds it to none.
   */
  Map<String, Object> run(Mode mode, int cores, Class<?> program, String... arguments)
      throws ForkFailedException {
    try (Fork fork = start(mode, cores, program, arguments)) {
      return fork.result(options.quick() ? QUICK_TIMEOUT_SECONDS : TIMEOUT_SECONDS);
    } catch (IOException e) {
      throw new ForkFailedException(mode.name() + ": cannot be started: " + e);
    }
  }

  Fork start(Mode mode, int cores, Class<?> program, String... arguments) throws IOException {
    String name = program.getSimpleName().toLowerCase(Locale.ROOT) + "-" + mode.name();
    Path log = options.home().resolve("target/logs/" + name + ".log");
    return Fork.start(mode.name(), command(mode, cores, program, arguments), log);
  }

  private List<String> command(Mode mode, int cores, Class<?> program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (cores > 0) {
      command.addAll(List.of("taskset", "-c", cores == 1 ? "0" : "0-" + (cores - 1)));
    }
    command.add(options.jvm().jdk().resolve("bin/java").toString());
    command.addAll(gcFlags);
    command.addAll(mode.jvmFlags());
    command.add("-cp");
    command.add(classPath(mode));
    List<String> mains = new ArrayList<>(mode.launcher());
    mains.add(program.getName());
    command.addAll(mains);
    command.addAll(List.of(arguments));
    command.addAll(mode.programArguments());
    return command;
  }

  private String classPath(Mode mode) {
    List<Path> entries = new ArrayList<>();
    entries.add(options.home().resolve("target/classes"));
    entries.addAll(Modes.jars(options.home().resolve("target/lib/pekko")));
    entries.addAll(mode.classPath());
    return String.join(
        File.pathSeparator,
        entries.stream().map(path -> path.toAbsolutePath().toString()).toList());
  }

  /** Whether programs can be bound to cores here. */
  static boolean canBind() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(folder, "taskset"))) {
        return true;
      }
    }
    return false;
  }
}
