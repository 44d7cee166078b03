// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** This machine, as far as a result needs it. */
final class Machine {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private Machine() {}

  static Map<String, Object> describe() {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("cpu", cpuModel());
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("arch", System.getProperty("os.arch"));
    return machine;
  }

  /** The version of the JDK in this folder, in its file {@code release}. */
  static String versionOf(Path jdk) throws IOException {
    for (String line : Files.readAllLines(jdk.resolve("release"))) {
      if (line.startsWith("JAVA_VERSION=")) {
        return line.substring(line.indexOf('=') + 1).replace("\"", "");
      }
    }
    return "unknown";
  }

  /** Linux knows it; elsewhere the architecture has to do. */
  private static String cpuModel() {
    try {
      for (String line : Files.readAllLines(CPU_INFO)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).trim();
        }
      }
    } catch (IOException notLinux) {
      return "unknown";
    }
    return "unknown";
  }
}
