// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports that something cannot be exported, in one line when that begins and one when it ends, and
 * at most one of each a minute. Losses meanwhile are counted elsewhere. Safe for any thread.
 */
public final class Outage {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String what;
  private final Consumer<String> problems;
  private final Consumer<String> say;
  private final LongSupplier nanoTime;
  private volatile Supplier<String> where =
      () -> "otel.exporter.otlp.endpoint, otel.exporter.otlp.protocol";

  private boolean failing;
  private boolean told;
  private boolean toldBefore;
  private long toldAtNanos;

  /**
   * @param what is exported, in the plural
   * @param problems told the first time
   * @param say told each time after that, and of the end
   */
  public Outage(String what, Consumer<String> problems, Consumer<String> say) {
    this(what, problems, say, System::nanoTime);
  }

  Outage(String what, Consumer<String> problems, Consumer<String> say, LongSupplier nanoTime) {
    this.what = what;
    this.problems = problems;
    this.say = say;
    this.nanoTime = nanoTime;
  }

  /** Has messages say where the exporter is configured. */
  public Outage configuredIn(Supplier<String> place) {
    where = place;
    return this;
  }

  /**
   * A request was lost.
   *
   * @param target where it went, for messages
   * @param reason why, or null if that is not known
   */
  public void failed(String target, @Nullable String reason) {
    Consumer<String> to;
    synchronized (this) {
      long now = nanoTime.getAsLong();
      boolean begins = !failing;
      failing = true;
      if (!begins || (toldBefore && now - toldAtNanos < MINUTE_NANOS)) {
        return;
      }
      to = toldBefore ? say : problems;
      told = true;
      toldBefore = true;
      toldAtNanos = now;
    }
    to.accept(
        what
            + " could not be exported to "
            + target
            + (reason == null ? "" : " (" + reason + ")")
            + "; they are dropped, and counted, until it takes them. Check that a collector listens"
            + " there ("
            + where.get()
            + "), or take the setting away to export nothing");
  }

  /** As {@link #failed}, by who calls for the first of several requests only. */
  public void begins(String target, @Nullable String reason) {
    synchronized (this) {
      failing = false;
    }
    failed(target, reason);
  }

  /** A request has arrived. */
  public void succeeded() {
    synchronized (this) {
      if (!failing) {
        return;
      }
      failing = false;
      if (!told) {
        return;
      }
      told = false;
    }
    say.accept(what + " are exported again");
  }
}
