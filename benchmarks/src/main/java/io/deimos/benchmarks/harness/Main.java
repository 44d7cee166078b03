// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The harness's entry; {@code benchmarks/run} calls it. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    try {
      run(Options.parse(List.of(args)));
    } catch (IllegalArgumentException | IllegalStateException | ForkFailedException e) {
      System.err.println("benchmarks: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void run(Options options)
      throws IOException, InterruptedException, ForkFailedException {
    if (!Files.isExecutable(options.jvm().jdk().resolve("bin/java"))) {
      throw new IllegalArgumentException("--jdk=" + options.jvm().jdk() + ": no bin/java in it");
    }
    System.out.println(
        options.name() + " on " + Machine.describe() + ", JDK at " + options.jvm().jdk());
    switch (options.name()) {
      case "one-actor" ->
          new OneActorRun(options, modes(options, Modes.OURS), Deadline.of(options)).runAndReport();
      case "phases" ->
          new PhasesRun(options, modes(options, Modes.PHASES), Deadline.of(options)).runAndReport();
      case "workers" -> new WorkersRun(options, modes(options, Modes.WORKERS)).runAndReport();
      case "switches" ->
          new SwitchesRun(options, modes(options, Switches.names()), Deadline.of(options))
              .runAndReport();
      case "peers" -> new PeersRun(options, modes(options, Modes.PEERS)).runAndReport();
      case "scale" -> new ScaleRun(options, modes(options, Modes.SCALE)).runAndReport();
      case "export" -> new ExportRun(options).runAndReport();
      case "app" -> {
        if (options.runs().start()) {
          new StartRun(options.named("start")).runAndReport();
        } else {
          new AppRun(options).runAndReport();
        }
      }
      default ->
          throw new IllegalArgumentException(
              options.name()
                  + ": expected one-actor, phases, workers, switches, peers, export, scale or app");
    }
  }

  private static List<Mode> modes(Options options, List<String> usual) {
    Modes all = new Modes(options.home(), options.agent());
    List<String> names = options.runs().modes().isEmpty() ? usual : options.runs().modes();
    return names.stream().map(all::mode).toList();
  }
}
