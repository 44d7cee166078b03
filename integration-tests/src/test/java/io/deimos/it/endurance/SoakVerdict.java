// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The verdict on a soak: whether traces were lost or went on for ever. Written to a file, then
 * asserted.
 *
 * @param maxAgeSeconds what the guard allows a trace
 * @param survivors the names of the nodes that ended by themselves
 * @param isOfKilled whether a span was sent by, or on behalf of, the node that was killed
 */
record SoakVerdict(
    SoakLedger ledger,
    int maxAgeSeconds,
    Path reports,
    List<String> survivors,
    Predicate<SoakLedger.Child> isOfKilled) {
  /** A trace id has whole seconds, and the drainer that looks at the clock may get no processor. */
  private static final int LATE_SECONDS = 4;

  void judge(Path file, List<String> what) throws IOException {
    List<SoakLedger.Child> orphans = ledger.orphans();
    List<SoakLedger.Child> unexplained = orphans.stream().filter(isOfKilled.negate()).toList();
    Map<String, Long> dropped = counts(Report::spansDropped);
    String result =
        String.join("\n", what)
            + String.format(
                Locale.ROOT,
                """

                spans %d, by node %s, dropped %s
                traces %d, cut by the guard %s
                oldest trace %.1f s from first to last start; the guard allows %d s
                spans without their parent: %d of the killed node, %d others
                """,
                ledger.spans(),
                new TreeMap<>(ledger.spansOfNodes()),
                dropped,
                ledger.traces(),
                counts(Report::tracesCut),
                ledger.oldestSeconds(),
                maxAgeSeconds,
                orphans.size() - unexplained.size(),
                unexplained.size());
    System.out.print(result);
    Files.writeString(file, result);
    assertThat(unexplained).as("orphans not of the killed node").isEmpty();
    assertThat(dropped.values()).containsOnly(0L);
    assertThat(ledger.oldestSeconds()).isLessThan(maxAgeSeconds + LATE_SECONDS);
  }

  /** The reports of the agents of the nodes that ended by themselves. */
  private Map<String, Long> counts(ToLongFunction<Report> of) {
    return survivors.stream()
        .collect(
            Collectors.toMap(
                name -> name,
                name -> of.applyAsLong(Report.of(reports.resolve(name + ".json"))),
                Long::sum,
                TreeMap::new));
  }
}
