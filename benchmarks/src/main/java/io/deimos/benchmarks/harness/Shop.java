// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The sample shop in a JVM of its own, from its start until it is closed. */
final class Shop implements AutoCloseable {
  static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

  private static final Pattern OPEN = Pattern.compile("shop is open at (http://[0-9.]+:[0-9]+)");
  private static final long OPEN_TIMEOUT_SECONDS = 120;
  private static final long TOOL_TIMEOUT_SECONDS = 30;

  private final Process process;
  private final Path jcmd;
  private final Path log;
  private final Path gcLog;
  private final int pagePort;
  private final long startedNanos;
  private final CompletableFuture<String> address = new CompletableFuture<>();
  private volatile long openedNanos;
  private volatile long openedTicks;
  private volatile Map<String, Double> openedGroups = Map.of();

  /** Without load. */
  static Shop idle(Options options, Mode mode, List<String> moreFlags) throws IOException {
    return new Shop(options, mode, moreFlags, 0, 0, null);
  }

  /**
   * @param moreFlags for the JVM
   * @param ordersPerSecond of shoppers inside the same JVM
   * @param stockMovesPerSecond straight to an actor; 0 with no orders turns the load off
   * @param joins the page that it joins; null if it joins none
   */
  Shop(
      Options options,
      Mode mode,
      List<String> moreFlags,
      double ordersPerSecond,
      double stockMovesPerSecond,
      @Nullable URI joins)
      throws IOException {
    jcmd = options.jvm().jdk().resolve("bin/jcmd");
    Path logs = options.home().resolve("target/logs").toAbsolutePath();
    Files.createDirectories(logs);
    log = logs.resolve("app-" + mode.name() + ".log");
    gcLog = logs.resolve("app-" + mode.name() + ".gc.log");
    Files.deleteIfExists(gcLog);
    pagePort = freePort();
    List<String> command = new ArrayList<>();
    command.add(options.jvm().jdk().resolve("bin/java").toString());
    command.addAll(HEAP);
    command.addAll(options.jvm().collector().flags());
    command.add("-Xlog:gc:file=" + gcLog + ":uptime");
    command.addAll(moreFlags);
    command.addAll(mode.jvmFlags());
    if (AppModes.hasPage(mode)) {
      command.add("-Ddeimos.page.port=" + pagePort);
    }
    if (joins != null) {
      command.add("-Ddeimos.page.join=" + joins);
    }
    command.add("-Dshop.http.port=0");
    command.add("-Dshop.load.enabled=" + (ordersPerSecond + stockMovesPerSecond > 0));
    command.add("-Dshop.load.orders-per-second=" + ordersPerSecond);
    command.add("-Dshop.load.stock-moves-per-second=" + stockMovesPerSecond);
    command.add("-jar");
    command.add(jar(options.home()).toString());
    startedNanos = System.nanoTime();
    process = Fork.builder(command).redirectErrorStream(true).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Thread reader = new Thread(this::read, "shop's output");
    reader.setDaemon(true);
    reader.start();
  }

  static Path jar(Path home) {
    return home.resolve("../samples/shop/target/shop.jar").toAbsolutePath().normalize();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Waits until it is open. */
  URI awaitOpen() throws ForkFailedException, InterruptedException {
    try {
      return URI.create(address.get(OPEN_TIMEOUT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      throw new ForkFailedException("the shop did not open (" + e + "); see " + log);
    }
  }

  /** From the start of the process until it said that it is open. */
  double openSeconds() {
    return (openedNanos - startedNanos) / 1e9;
  }

  /** The CPU time of the process until then. */
  double openCpuSeconds() {
    return openedTicks / ProcessTimes.TICKS_PER_SECOND;
  }

  /** The same by group of the threads that live then. */
  Map<String, Double> openCpuByGroup() {
    return openedGroups;
  }

  long pid() {
    return process.pid();
  }

  URI page() {
    return URI.create("http://127.0.0.1:" + pagePort);
  }

  ProcessTimes times() throws ForkFailedException {
    try {
      return ProcessTimes.of(process.pid());
    } catch (IOException | UncheckedIOException e) {
      throw new ForkFailedException("the shop has ended (" + e + "); see " + log);
    }
  }

  double residentMegabytes() throws IOException {
    List<String> status = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"));
    return ProcessTimes.field(status, "VmRSS") / 1024.0;
  }

  /** The bytes that the threads that live now have allocated so far. */
  ThreadAllocation allocation() throws ForkFailedException, InterruptedException {
    return ThreadAllocation.parse(tool("Thread.print", "-e"));
  }

  int collections() throws IOException {
    return CollectorLog.collections(Files.readAllLines(gcLog));
  }

  /** The heap after a full collection, which this asks for. */
  double liveMegabytes() throws IOException, ForkFailedException, InterruptedException {
    tool("GC.run");
    return CollectorLog.lastHeapMegabytes(Files.readAllLines(gcLog));
  }

  /** The JVM's own counters. */
  String counters() throws ForkFailedException, InterruptedException {
    return tool("PerfCounter.print");
  }

  /** The JVM's memory by purpose, if it was told to keep account. */
  String nativeMemory() throws ForkFailedException, InterruptedException {
    return tool("VM.native_memory", "summary");
  }

  private String tool(String... arguments) throws ForkFailedException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(jcmd.toString(), Long.toString(process.pid())));
    command.addAll(List.of(arguments));
    try {
      Path answer = Files.createTempFile("jcmd", ".txt");
      try {
        Process tool = Fork.builder(command).redirectOutput(answer.toFile()).start();
        if (!tool.waitFor(TOOL_TIMEOUT_SECONDS, TimeUnit.SECONDS) || tool.exitValue() != 0) {
          tool.destroyForcibly();
          throw new ForkFailedException(String.join(" ", command) + " failed; see " + log);
        }
        return Files.readString(answer);
      } finally {
        Files.delete(answer);
      }
    } catch (IOException e) {
      throw new ForkFailedException(String.join(" ", command) + ": " + e);
    }
  }

  private void read() {
    try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        java.io.Writer copy = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher open = OPEN.matcher(line);
        if (open.find()) {
          openedNanos = System.nanoTime();
          openedTicks =
              ProcessTimes.ticks(Files.readString(Path.of("/proc/" + process.pid() + "/stat")));
          openedGroups = ProcessTimes.of(process.pid()).seconds();
          address.complete(open.group(1));
        }
        copy.write(line + "\n");
        copy.flush();
      }
      address.completeExceptionally(new IOException("it has ended"));
    } catch (IOException e) {
      address.completeExceptionally(e);
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

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "shop, process %d", process.pid());
  }
}
