// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.housekeeping.Sampler;
import io.deimos.recorder.housekeeping.Samplers;
import java.util.function.Consumer;

/** Has the gauges of each actor system read off from its start to its end. */
final class SamplerLauncher implements Consumer<Object> {
  private static final String SAMPLER = "io.deimos.pekko.sampling.SystemSampler";

  private final Consumer<String> problems;

  SamplerLauncher(Consumer<String> problems) {
    this.problems = problems;
  }

  @Override
  public void accept(Object system) {
    try {
      ClassLoader loader = new SideLoader(system.getClass().getClassLoader());
      Samplers.add(
          (Sampler)
              loader
                  .loadClass(SAMPLER)
                  .getConstructor(Object.class, Consumer.class)
                  .newInstance(system, problems));
    } catch (ReflectiveOperationException | LinkageError e) {
      problems.accept(
          "the gauges of dispatchers, mailboxes, cluster and sharding cannot be read on this version"
              + " of Pekko ("
              + e
              + "); the rest is recorded. Use a supported version, or report it");
    }
  }
}
