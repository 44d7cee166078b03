// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.json.JsonReader;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.ring.Records;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Assistants and the page's server: who may ask, how much, and that tools answer. */
class McpServerTest {
  private static final String TOKEN = "00112233445566778899aabbccddeeff";
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private @Nullable PageServer server;
  private Http http;
  private int port;

  @BeforeEach
  void start() throws InterruptedException {
    start(PageAccessMode.OPEN);
  }

  private void start(PageAccessMode reading) throws InterruptedException {
    server =
        PageServer.start(
            PagePlace.on(0),
            new PageAccess(reading, PageControl.TOKEN, PageAccessMode.OFF, TOKEN),
            new Asked(new Observer(4 << 20), List.of()),
            store,
            null,
            PageServerTest.lines(new CopyOnWriteArrayList<>()),
            () -> {});
    assertThat(server.awaitStart(10_000)).isTrue();
    port = Integer.parseInt(Objects.requireNonNull(server.url()).replaceAll(".*:", ""));
    http = new Http(port);
  }

  @AfterEach
  void stop() {
    Objects.requireNonNull(server).close();
  }

  private Map<String, Object> call(String tool, String arguments) throws Exception {
    String message =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{%s}}}"
            .formatted(tool, arguments);
    return object(http.post("/mcp", message).json().get("result"));
  }

  private static Map<String, Object> said(Map<String, Object> result) {
    assertThat(result).containsEntry("isError", false);
    return object(
        JsonReader.read(String.valueOf(object(array(result.get("content")).get(0)).get("text"))));
  }

  @Test
  void tools_allOfThem_answer() throws Exception {
    new Records(store).processed(5, 6, 7, 0);
    String list = "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\"}";
    List<Object> tools = array(object(http.post("/mcp", list).json().get("result")).get("tools"));
    assertThat(tools)
        .extracting(tool -> String.valueOf(object(tool).get("name")))
        .contains(
            "actors",
            "trouble",
            "map",
            "traces",
            "trace_groups",
            "compare_traces",
            "threads",
            "system",
            "nodes",
            "settings")
        .doesNotContain("dump", "openapi", "change_settings");
    for (Object tool : tools) {
      String name = String.valueOf(object(tool).get("name"));
      boolean needsMore = name.equals("where") || name.equals("profile");
      if (!needsMore && !object(object(tool).get("inputSchema")).containsKey("required")) {
        assertThat(call(name, "")).as(tool.toString()).containsEntry("isError", false);
      }
    }
    String trace = "%016x%016x".formatted(5, 6);
    assertThat(array(said(call("traces", "\"q\":\"" + trace + "\"")).get("traces"))).hasSize(1);
    assertThat(said(call("trace", "\"id\":\"" + trace + "\""))).containsEntry("traceId", trace);
    assertThat(call("trace", "\"id\":\"nothing\"")).containsEntry("isError", true);
    assertThat(call("actors", "\"process\":\"00112233445566ff\""))
        .as("a process that is not there")
        .containsEntry("isError", true);
  }

  @Test
  void requests_ofStrangers_areRefused() throws Exception {
    assertThat(http.post("/mcp", PING).status()).isEqualTo(200);
    assertThat(http.post("/mcp", PING, "Origin: http://127.0.0.1:" + port).status()).isEqualTo(200);
    assertThat(http.post("/mcp", PING, "Origin: http://example.org").status()).isEqualTo(403);
    assertThat(http.raw("POST /mcp HTTP/1.1\r\nHost: example.org\r\n\r\n").status()).isEqualTo(403);
    assertThat(http.get("/mcp").status()).isEqualTo(405);
    Objects.requireNonNull(server).close();
    start(PageAccessMode.TOKEN);
    assertThat(http.post("/mcp", PING).status()).isEqualTo(401);
    assertThat(http.post("/mcp", PING, "Authorization: Bearer " + TOKEN).status()).isEqualTo(200);
  }

  @Test
  void bodies_areBounded_andTakenNowhereElse() throws Exception {
    assertThat(http.post("/mcp", PING + " ".repeat(McpHandler.MAX_BODY_BYTES)).status())
        .isEqualTo(413);
    String padded = PING + " ".repeat(McpHandler.MAX_BODY_BYTES - PING.length());
    assertThat(http.post("/mcp", padded).status()).isEqualTo(200);
    assertThat(http.post("/api/v1/actors", PING).status()).isEqualTo(413);
    String chunked =
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
            .formatted(port, PING.length(), PING);
    assertThat(http.raw(chunked).status()).isEqualTo(200);
  }
}
