// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesBuilder;
import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesConfigurer;

/**
 * Keeps the agent from looking for something to weave in the recorder, the self-test and the
 * gauges: there is nothing. They are some four hundred classes, with those of their lambdas, that
 * are loaded by class loaders which the agent does not know as its own.
 */
public final class OwnClasses implements IgnoredTypesConfigurer {
  @Override
  public void configure(IgnoredTypesBuilder builder) {
    builder.ignoreClass("io.deimos.recorder.").ignoreClass("io.deimos.pekko.");
  }
}
