// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A load generator's conversation with the harness: each line in is {@code <per second> <seconds>},
 * each line out says what was made of it. Standard input and output are used because an agent would
 * trace HTTP.
 */
public final class LoadCommands {
  /** Produces at a rate for some seconds and returns how many spans must come of it. */
  public interface Load {
    long produce(long perSecond, double seconds) throws InterruptedException;
  }

  private LoadCommands() {}

  public static void serve(Load load) throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Map<String, Object> ready = new LinkedHashMap<>();
    Probe.describe(ready);
    Results.print(ready);
    @Nullable String line = in.readLine();
    while (line != null) {
      String[] words = line.trim().split(" ", -1);
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("started_us", nowMicros());
      result.put("produced", load.produce(Long.parseLong(words[0]), Double.parseDouble(words[1])));
      result.put("ended_us", nowMicros());
      Results.print(result);
      line = in.readLine();
    }
    Results.exit();
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
