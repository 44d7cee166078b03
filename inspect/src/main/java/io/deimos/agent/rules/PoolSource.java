// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;

/** Gives the {@link Pool} of each dispatcher that has threads of its own and shares them. */
public final class PoolSource implements Source {
  private static final String THREADS = "pool-threads";
  private static final String BUSY = "pool-busy";
  private static final String SHORT = "pool-short";
  private static final String LOOKS = "pool-looks";
  private static final String CPU = "pool-cpu";
  private static final int ALL = 1000;
  private static final Set<String> EXECUTORS = Set.of("fork-join", "thread-pool");

  @Override
  public void note(Past.Notes notes) {
    Readings read = GaugeReaders.last();
    long cpu = -1;
    for (List<String> names : read.of(Metric.DISPATCHER_PARALLELISM).keySet()) {
      if (!EXECUTORS.contains(names.get(2))) {
        continue;
      }
      String subject = String.join("\n", names);
      long wanted = of(read, Metric.DISPATCHER_PARALLELISM, names);
      long busy = of(read, Metric.DISPATCHER_ACTIVE, names);
      boolean isShort =
          wanted > 0 && busy >= wanted && of(read, Metric.DISPATCHER_QUEUED, names) > 0;
      notes.size(THREADS, subject, of(read, Metric.DISPATCHER_THREADS, names));
      notes.size(BUSY, subject, busy);
      if (isShort) {
        cpu = cpu < 0 ? cpuThousandths() : cpu;
        notes.add(SHORT, subject, 1);
        notes.add(CPU, subject, cpu);
      }
    }
    notes.add(LOOKS, "", 1);
  }

  /**
   * The load of the machine, or the container, since somebody asked for it; as full if not known.
   * To ask takes as long as all else here.
   */
  private static long cpuThousandths() {
    double load =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean known
            ? known.getCpuLoad()
            : -1;
    return load < 0 ? ALL : Math.round(load * ALL);
  }

  private static long of(Readings read, Metric metric, List<String> names) {
    return read.of(metric).getOrDefault(names, 0L);
  }

  @Override
  public void look(Facts facts) {
    Readings read = GaugeReaders.last();
    for (List<String> names : read.of(Metric.DISPATCHER_PARALLELISM).keySet()) {
      String subject = String.join("\n", names);
      facts.add(
          new Pool(
              names.get(1),
              of(read, Metric.DISPATCHER_PARALLELISM, names),
              facts.past(THREADS, subject),
              facts.past(BUSY, subject),
              facts.past(SHORT, subject),
              facts.past(LOOKS, ""),
              facts.past(CPU, subject)));
    }
  }
}
