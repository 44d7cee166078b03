// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesBuilder;
import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesConfigurer;

/**
 * Keeps the agent's advice for executors off Pekko's own: they do nothing but hand the task on to
 * an executor of the JDK, where the agent sees it again. Its advice there is enough for futures;
 * three times over it is a cost that every run of every mailbox pays.
 */
public final class PekkoExecutors implements IgnoredTypesConfigurer {
  @Override
  public void configure(IgnoredTypesBuilder builder) {
    builder
        .ignoreClass("org.apache.pekko.dispatch.Dispatcher$LazyExecutorServiceDelegate")
        .ignoreClass("org.apache.pekko.dispatch.ForkJoinExecutorConfigurator$PekkoForkJoinPool");
  }
}
