// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.page.Asked;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckHandlerTest {
  private final Asked asked = new Asked(null, List.of());

  @Test
  void check_ofAFinding_saysItWithItsPlace() throws Exception {
    assertThat(asked.text(200, "/api/v1/check"))
        .contains("\"rules\":1", "\"says\":\"It is so.\"", "\"severity\":\"warning\"")
        .contains("\"actorPath\":\"pekko://shop/user/cart\"", "\"dispatcher\":null")
        .contains("\"evidence\":\"#/actor/shop/user/cart\"");
  }

  @Test
  void check_ofAnotherRuleOrAWorseSeverity_hasNoFinding() throws Exception {
    assertThat(asked.text(200, "/api/v1/check?rule=other")).contains("\"findings\":[]");
    assertThat(asked.text(200, "/api/v1/check?severity=critical")).contains("\"findings\":[]");
    assertThat(asked.text(200, "/api/v1/check?rule=always&severity=advice"))
        .contains("\"rule\":\"always\"");
  }

  @Test
  void check_withASeverityThatIsNone_isRefusedWithTheChoices() throws Exception {
    assertThat(asked.text(400, "/api/v1/check?severity=awful")).contains("severity", "critical");
  }
}
