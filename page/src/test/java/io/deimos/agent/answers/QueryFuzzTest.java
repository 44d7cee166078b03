// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.deimos.agent.json.Json;
import io.deimos.agent.observer.WhereQuery;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Query;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A request may say anything: it is answered, or refused in a sentence. */
class QueryFuzzTest {
  private static final TraceStore STORE = new TraceStore(StoreLimits.of(1, 100));

  @FuzzTest
  void query_anyText_isReadOrRefused(byte[] bytes) throws IOException {
    String raw = new String(bytes, StandardCharsets.UTF_8);
    try {
      Query query = Query.of(raw);
      assertThat(query.number("limit", 100, 1, 1000)).isBetween(1, 1000);
      List<?> traces = STORE.latest(10, query.flag("errors"), TracesHandler.QUERY.of(query));
      assertThat(traces).isEmpty();
      try {
        assertThat(WhereQuery.of(query.text("q"))).isEqualTo(WhereQuery.of(query.text("q")));
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching("(?s).+: .+|at most .+|say which .+");
      }
    } catch (BadRequest e) {
      // As it should be.
    }
    assertThat(STORE.trace(raw)).isNull();
    StringWriter written = new StringWriter();
    new Json(written).value(raw);
    assertThat(written.toString().codePoints().allMatch(c -> c >= 0x20 && c < 0x7f)).isTrue();
  }
}
