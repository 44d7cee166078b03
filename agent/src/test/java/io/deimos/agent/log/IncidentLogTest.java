// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IncidentLogTest {
  private final List<String> lines = new ArrayList<>();
  private final List<Incident> named = new ArrayList<>();
  private final IncidentLog log = new IncidentLog(lines::add, named::add);

  private static Incident incident(String value) {
    return new Incident(
        EventName.STUCK, Clock.now(), Map.of(Attribute.ACTOR_PATH, value), "at a\nat b", 1, 2, 3);
  }

  @Test
  void accept_incident_isOneLineOfKeysAndValues() {
    log.perSecond(10);
    happens(log, incident("two \"words\""));
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0))
        .startsWith("incident=stuck time=")
        .contains(
            " trace_id=00000000000000010000000000000002 span_id=0000000000000003",
            " pekko.actor.path=\"two 'words'\" stack=\"at a | at b\"")
        .doesNotContain("\n", "suppressed");
  }

  @Test
  void accept_controlCharacters_areEscapedAndForgeNoLine() {
    log.perSecond(10);
    happens(log, incident("a\r\ndeimos: incident=forged\u001b[2J\u202e"));
    assertThat(lines)
        .singleElement()
        .asString()
        .contains(" pekko.actor.path=\"a\\r deimos: incident=forged\\u001b[2J\\u202e\"");
  }

  @Test
  void accept_moreThanAllowed_areCountedInTheNextLine() {
    log.perSecond(0.001);
    for (int i = 0; i < 5; i++) {
      happens(log, incident("x"));
    }
    assertThat(lines).hasSize(1);
    log.perSecond(1);
    happens(log, incident("x"));
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).endsWith(" suppressed=4");
  }

  @Test
  void accept_off_saysNothing() {
    log.perSecond(0);
    happens(log, incident("x"));
    assertThat(lines).isEmpty();
  }

  private static void happens(IncidentLog log, Incident incident) {
    if (log.wants()) {
      log.tell(incident);
    }
  }
}
