// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.util.Collection;
import java.util.List;

/** Gives messages to other nodes that are {@link Large}, or {@link JavaSerialized}. */
public final class RemoteSource implements Source {
  private static final String LARGE = "large";
  private static final String OUT = "transmit";

  @Override
  public void note(Past.Notes notes) {
    Metric.REMOTE_LARGE
        .tally()
        .read()
        .forEach((of, count) -> notes.count(LARGE, String.join("\n", of), count[0]));
  }

  @Override
  public void look(Facts facts) {
    for (String subject : facts.subjects(LARGE)) {
      int end = subject.indexOf('\n');
      facts.add(
          new Large(
              subject.substring(0, end), subject.substring(end + 1), facts.past(LARGE, subject)));
    }
    Collection<String> classes = GaugeReaders.last().javaSerialized();
    if (!classes.isEmpty()) {
      long sent =
          Metric.REMOTE_MESSAGES.tally().read().entrySet().stream()
              .filter(one -> one.getKey().get(1).equals(OUT))
              .mapToLong(one -> one.getValue()[0])
              .sum();
      facts.add(new JavaSerialized(List.copyOf(classes), sent));
    }
  }
}
