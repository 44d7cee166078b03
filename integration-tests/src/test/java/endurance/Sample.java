// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The possessions and use of this JVM at one moment. */
final class Sample {
  /** The classes of the agent and of the exporters that come with it. */
  private static final List<String> AGENTS =
      List.of(
          "deimos", "BatchSpan", "BatchLog", "PeriodicMetric", "OkHttp", "OTel", "opentelemetry");

  private Sample() {}

  static String now(long second) {
    long heap = heapAfterCollection();
    return String.format(
        Locale.ROOT,
        "@sample second=%d heap=%d threads=%d files=%d resident=%d agent-cpu-millis=%d",
        second,
        heap,
        ManagementFactory.getThreadMXBean().getThreadCount(),
        files(),
        resident(),
        agentCpuMillis());
  }

  /** The least of three: what is on its way when a collection begins survives it. */
  private static long heapAfterCollection() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static long files() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static long resident() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
    } catch (IOException e) {
      // not Linux
    }
    return 0;
  }

  private static long agentCpuMillis() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null && AGENTS.stream().anyMatch(info.getThreadName()::startsWith)) {
        nanos += Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
      }
    }
    return nanos / 1_000_000;
  }
}
