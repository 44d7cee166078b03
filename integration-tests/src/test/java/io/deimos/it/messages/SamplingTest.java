// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sampler decides where a trace begins, for all of it. */
class SamplingTest {
  @Test
  void alwaysOff_nothingIsRecorded() {
    ScenarioRun run =
        ScenarioRun.run(
            "sampling-off",
            b -> b.deimos().environment("OTEL_TRACES_SAMPLER", "always_off"),
            "classic-tell",
            "classic-ask",
            "typed-ask",
            "user-child");
    assertThat(run.out()).contains("@done user-child");
    assertThat(run.spans()).isEmpty();
  }

  @Test
  void ratio_ofHalf_keepsAboutHalfAndThemWhole() {
    ScenarioRun run =
        ScenarioRun.run(
            "sampling-ratio",
            b ->
                b.eitherForm()
                    .property("otel.traces.sampler", "parentbased_traceidratio")
                    .property("otel.traces.sampler.arg", "0.5"),
            "many-begins");
    List<ReceivedSpan> spans = run.spansOf("many-begins");
    long traces = spans.stream().map(ReceivedSpan::traceId).distinct().count();
    // The range of 400 independent traces; beyond this range lies less than one run in a million.
    assertThat(traces).isBetween(150L, 250L);
    String whole =
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        """;
    assertThat(SpanTree.of(spans))
        .isEqualTo(String.join("", Collections.nCopies((int) traces, whole)));
  }
}
