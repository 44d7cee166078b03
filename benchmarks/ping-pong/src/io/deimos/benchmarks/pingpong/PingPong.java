// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * RemotePingPong: clients keep a window of messages under way to echoes in another system, and
 * messages are counted both ways. Every transport runs in a JVM of its own, one after the other and
 * then all again, so that what else the machine does meets all of them.
 */
final class PingPong {
  private static final String MAIN = Node.class.getName();
  private static final int TIMEOUT_MINUTES = 10;

  private final List<String> transports =
      new ArrayList<>(List.of("artery-tcp", "deimos", "artery-aeron", "classic"));
  private final List<Integer> clients = new ArrayList<>(List.of(1, 5, 10, 15, 20, 25, 30));
  private final List<Integer> windows = new ArrayList<>(List.of(50));
  private int messages = 100_000;
  private int rounds = 3;

  /** No further round is begun that would probably end later. */
  private long budgetSeconds = Long.MAX_VALUE;

  private boolean twoJvms;
  private boolean tables;
  private final Map<String, List<double[]>> results = new LinkedHashMap<>();

  public static void main(String[] arguments) throws Exception {
    PingPong benchmark = new PingPong();
    benchmark.read(arguments);
    benchmark.run();
    benchmark.print();
  }

  private void read(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> {
          replace(clients, "1,30");
          messages = 20_000;
          rounds = 3;
          budgetSeconds = 220;
        }
        case "--transports" -> {
          transports.clear();
          transports.addAll(Arrays.asList(arguments[++i].split(",")));
        }
        case "--clients" -> replace(clients, arguments[++i]);
        case "--windows" -> replace(windows, arguments[++i]);
        case "--messages" -> messages = Integer.parseInt(arguments[++i]);
        case "--rounds" -> rounds = Integer.parseInt(arguments[++i]);
        case "--two-jvms" -> twoJvms = true;
        case "--tables" -> tables = true;
        default ->
            throw new IllegalArgumentException(
                arguments[i]
                    + " is not known; known are --quick, --transports a,b, --clients 1,5, --windows"
                    + " 50,1000, --messages n, --rounds n, --two-jvms, --tables");
      }
    }
    transports.forEach(Transport::of);
  }

  private static void replace(List<Integer> list, String text) {
    list.clear();
    for (String number : text.split(",")) {
      list.add(Integer.valueOf(number));
    }
  }

  private void run() throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (int round = 1; round <= rounds; round++) {
      long passed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      if (passed + passed / Math.max(1, round - 1) > budgetSeconds) {
        return;
      }
      for (String transport : transports) {
        System.err.printf("round %d of %d: %s%n", round, rounds, transport);
        run(transport);
      }
    }
  }

  private void run(String transport) throws IOException, InterruptedException {
    List<String> work = new ArrayList<>();
    int warm = Math.min(messages, 20_000);
    work.add("30:50:" + warm + ":warm");
    work.add("30:50:" + warm + ":warm");
    for (int window : windows) {
      for (int count : clients) {
        work.add(count + ":" + window + ":" + (count == 1 ? 3 * messages : messages));
      }
    }
    if (!twoJvms) {
      measure(transport, command(transport, "both", work));
      return;
    }
    Process echo =
        new ProcessBuilder(command(transport, "echo", List.of()))
            .redirectError(Redirect.DISCARD)
            .start();
    try (BufferedReader out = reader(echo)) {
      String line = out.readLine();
      while (line != null && !line.startsWith("ADDRESS ")) {
        line = out.readLine();
      }
      if (line == null) {
        throw new IOException("the echoing JVM did not start");
      }
      List<String> withAddress = new ArrayList<>(List.of(line.substring("ADDRESS ".length())));
      withAddress.addAll(work);
      measure(transport, command(transport, "client", withAddress));
    } finally {
      echo.destroy();
    }
  }

  private List<String> command(String transport, String role, List<String> work) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(
        List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseParallelGC",
            "-cp",
            System.getProperty("java.class.path")));
    if (Transport.of(transport).isOurs()) {
      command.add("-javaagent:" + System.getProperty("agent"));
    }
    if (transport.equals("artery-aeron")) {
      command.addAll(
          List.of(
              "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
              "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
    }
    command.addAll(List.of(MAIN, role, transport, String.valueOf(tables)));
    command.addAll(work);
    return command;
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private void measure(String transport, List<String> command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
    try (BufferedReader out = reader(process)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("RESULT ")) {
          String[] parts = line.split(" ");
          results
              .computeIfAbsent(
                  transport + " " + parts[1] + " " + parts[2], key -> new ArrayList<>())
              .add(
                  new double[] {
                    Double.parseDouble(parts[3]),
                    Double.parseDouble(parts[4]),
                    Double.parseDouble(parts[5])
                  });
        }
      }
    }
    if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      System.err.println(transport + " did not finish; its missing rows are left out");
    }
  }

  private void print() {
    System.out.printf(
        "%n%-14s %7s %7s %12s %10s %10s %10s %8s%n",
        "transport", "clients", "window", "msg/s", "sd", "ns CPU/msg", "B/msg", "x stock");
    StringBuilder rows = new StringBuilder();
    results.forEach(
        (key, samples) -> {
          String[] parts = key.split(" ");
          double rate = median(samples, 0);
          List<double[]> stock = results.get("artery-tcp " + parts[1] + " " + parts[2]);
          System.out.printf(
              Locale.ROOT,
              "%-14s %7s %7s %12.0f %10.0f %10.0f %10.0f %8s%n",
              parts[0],
              parts[1],
              parts[2],
              rate,
              deviation(samples),
              median(samples, 1),
              median(samples, 2),
              stock == null ? "-" : String.format(Locale.ROOT, "%.2f", rate / median(stock, 0)));
          rows.append(rows.isEmpty() ? "" : ",")
              .append(
                  String.format(
                      Locale.ROOT,
                      "{\"transport\":\"%s\",\"clients\":%s,\"window\":%s,\"msgs_per_s\":%.0f,"
                          + "\"msgs_per_s_sd\":%.0f,\"cpu_ns_per_msg\":%.0f,\"bytes_per_msg\":%.0f}",
                      parts[0],
                      parts[1],
                      parts[2],
                      rate,
                      deviation(samples),
                      median(samples, 1),
                      median(samples, 2)));
        });
    System.out.printf(
        Locale.ROOT,
        "{\"benchmark\":\"ping-pong\",\"machine\":\"%s, %d"
            + " cores\",\"jdk\":\"%s\",\"commit\":\"%s\","
            + "\"two_jvms\":%b,\"tables\":%b,\"rows\":[%s]}%n",
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.runtime.version"),
        System.getProperty("commit", "unknown"),
        twoJvms,
        tables,
        rows);
  }

  private static double median(List<double[]> samples, int column) {
    double[] sorted = samples.stream().mapToDouble(sample -> sample[column]).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double deviation(List<double[]> samples) {
    double mean = samples.stream().mapToDouble(sample -> sample[0]).average().orElse(0);
    double squares =
        samples.stream().mapToDouble(sample -> (sample[0] - mean) * (sample[0] - mean)).sum();
    return samples.size() < 2 ? 0 : Math.sqrt(squares / (samples.size() - 1));
  }
}
