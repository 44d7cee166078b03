// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * RemotePingPong: clients keep a window of messages under way to echoes in another system, and
 * messages are counted both ways. Every transport runs in a JVM of its own, one after the other and
 * then all again, so that what else the machine does meets all of them.
 */
final class PingPong {
  private static final String MAIN = Node.class.getName();
  private static final int TIMEOUT_MINUTES = 5;
  private static final int QUICK_SECONDS = 220;
  private static final int RECORD_SECONDS = 3300;

  /** At least; a JVM goes on until its compilers have little left to do, or for three times as long. */
  private static final int WARM_SECONDS = 25;

  private static final int QUICK_WARM_SECONDS = 10;

  /** Each row by itself: the code of few clients is compiled anew after that of many. */
  private static final int ROW_WARM_SECONDS = 3;

  /** So much more has a single client to send, or its row would be over in a tenth of a second. */
  private static final int LONGER = 10;

  private static final int QUICK_LONGER = 3;
  private static final String USAGE =
      " is not known; known are --quick, --record, --save, --case name, --transports a,b, --clients"
          + " 1,5, --windows 50,1000, --messages n, --rounds n";

  private final long startNanos = System.nanoTime();

  /** No further round is begun that would probably end later. */
  private long budgetSeconds = Long.MAX_VALUE;

  private int warmSeconds = WARM_SECONDS;
  private int rowWarmSeconds = ROW_WARM_SECONDS;
  private int longer = LONGER;
  private boolean save;

  public static void main(String[] arguments) throws Exception {
    new PingPong().run(arguments);
  }

  private void run(String[] arguments) throws Exception {
    Plan plan = Plan.MAIN;
    boolean all = false;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> {
          plan = plan.clients("1,30").messages(20_000);
          budgetSeconds = QUICK_SECONDS;
          warmSeconds = QUICK_WARM_SECONDS;
          rowWarmSeconds = 1;
          longer = QUICK_LONGER;
        }
        case "--record" -> {
          all = true;
          save = true;
          budgetSeconds = RECORD_SECONDS;
        }
        case "--save" -> save = true;
        case "--case" -> plan = Plan.named(arguments[++i]);
        case "--transports" -> plan = plan.transports(arguments[++i]);
        case "--clients" -> plan = plan.clients(arguments[++i]);
        case "--windows" -> plan = plan.windows(arguments[++i]);
        case "--messages" -> plan = plan.messages(Integer.parseInt(arguments[++i]));
        case "--rounds" -> plan = plan.rounds(Integer.parseInt(arguments[++i]));
        default -> throw new IllegalArgumentException(arguments[i] + USAGE);
      }
    }
    List<String> lines = new ArrayList<>();
    String main = "";
    for (Plan each : all ? Plan.RECORD : List.of(plan)) {
      Results results = measure(each);
      results.print();
      if (main.isEmpty()) {
        main = results.json();
      }
      lines.add(results.json());
      if (save) {
        save(lines); // a run that is cut short leaves what it has
      }
    }
    System.out.println(main);
  }

  private static void save(List<String> lines) throws IOException {
    String jdk = String.valueOf(Runtime.version().feature());
    Path file =
        Path.of(
            System.getProperty("results"),
            LocalDate.now() + "-ping-pong-jdk" + jdk + "-" + System.getProperty("commit") + ".json");
    Files.write(file, lines);
    System.err.println("written: " + file);
  }

  private Results measure(Plan plan) throws IOException, InterruptedException {
    Results results = new Results(plan);
    long start = System.nanoTime();
    for (int round = 1; round <= plan.rounds(); round++) {
      long passed = seconds(System.nanoTime() - start);
      long perRound = passed / Math.max(1, round - 1);
      if (round > 1 && seconds(System.nanoTime() - startNanos) + perRound > budgetSeconds) {
        System.err.printf("%s: time for %d of %d rounds%n", plan.name(), round - 1, plan.rounds());
        break;
      }
      for (String transport : plan.transports()) {
        System.err.printf(
            "%s: round %d of %d: %s%n", plan.name(), round, plan.rounds(), transport);
        run(plan, transport, results);
      }
    }
    return results;
  }

  private static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos);
  }

  private void run(Plan plan, String transport, Results results)
      throws IOException, InterruptedException {
    List<String> work = work(plan);
    if (!plan.twoJvms()) {
      read(transport, command(plan, transport, "both", work), results);
      return;
    }
    Process echo =
        new ProcessBuilder(command(plan, transport, "echo", List.of()))
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
      read(transport, command(plan, transport, "client", withAddress), results);
    } finally {
      echo.destroy();
    }
  }

  /** Rounds that are not counted, for a time, then each row; of several each has some of its own. */
  private List<String> work(Plan plan) {
    List<String> work = new ArrayList<>();
    String warm =
        plan.idle() || plan.payloadBytes() > 0
            ? plan.clients().get(0) + ":" + plan.windows().get(0) + ":" + plan.messages()
            : "30:50:" + Math.min(plan.messages(), 20_000);
    work.add(warm + ":" + warmSeconds);
    for (int window : plan.windows()) {
      for (int count : plan.clients()) {
        boolean single = count == 1 && !plan.idle();
        if (plan.clients().size() > 1) {
          work.add(count + ":" + window + ":" + plan.messages() / 2 + ":" + rowWarmSeconds);
        }
        for (int i = 0; i < plan.repeats(); i++) {
          work.add(count + ":" + window + ":" + (single ? longer : 1) * plan.messages());
        }
      }
    }
    return work;
  }

  private static List<String> command(
      Plan plan, String transport, String role, List<String> work) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(
        List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseParallelGC",
            "-Dtables=" + plan.tables(),
            "-Dpayload=" + plan.payloadBytes(),
            "-Didle=" + plan.idle(),
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
    command.addAll(List.of(MAIN, role, transport));
    command.addAll(work);
    return command;
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static void read(String transport, List<String> command, Results results)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile("ping-pong", ".err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try (BufferedReader out = reader(process)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("RESULT ")) {
          results.add(transport, line);
        }
      }
    }
    if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      System.err.println(transport + " did not finish; its missing rows are left out:");
      try (var lines = Files.lines(errors)) {
        lines.limit(20).forEach(line -> System.err.println("  " + line));
      }
    }
    Files.delete(errors);
  }
}
