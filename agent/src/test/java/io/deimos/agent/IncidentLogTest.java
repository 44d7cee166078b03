// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.Clock;
import io.deimos.recorder.Incident;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IncidentLogTest {
  private final List<String> lines = new ArrayList<>();
  private final IncidentLog log = new IncidentLog(lines::add);

  private static Incident incident(String value) {
    return new Incident("stuck", Clock.now(), Map.of("fact", value), "at a\nat b", 1, 2, 3);
  }

  @Test
  void accept_incident_isOneLineOfKeysAndValues() {
    log.perSecond(10);
    log.accept(incident("two \"words\""));
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0))
        .startsWith("incident=stuck time=")
        .contains(
            " trace_id=00000000000000010000000000000002 span_id=0000000000000003",
            " fact=\"two 'words'\" stack=\"at a | at b\"")
        .doesNotContain("\n", "suppressed");
  }

  @Test
  void accept_moreThanAllowed_areCountedInTheNextLine() {
    log.perSecond(0.001);
    for (int i = 0; i < 5; i++) {
      log.accept(incident("x"));
    }
    assertThat(lines).hasSize(1);
    log.perSecond(1);
    log.accept(incident("x"));
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).endsWith(" suppressed=4");
  }

  @Test
  void accept_off_saysNothing() {
    log.perSecond(0);
    log.accept(incident("x"));
    assertThat(lines).isEmpty();
  }
}
