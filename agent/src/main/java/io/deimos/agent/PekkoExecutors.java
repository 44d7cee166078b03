// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesBuilder;
import io.opentelemetry.javaagent.extension.ignore.IgnoredTypesConfigurer;

/**
 * Keeps the agent's advice for executors off Pekko's own: they do nothing but hand the task on to
 * an executor of the JDK, where the agent sees it again. Its advice there is enough for futures;
 * three times over it is a cost that every run of every mailbox pays.
 *
 * <p>With tracing, what runs on a dispatcher has its context from what is woven into it, and the
 * agent's advice at the dispatcher would make a context object for each callback of a future, and
 * lay it around what brings its own.
 *
 * <p>A mailbox is no task to it either: it runs messages of many contexts, and belongs to none. Its
 * class is left alone, and woven apart by the weaver.
 */
public final class PekkoExecutors implements IgnoredTypesConfigurer {
  @Override
  public void configure(IgnoredTypesBuilder builder) {
    for (String root : new String[] {"org.apache.pekko.", "akka."}) {
      String dispatch = root + "dispatch.";
      builder
          .ignoreClass(dispatch + "Dispatcher$LazyExecutorServiceDelegate")
          .ignoreTaskClass(dispatch + "Dispatcher$$anon$")
          .ignoreTaskClass(dispatch + "BalancingDispatcher$SharingMailbox")
          .ignoreTaskClass(dispatch + "Mailbox");
      if (DeimosRuntime.current().ignoresMailboxes()) {
        builder.ignoreClass(dispatch + "Mailbox");
      }
      if (DeimosRuntime.current().carriesTasks()) {
        builder.ignoreClass(dispatch + "MessageDispatcher");
      }
    }
    builder
        .ignoreClass("org.apache.pekko.dispatch.ForkJoinExecutorConfigurator$PekkoForkJoinPool")
        .ignoreClass("akka.dispatch.ForkJoinExecutorConfigurator$AkkaForkJoinPool");
  }
}
