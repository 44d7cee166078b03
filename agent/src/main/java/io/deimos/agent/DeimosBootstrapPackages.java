// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.javaagent.tooling.bootstrap.BootstrapPackagesBuilder;
import io.opentelemetry.javaagent.tooling.bootstrap.BootstrapPackagesConfigurer;

/** Makes class loaders that do not ask their parent (OSGi) find what we have there. */
public final class DeimosBootstrapPackages implements BootstrapPackagesConfigurer {
  @Override
  public void configure(BootstrapPackagesBuilder builder) {
    builder.add("io.deimos.recorder");
    builder.add("io.deimos.remote");
  }
}
