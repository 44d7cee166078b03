// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Trend;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Mailboxes, stashes or a dispatcher's queue that grow, as far as the last two minutes tell.
 *
 * @param of the class of the actors, or the dispatcher
 * @param waiting messages or tasks now
 * @param processedPerSecond null if that is not counted
 * @param sinceMillis since when, in milliseconds since 1970
 */
public record Growing(
    Kind kind,
    String of,
    long waiting,
    Trend trend,
    @Nullable Double processedPerSecond,
    long sinceMillis) {
  /** The kind of queue. */
  public enum Kind {
    MAILBOX("mailboxes of", "messages"),
    STASH("stashes of", "messages"),
    DISPATCHER("the queue of", "tasks");

    private final String queues;
    private final String items;

    Kind(String queues, String items) {
      this.queues = queues;
      this.items = items;
    }

    /** As the interface has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Messages that come in a second; null if it is not known how many are processed. */
  public @Nullable Double arrivesPerSecond() {
    Double processed = processedPerSecond;
    return processed == null ? null : processed + trend.perSecond();
  }

  /** As {@code 1,200 ± 80}. */
  static String rate(Trend trend) {
    String error = Figures.rate(trend.error());
    return Figures.rate(trend.perSecond())
        + (error.equals("0.0") || !trend.rises() ? "" : " ± " + error);
  }

  /** One sentence. */
  public String says() {
    Double processed = processedPerSecond;
    Double arrives = arrivesPerSecond();
    return Character.toUpperCase(kind.queues.charAt(0))
        + kind.queues.substring(1)
        + ' '
        + Figures.name(of)
        + (kind == Kind.DISPATCHER ? " grows by " : " grow by ")
        + rate(trend)
        + " a second"
        + (processed == null || arrives == null
            ? ""
            : ": "
                + Figures.rate(arrives)
                + " come and "
                + Figures.rate(processed)
                + " are processed")
        + "; "
        + Figures.count(waiting)
        + ' '
        + kind.items
        + " wait.";
  }
}
