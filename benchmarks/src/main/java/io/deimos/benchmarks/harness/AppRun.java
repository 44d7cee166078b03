// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cost for a whole application: the sample shop, started twice for each mode and round. The
 * first runs under load, the second without any.
 */
final class AppRun {
  private static final long QUICK_SECONDS = 350;

  /** Together a hundred; those from outside are timed. */
  private static final double SHOPPERS_PER_SECOND = 90;

  private static final double VISITORS_PER_SECOND = 10;
  private static final double STOCK_MOVES_PER_SECOND = 5_000;

  private final Options options;
  private final int settleSeconds;
  private final int loadSeconds;
  private final int idleSettleSeconds;
  private final int idleSeconds;

  AppRun(Options options) {
    this.options = options;
    settleSeconds =
        options.runs().settle() > 0 ? options.runs().settle() : options.quick() ? 10 : 18;
    loadSeconds = options.quick() ? 12 : 22;
    idleSettleSeconds = options.quick() ? 9 : 15;
    idleSeconds = options.quick() ? 8 : 20;
  }

  void runAndReport() throws IOException, ForkFailedException {
    if (!Files.exists(Shop.jar(options.home()))) {
      throw new IllegalStateException("the shop is not built: " + Shop.jar(options.home()));
    }
    try (Receiver receiver = Receiver.start(options)) {
      AppModes all = new AppModes(options.home(), options.agent(), receiver.endpoint());
      Interleaved interleaved =
          new Interleaved(
              all.modes(options.runs().modes(), options.quick()),
              Deadline.of(options, QUICK_SECONDS));
      interleaved.run("app", options.forksOr(3, 1), Interleaved.measuring(this::measure));
      report(new AppResult(interleaved.results()), interleaved.missing());
    }
  }

  private void report(AppResult result, Map<String, String> missing) throws IOException {
    System.out.println("\n" + result.table());
    System.out.println(result.threadTable("load"));
    System.out.println(result.threadTable("idle"));
    new Report(options)
        .onJdk(Machine.versionOf(options.jvm().jdk()))
        .put("modes", result.modes())
        .put("minima", result.minima())
        .put("above_otel", result.above(AppModes.BASE))
        .put("above_otel_otlp", result.above(AppModes.BASE_OTLP))
        .put("above_none", result.above(AppModes.NONE))
        .put("threads", result.threads())
        .put("jar_bytes", jarBytes(options))
        .put(
            "windows",
            Map.of(
                "load_s", loadSeconds,
                "load_after_s", settleSeconds,
                "idle_s", idleSeconds,
                "idle_after_s", idleSettleSeconds))
        .finish(
            missing,
            String.join(" ", Shop.HEAP)
                + " "
                + String.join(" ", options.jvm().collector().flags()));
  }

  /** How large the agents are. */
  static Map<String, Object> jarBytes(Options options) throws IOException {
    Map<String, Object> bytes = new LinkedHashMap<>();
    for (Path jar :
        List.of(
            options.home().resolve("target/agents/opentelemetry-javaagent.jar"),
            options.agent(),
            options.agent().resolveSibling("deimos-lean.jar"))) {
      if (Files.exists(jar)) {
        bytes.put(jar.getFileName().toString(), Files.size(jar));
      }
    }
    return bytes;
  }

  private void measure(Mode mode, Map<String, Object> result)
      throws IOException, ForkFailedException, InterruptedException {
    underLoad(mode, result);
    idle(mode, result);
  }

  private void underLoad(Mode mode, Map<String, Object> result)
      throws IOException, ForkFailedException, InterruptedException {
    try (JoinedPage joined = AppModes.joins(mode) ? new JoinedPage(options) : null;
        Shop shop =
            new Shop(
                options,
                mode,
                List.of(),
                SHOPPERS_PER_SECOND,
                STOCK_MOVES_PER_SECOND,
                addressOf(joined))) {
      URI address = shop.awaitOpen();
      result.put("open_s", shop.openSeconds());
      result.put("open_cpu_s", shop.openCpuSeconds());
      try (OpenPage page = openPage(mode, shop, joined);
          Visitors visitors = new Visitors(address, VISITORS_PER_SECOND)) {
        sleep(settleSeconds);
        visitors.forget();
        ThreadAllocation allocatedBefore = shop.allocation();
        int collectionsBefore = shop.collections();
        ProcessTimes before = shop.times();
        sleep(loadSeconds);
        ProcessTimes after = shop.times();
        Statistics orders = Statistics.of(visitors.millis());
        double seconds = (after.atNanos() - before.atNanos()) / 1e9;
        result.put("load_cpu_percent", after.cpuPercentSince(before));
        result.put("load_wakeups_s", after.wakeupsSince(before));
        result.put("load_threads", after.groupsSince(before));
        result.put("order_p50_ms", orders.median());
        result.put("order_p99_ms", orders.quantile(0.99));
        result.put("orders_failed", visitors.failed());
        result.put("collections_min", 60 * (shop.collections() - collectionsBefore) / seconds);
        result.put("alloc_mb_s", shop.allocation().since(allocatedBefore) / 1e6 / seconds);
        result.put("rss_mb", shop.residentMegabytes());
        if (page != null) {
          page.check();
        }
      }
      result.put("live_mb", shop.liveMegabytes());
    }
  }

  private void idle(Mode mode, Map<String, Object> result)
      throws IOException, ForkFailedException, InterruptedException {
    try (JoinedPage joined = AppModes.joins(mode) ? new JoinedPage(options) : null;
        Shop shop = new Shop(options, mode, List.of(), 0, 0, addressOf(joined))) {
      URI unused = shop.awaitOpen();
      result.put("open_s", (Samples.number(result, "open_s") + shop.openSeconds()) / 2);
      result.put("open_cpu_s", (Samples.number(result, "open_cpu_s") + shop.openCpuSeconds()) / 2);
      try (OpenPage page = openPage(mode, shop, joined)) {
        sleep(idleSettleSeconds);
        ProcessTimes before = shop.times();
        sleep(idleSeconds);
        ProcessTimes after = shop.times();
        result.put("idle_cpu_percent", after.cpuPercentSince(before));
        result.put("idle_wakeups_s", after.wakeupsSince(before));
        result.put("idle_threads", after.groupsSince(before));
        if (page != null) {
          page.check();
        }
      }
    }
  }

  private static @Nullable URI addressOf(@Nullable JoinedPage joined) {
    return joined == null ? null : joined.address();
  }

  /** The reader of the page, if there is one; a shop that is to join has joined by then. */
  private static @Nullable OpenPage openPage(Mode mode, Shop shop, @Nullable JoinedPage joined)
      throws IOException, ForkFailedException, InterruptedException {
    String process = joined == null ? "" : joined.awaitJoined(shop.pid());
    URI page = joined == null ? shop.page() : joined.address();
    return AppModes.isLookedAt(mode) ? new OpenPage(page, process) : null;
  }

  private static void sleep(int seconds) throws InterruptedException {
    Thread.sleep(seconds * 1000L);
  }
}
