// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever thread an actor runs on, its messages chain. */
class DispatcherTest {
  @ParameterizedTest
  @MethodSource("jdks")
  void boundedTaskQueue_messageRunsInTheCaller_hasItsOwnContext(Jdk jdk) {
    ScenarioRun run = ScenarioRun.ofAll(jdk);
    assertThat(run.out())
        .contains(
            "@in-caller messages=88 without-span=0 scope-hidden=0 scope-left=0"
                + " callers-scope=true");
    List<ReceivedSpan> spans = run.spansOf("in-caller");
    Map<String, ReceivedSpan> byId = SpanTree.byId(spans);
    assertThat(spans)
        .filteredOn(s -> s.name().equals("process Ping"))
        .hasSize(90)
        .allSatisfy(
            s ->
                assertThat(byId.get(s.parentId())).extracting(ReceivedSpan::name).isEqualTo("own"));
    assertThat(spans)
        .filteredOn(s -> s.name().equals("look"))
        .hasSize(88)
        .allSatisfy(
            s ->
                assertThat(byId.get(s.parentId()))
                    .extracting(ReceivedSpan::name)
                    .isEqualTo("process Ping"));
  }

  static List<Jdk> jdks() {
    return Jdk.all();
  }
}
