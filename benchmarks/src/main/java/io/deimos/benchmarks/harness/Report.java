// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import io.deimos.benchmarks.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The one JSON object of a benchmark: what it was run on, then what it found. */
final class Report {
  private final Options options;
  private final Map<String, Object> json = new LinkedHashMap<>();
  private String jdk = "unknown";

  Report(Options options) {
    this.options = options;
    json.put("benchmark", options.name());
    json.put("machine", Machine.describe());
    json.put("jdk", jdk);
    json.put("gc", options.jvm().collector().word());
    json.put("commit", options.commit());
  }

  /**
   * Takes the JDK and the price of its clock from what the forks measured: the median of all forks.
   */
  Report measuredBy(List<Map<String, Object>> forks) {
    Map<String, Object> first = forks.get(0);
    jdk = String.valueOf(first.get("jdk"));
    json.put("jdk", jdk);
    json.put("clock_read_ns", Json.round(Samples.of(forks, "clock_read_ns").median(), 2));
    return this;
  }

  /** Takes the JDK's version from what it says of itself. */
  Report onJdk(String version) {
    jdk = version;
    json.put("jdk", version);
    return this;
  }

  double clockReadNanos() {
    return Samples.number(json, "clock_read_ns");
  }

  Report put(String key, Object value) {
    json.put(key, value);
    return this;
  }

  /** Prints the object as the last line, and keeps it if asked to. */
  void finish(Map<String, String> missing, String jvmFlags) throws IOException {
    json.put("quick", options.quick());
    json.put("jvm_flags", jvmFlags);
    json.put("missing", missing);
    String line = Json.write(json);
    if (options.save()) {
      Path file = options.home().resolve("results").resolve(fileName());
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, line + "\n");
      System.out.println("saved: " + file);
    }
    System.out.println(line);
  }

  private String fileName() {
    String version = jdk.contains("+") ? jdk.substring(0, jdk.indexOf('+')) : jdk;
    return String.join(
            "-",
            LocalDate.now(ZoneOffset.UTC).toString(),
            options.name(),
            "jdk" + version,
            options.jvm().collector().word(),
            options.commit())
        + ".json";
  }
}
