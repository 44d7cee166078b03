// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cost for the start of a whole application: the sample shop, started twice for each mode and
 * round, and stopped a few seconds after it has opened. The second start touches the whole heap
 * beforehand and keeps account of the JVM's memory, so that what is outside of the heap can be
 * seen.
 */
final class StartRun {
  private static final long QUICK_SECONDS = 300;
  private static final int SETTLE_SECONDS = 4;

  /** Without the pages of the heap that garbage happens to touch. */
  private static final List<String> TOUCHED =
      List.of("-XX:+AlwaysPreTouch", "-XX:NativeMemoryTracking=summary");

  private static final List<String> MODES =
      List.of(AppModes.NONE, AppModes.BASE, "off", AppModes.LEAN, "default");
  private static final Pattern CLASSES =
      Pattern.compile("^java\\.cls\\.(?:sharedL|l)oadedClasses=(\\d+)", Pattern.MULTILINE);

  private final Options options;

  StartRun(Options options) {
    this.options = options;
  }

  void runAndReport() throws IOException {
    if (!Files.exists(Shop.jar(options.home()))) {
      throw new IllegalStateException("the shop is not built: " + Shop.jar(options.home()));
    }
    List<String> names = options.runs().modes().isEmpty() ? MODES : options.runs().modes();
    AppModes all = new AppModes(options.home(), options.agent(), "http://127.0.0.1:9");
    Interleaved interleaved =
        new Interleaved(all.modes(names), Deadline.of(options, QUICK_SECONDS));
    interleaved.run("start", options.forksOr(7, 3), Interleaved.measuring(this::measure));
    StartResult result = new StartResult(interleaved.results());
    System.out.println("\n" + result.table());
    System.out.println(result.partsTable("cpu_s", "CPU s until open", 2));
    System.out.println(result.partsTable("native_mb", "committed MB, heap touched", 1));
    new Report(options)
        .onJdk(Machine.versionOf(options.jvm().jdk()))
        .put("modes", result.medians())
        .put("minima", result.minima())
        .put("interquartile_ranges", result.spreads())
        .put("above_otel", result.above(AppModes.BASE))
        .put("above_none", result.above(AppModes.NONE))
        .put("cpu_s", result.parts("cpu_s"))
        .put("native_mb", result.parts("native_mb"))
        .put("jar_bytes", AppRun.jarBytes(options))
        .put("settled_after_s", SETTLE_SECONDS)
        .finish(
            interleaved.missing(),
            String.join(" ", Shop.HEAP)
                + " "
                + String.join(" ", options.jvm().collector().flags()));
  }

  private void measure(Mode mode, Map<String, Object> result)
      throws IOException, ForkFailedException, InterruptedException {
    plain(mode, result);
    touched(mode, result);
  }

  private void plain(Mode mode, Map<String, Object> result)
      throws IOException, ForkFailedException, InterruptedException {
    try (Shop shop = Shop.idle(options, mode, List.of())) {
      Object unused = shop.awaitOpen();
      result.put("open_s", shop.openSeconds());
      result.put("open_cpu_s", shop.openCpuSeconds());
      result.put("cpu_s", shop.openCpuByGroup());
      settle();
      result.put("settled_cpu_s", shop.times().cpuTicks() / ProcessTimes.TICKS_PER_SECOND);
      result.put("rss_mb", shop.residentMegabytes());
      result.put("classes", classes(shop.counters()));
      result.put("live_mb", shop.liveMegabytes());
    }
  }

  private void touched(Mode mode, Map<String, Object> result)
      throws IOException, ForkFailedException, InterruptedException {
    try (Shop shop = Shop.idle(options, mode, TOUCHED)) {
      Object unused = shop.awaitOpen();
      settle();
      result.put("rss_touched_mb", shop.residentMegabytes());
      result.put("native_mb", NativeMemory.megabytes(shop.nativeMemory()));
    }
  }

  private static void settle() throws InterruptedException {
    Thread.sleep(SETTLE_SECONDS * 1000L);
  }

  /** Those loaded so far, whether or not they are of the JDK's archive. */
  static long classes(String counters) {
    long sum = 0;
    Matcher count = CLASSES.matcher(counters);
    while (count.find()) {
      sum += Long.parseLong(count.group(1));
    }
    return sum;
  }
}
