// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class IncidentNewsTest {
  private final List<String> lines = new ArrayList<>();
  private final List<Incident> named = new ArrayList<>();
  private final List<String> records = new ArrayList<>();
  private final List<String> page = new ArrayList<>();
  private final IncidentNews news =
      new IncidentNews(
          new IncidentLog(lines::add, named::add),
          (incident, left) -> records.add(incident.event().word() + " " + left),
          new IncidentNews.Page() {
            @Override
            public boolean takes(EventName event) {
              return event.isTrouble();
            }

            @Override
            public void missed(EventName event) {
              page.add("missed " + event.word());
            }

            @Override
            public void take(Incident incident, boolean again) {
              page.add(incident.event().word() + (again ? " again" : ""));
            }
          });

  private static Incident incident(EventName event, String value) {
    return new Incident(
        event, Clock.now(), Map.of(Attribute.ACTOR_PATH, value), "at a\nat b", 1, 2, 3);
  }

  @Test
  void tell_incident_isOneLineOfKeysAndValues() {
    news.perSecond(10, 0);
    happens(EventName.STUCK, "two \"words\"");
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0))
        .startsWith("incident=stuck time=")
        .contains(
            " trace_id=00000000000000010000000000000002 span_id=0000000000000003",
            " pekko.actor.path=\"two 'words'\" stack=\"at a | at b\"")
        .doesNotContain("\n", "suppressed");
    assertThat(records).isEmpty();
  }

  @Test
  void tell_controlCharacters_areEscapedAndForgeNoLine() {
    news.perSecond(10, 0);
    happens(EventName.STUCK, "a\r\ndeimos: incident=forged\u001b[2J\u202e");
    assertThat(lines)
        .singleElement()
        .asString()
        .contains(" pekko.actor.path=\"a\\r deimos: incident=forged\\u001b[2J\\u202e\"");
  }

  @Test
  void tell_moreThanAllowed_areCountedInTheNextLine() {
    news.perSecond(0.001, 0);
    for (int i = 0; i < 5; i++) {
      happens(EventName.DEAD_LETTER, "x");
    }
    assertThat(lines).hasSize(1);
    news.perSecond(1, 0);
    happens(EventName.DEAD_LETTER, "x");
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).endsWith(" suppressed=4");
  }

  @Test
  void tell_off_saysNothing() {
    news.perSecond(0, 0);
    happens(EventName.STUCK, "x");
    assertThat(lines).isEmpty();
    assertThat(records).isEmpty();
  }

  @Test
  void tell_manyOfOneKind_leaveRoomForRecordsOfOthers() {
    news.perSecond(0, 0.001);
    for (int i = 0; i < 5; i++) {
      happens(EventName.DEAD_LETTER, "x");
    }
    happens(EventName.FAILED, "x");
    assertThat(records).containsExactly("dead_letter 0", "actor.failed 0");
    news.perSecond(0, 1);
    happens(EventName.DEAD_LETTER, "x");
    assertThat(records).endsWith("dead_letter 4");
  }

  /** Members that come and go, and failures, which Pekko logs, would crowd the lines. */
  @Test
  void tell_whatIsNoTrouble_isARecordButNoLine() {
    news.perSecond(10, 10);
    happens(EventName.MEMBER_CHANGED, "x");
    happens(EventName.ASK_TIMEOUT, "x");
    assertThat(records).containsExactly("cluster.member.changed 0", "ask_timeout 0");
    assertThat(lines).singleElement().asString().startsWith("incident=ask_timeout");
  }

  @Test
  void missed_incident_isCountedInBoth() {
    news.perSecond(10, 10);
    news.missed(EventName.STUCK, Known.ONLY_SO);
    happens(EventName.STUCK, "x");
    assertThat(records).containsExactly("stuck 1");
    assertThat(lines.get(0)).endsWith(" suppressed=1");
    assertThat(page).containsExactly("missed stuck", "stuck");
  }

  /** An actor that is stuck answers no ask, so its time-outs would hide it. */
  @Test
  void tell_stuckBesideMoreTimeOutsThanLines_isALineAtOnce() {
    news.perSecond(0.001, 0);
    for (int i = 0; i < 5; i++) {
      happens(EventName.ASK_TIMEOUT, "x");
    }
    happens(EventName.STUCK, "one");
    happens(EventName.STUCK, "another");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).startsWith("incident=stuck").doesNotContain("suppressed");
    assertThat(lines.get(2)).startsWith("incident=stuck").contains("another");
  }

  @Test
  void tell_withoutLines_thePageKnowsWhatNoRecordTells() {
    news.perSecond(0, 0);
    happens(EventName.DEAD_LETTER, "x");
    happens(EventName.STUCK, "x");
    happens(EventName.STUCK, Known.BEFORE);
    happens(EventName.ASK_TIMEOUT, Known.BY_RECORD);
    assertThat(page).containsExactly("dead_letter", "stuck", "stuck again");
    assertThat(lines).isEmpty();
  }

  private void happens(EventName event, String value) {
    happens(event, value, Known.ONLY_SO);
  }

  private void happens(EventName event, Known known) {
    happens(event, "x", known);
  }

  private void happens(EventName event, String value, Known known) {
    Consumer<Incident> told = news.wants(event, known);
    if (told != null) {
      told.accept(incident(event, value));
    }
  }
}
