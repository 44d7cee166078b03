// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private final List<String> lines = new ArrayList<>();
  private final List<Runnable> timers = new ArrayList<>();
  private final Refusals refusals =
      new Refusals(
          (refusal, line, cause) -> lines.add(line),
          (millis, endOfMinute) -> timers.add(endOfMinute));

  private void refuse(int times) {
    for (int i = 0; i < times; i++) {
      refusals.refused(Refusal.BAD_FRAME, "bad " + i);
    }
  }

  @Test
  void refused_oftenInAMinute_logsTheFirstOnesAndCountsAll() {
    refuse(1000);
    assertThat(lines).hasSize(Refusals.LINES);
    assertThat(lines.get(0)).isEqualTo("bad 0; " + Refusal.BAD_FRAME.advice());
    assertThat(lines.get(1)).isEqualTo("bad 1");
    assertThat(refusals.count(Refusal.BAD_FRAME)).isEqualTo(1000);
    assertThat(timers).hasSize(1);
  }

  @Test
  void minute_isOver_saysWhatWasLeftOutAndLogsAgain() {
    refuse(1000);
    timers.remove(0).run();
    assertThat(lines).hasSize(Refusals.LINES + 1);
    assertThat(lines.get(Refusals.LINES)).startsWith("990 more lines like this were left out");
    refuse(2);
    timers.remove(0).run();
    assertThat(lines).hasSize(Refusals.LINES + 3); // nothing was left out, nothing is said of it
    assertThat(refusals.snapshot("system"))
        .filteredOn(of -> of.count() > 0)
        .singleElement()
        .satisfies(of -> assertThat(of.reason()).isEqualTo("bad_frame"))
        .satisfies(of -> assertThat(of.count()).isEqualTo(1002));
  }

  @Test
  void refused_withAStrangersText_isOneLineWithAnEnd() {
    refusals.refused(Refusal.WRONG_ADDRESS, "from a\r\n\u001b[2Jb" + "c".repeat(100_000));
    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("from a???[2Jbccc")
        .hasSizeLessThan(1200);
  }

  @Test
  void refused_forOtherReasons_haveTheirOwnLines() {
    refuse(100);
    refusals.refused(Refusal.TLS_FAILED, "other");
    assertThat(lines).last().asString().startsWith("other; ");
  }
}
