// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.logs.LogBook;
import io.deimos.agent.page.Asked;
import io.deimos.recorder.spans.LogLine;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogsHandlerTest {
  private static final String TRACE = "0".repeat(15) + "5" + "0".repeat(15) + "6";

  private static Map<String, Object> get(@Nullable LogBook book, int status, String query)
      throws Exception {
    return new Asked(null, List.of(), null, book).get(status, "/api/v1/logs" + query);
  }

  @Test
  void logs_ofATrace_areThoseRecords() throws Exception {
    LogBook book = new LogBook(1 << 20);
    book.add(
        new LogLine(
            3,
            17,
            "shop.Log",
            "failed",
            null,
            new LogLine.Place("/user/a", "shop.A", "", 5, 6, 7)));
    book.add(
        new LogLine(4, 9, "shop.Log", "other", "x", new LogLine.Place("", "", "web", 0, 0, 0)));
    Map<String, Object> answer = get(book, 200, "?trace=" + TRACE);
    assertThat(answer).containsEntry("total", 1L).containsEntry("looked", 2L);
    assertThat(object(array(answer.get("records")).get(0)))
        .containsEntry("atMillis", 3L)
        .containsEntry("level", "error")
        .containsEntry("text", "failed")
        .containsEntry("thrown", null)
        .containsEntry("actorPath", "/user/a")
        .containsEntry("service", null)
        .containsEntry("traceId", TRACE)
        .containsEntry("spanId", "0".repeat(15) + "7");
    Map<String, Object> all = get(book, 200, "?limit=1");
    assertThat(all).containsEntry("total", 2L);
    assertThat(object(array(all.get("records")).get(0)))
        .containsEntry("service", "web")
        .containsEntry("traceId", null);
  }

  @Test
  void logs_thatAreNotKept_areNone() throws Exception {
    assertThat(get(null, 200, "")).containsEntry("kept", false).containsEntry("total", 0L);
    assertThat(get(new LogBook(1 << 16), 200, "")).containsEntry("kept", true);
  }

  @Test
  void requests_thatCannotBeAnswered_sayWhy() throws Exception {
    LogBook book = new LogBook(1 << 20);
    assertThat(String.valueOf(get(book, 400, "?trace=1").get("error")))
        .contains("32 hexadecimal digits");
    assertThat(String.valueOf(get(book, 400, "?level=loud").get("error")))
        .contains("level=loud: must be one of error, warn, info, debug");
  }
}
