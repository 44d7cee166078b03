// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.housekeeping.GaugeReader;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.util.function.Consumer;

/** Has the gauges of each actor system read, from its start to its end. */
final class GaugeLauncher implements Consumer<Object> {
  private static final String GAUGES = "io.deimos.pekko.gauges.SystemGauges";

  private final Consumer<String> problems;

  GaugeLauncher(Consumer<String> problems) {
    this.problems = problems;
  }

  @Override
  public void accept(Object system) {
    try {
      ClassLoader loader = new SideLoader(system);
      GaugeReaders.add(
          (GaugeReader)
              loader
                  .loadClass(GAUGES)
                  .getConstructor(Object.class, Consumer.class)
                  .newInstance(system, problems));
    } catch (ReflectiveOperationException | LinkageError e) {
      problems.accept(
          "the gauges of dispatchers, mailboxes, cluster and sharding cannot be read on this"
              + " version of Pekko ("
              + e
              + "); the rest is recorded. Use a supported version, or report it");
    }
  }
}
