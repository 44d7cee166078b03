// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.workload.Results;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One forked JVM: started, listened to, and never left behind. Its standard error goes to a log
 * file.
 */
final class Fork implements AutoCloseable {
  private static final int LOG_TAIL_LINES = 15;

  private final String name;
  private final Process process;
  private final Path log;
  private final BufferedReader out;
  private final Writer in;

  private Fork(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  static Fork start(String name, List<String> command, Path log) throws IOException {
    Files.createDirectories(log.toAbsolutePath().getParent());
    return new Fork(name, builder(command).redirectError(log.toFile()).start(), log);
  }

  /** Flags meant for other JVMs of this shell must not slip into what is measured. */
  static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.environment().keySet().removeIf(Fork::configuresAnAgent);
    return builder;
  }

  private static boolean configuresAnAgent(String variable) {
    return variable.startsWith("OTEL_")
        || variable.startsWith("DD_")
        || variable.startsWith("DEIMOS_")
        || variable.startsWith("KAMON_");
  }

  /** Writes one line to the fork's standard input. */
  void tell(String line) throws IOException {
    in.write(line + "\n");
    in.flush();
  }

  /** Returns the next result the fork prints; what else it prints is passed over. */
  Map<String, Object> result(long timeoutSeconds) throws ForkFailedException {
    CompletableFuture<@Nullable Void> watchdog =
        CompletableFuture.runAsync(
            () -> {
              if (process.isAlive()) {
                process.destroyForcibly();
              }
            },
            CompletableFuture.delayedExecutor(timeoutSeconds, TimeUnit.SECONDS));
    long start = System.nanoTime();
    try {
      String line = out.readLine();
      while (line != null) {
        if (line.startsWith(Results.PREFIX)) {
          return Json.parseObject(line.substring(Results.PREFIX.length()));
        }
        line = out.readLine();
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      String why = seconds >= timeoutSeconds ? "no result in " + timeoutSeconds + " s" : "ended";
      throw new ForkFailedException(name + ": " + why + "; " + tail());
    } catch (IOException e) {
      throw new ForkFailedException(name + ": " + e + "; " + tail());
    } finally {
      watchdog.cancel(false);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      int from = Math.max(0, lines.size() - LOG_TAIL_LINES);
      return "the end of " + log + ":\n" + String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "its log cannot be read: " + e;
    }
  }
}
