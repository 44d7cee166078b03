// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.MAILBOX_MESSAGES;
import static io.deimos.agent.settings.CheckKeys.MAILBOX_RATE;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds mailboxes that grow all the time: of single actors, and of a class whose actors are each
 * too small to be seen. A burst that is worked off is none: it falls within the minute.
 */
final class MailboxGrows implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Duration LEAST = Duration.ofSeconds(20);
  private static final Duration ENOUGH = Duration.ofSeconds(50);

  /** Mailboxes are counted up to here. */
  private static final int COUNTED = 100_000;

  /** So many times the threshold is critical. */
  private static final int CRITICAL = 100;

  private static final About ABOUT =
      About.of(
          "mailbox-grows",
          "A mailbox, or the mailboxes of a class, grew steadily over the last minute.",
          "Make the handler faster, spread its work over more actors, or slow the senders down:"
              + " a bounded mailbox, or streams with back-pressure.",
          MAILBOX_MESSAGES,
          MAILBOX_RATE);

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    Map<String, Long> told = new HashMap<>();
    String heap =
        evidence.all(HeapFills.class).stream()
            .findFirst()
            .map(fills -> ": " + fills.says())
            .orElse(", and the heap fills with them until the process ends");
    for (Mailbox box : evidence.all(Mailbox.class)) {
      Series waiting = box.waiting().last(WINDOW);
      if (!grows(waiting, evidence) && !isBeyondCount(box, waiting)) {
        continue;
      }
      long last = waiting.last();
      if (!box.actor().isEmpty()) {
        told.merge(box.actorClass(), last, Long::sum);
      } else if (told.getOrDefault(box.actorClass(), 0L) * 2 > last) {
        continue; // single actors of the class explain it
      }
      found.accept(finding(box, waiting, heap, evidence));
    }
  }

  private static boolean isBeyondCount(Mailbox box, Series waiting) {
    return !box.actor().isEmpty()
        && waiting.length().compareTo(LEAST) >= 0
        && waiting.third(2).min() >= COUNTED;
  }

  private static boolean grows(Series waiting, Evidence evidence) {
    return waiting.length().compareTo(LEAST) >= 0
        && waiting.last() >= evidence.get(MAILBOX_MESSAGES)
        && waiting.perSecond() >= evidence.get(MAILBOX_RATE)
        && waiting.third(1).min() > waiting.third(0).min()
        && waiting.third(2).min() > waiting.third(1).max()
        && waiting.third(2).perSecond() > 0;
  }

  private static Finding finding(Mailbox box, Series waiting, String heap, Evidence evidence) {
    boolean isOne = !box.actor().isEmpty();
    long last = waiting.last();
    String says =
        (isOne
                ? "Mailbox of " + Figures.path(box.actor())
                : "Mailboxes of " + Figures.name(box.actorClass()) + " together")
            + (isBeyondCount(box, waiting)
                ? " has grown beyond what is counted; at least "
                : (isOne ? " grows by " : " grow by ")
                    + Growing.rate(waiting.trend())
                    + " messages a second; ")
            + Figures.count(last)
            + " wait"
            + (box.processedPerSecond() > 0
                ? ", and it processes " + Figures.rate(box.processedPerSecond()) + " a second."
                : ".");
    return new Finding(
        ABOUT.id(),
        last >= (long) CRITICAL * evidence.get(MAILBOX_MESSAGES)
            ? Finding.Severity.CRITICAL
            : Finding.Severity.WARNING,
        waiting.length().compareTo(ENOUGH) >= 0 ? Finding.Sure.CERTAIN : Finding.Sure.LIKELY,
        isOne ? Where.actor(box.actor(), box.actorClass()) : Where.actors(box.actorClass()),
        box.waiting().climbsSince(),
        new Finding.Words(says, "Messages wait ever longer" + heap + ".", ABOUT.advice()),
        isOne ? Links.actor(box.actor()) : Links.actors(box.actorClass()));
  }
}
