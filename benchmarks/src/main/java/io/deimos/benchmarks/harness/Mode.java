// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import io.deimos.benchmarks.workload.TypedCounter;
import java.nio.file.Path;
import java.util.List;

/**
 * An agent and its settings, or none: all that differs between two forks of one benchmark.
 *
 * @param name as in the result
 * @param files what must exist, or the mode is reported as missing
 * @param jvmFlags the agent and its settings
 * @param classPath entries beside the programs and Pekko
 * @param launcher main classes to go through first
 * @param programArguments what the program is told in this mode only
 */
record Mode(
    String name,
    List<Path> files,
    List<String> jvmFlags,
    List<Path> classPath,
    List<String> launcher,
    List<String> programArguments) {
  private static final String TYPED = "-typed";

  static Mode plain(String name) {
    return new Mode(name, List.of(), List.of(), List.of(), List.of(), List.of());
  }

  static Mode agent(String name, Path jar, List<String> flags) {
    List<String> all = new java.util.ArrayList<>();
    all.add("-javaagent:" + jar);
    all.addAll(flags);
    return new Mode(name, List.of(jar), List.copyOf(all), List.of(), List.of(), List.of());
  }

  /** The same under another name, with one JVM flag more. */
  Mode with(String other, String flag) {
    List<String> all = new java.util.ArrayList<>(jvmFlags);
    all.add(flag);
    return new Mode(other, files, List.copyOf(all), classPath, launcher, programArguments);
  }

  /** The same with a typed actor. */
  Mode typed() {
    List<String> actor = List.of("--actor=" + TypedCounter.class.getName());
    return new Mode(name + TYPED, files, jvmFlags, classPath, launcher, actor);
  }

  /** The mode without an agent that this one is compared with. */
  static String base(String name) {
    return name.endsWith(TYPED) ? "none" + TYPED : "none";
  }

  Mode with(List<Path> moreClassPath, List<String> launchers, List<String> arguments) {
    List<Path> needed = new java.util.ArrayList<>(files);
    needed.addAll(moreClassPath);
    return new Mode(name, List.copyOf(needed), jvmFlags, moreClassPath, launchers, arguments);
  }
}
