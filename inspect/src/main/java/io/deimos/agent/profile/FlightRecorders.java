// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

/** Finds the JVM's flight recorder. Apart from what uses it, which has to stay unloaded without. */
final class FlightRecorders {
  private FlightRecorders() {}

  static SampleSource open(SampleSource.Target target) throws SampleSource.UnavailableException {
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      throw new SampleSource.UnavailableException(
          "this Java runtime has no module jdk.jfr. Use one that has it, or start with"
              + " --add-modules jdk.jfr");
    }
    return FlightRecorderSource.open(target);
  }
}
