// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Request;
import io.deimos.agent.http.SentAnswer;
import io.deimos.agent.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The requests of assistants, as the protocol's revisions have it. */
class McpHandlerTest {
  private static final String JSON = "Content-Type: application/json";
  private static final String META =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

  private final List<String> asked = new ArrayList<>();
  private Reply reply = reply(200, "{\"total\":1}");
  private final McpHandler handler;

  McpHandlerTest() throws IOException {
    handler =
        new McpHandler(
            new McpTools(Asked.routesNamed("actors", "actor", "map", "dump", "trace")),
            target -> {
              asked.add(target);
              return reply;
            },
            "1.2");
  }

  private static Reply reply(int status, String body) {
    return new Reply(status, false, body.getBytes(StandardCharsets.UTF_8));
  }

  private String send(String method, String body, String... headers) throws Exception {
    List<String> lines = new ArrayList<>(List.of(method + " /mcp HTTP/1.1"));
    lines.addAll(List.of(headers));
    Request request = Request.parse(String.join("\r\n", lines));
    Answer answer = new Answer(request, AnswerMemory.ofHeap());
    handler.answer(request, body.getBytes(StandardCharsets.UTF_8), answer);
    byte[] bytes = SentAnswer.bytes(answer);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The answer to a message, which must have a status. */
  private Map<String, Object> post(int status, String body, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(JSON);
    String text = send("POST", body, all.toArray(String[]::new));
    assertThat(text).startsWith("HTTP/1.1 " + status);
    return object(JsonReader.read(text.substring(text.indexOf("\r\n\r\n") + 4)));
  }

  private static String message(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":{%s}}"
        .formatted(method, params);
  }

  private Map<String, Object> call(String name, String arguments) throws Exception {
    Map<String, Object> answer =
        post(
            200,
            message("tools/call", "\"name\":\"" + name + "\",\"arguments\":{" + arguments + "}"));
    return object(answer.get("result"));
  }

  private static Object text(Map<String, Object> result) {
    return Objects.requireNonNull(object(array(result.get("content")).get(0)).get("text"));
  }

  @Test
  void initialize_ofARevisionThatIsSpoken_isAnsweredInIt() throws Exception {
    Map<String, Object> answer =
        post(200, message("initialize", "\"protocolVersion\":\"2025-06-18\""));
    assertThat(answer).containsEntry("jsonrpc", "2.0").containsEntry("id", 7L);
    Map<String, Object> result = object(answer.get("result"));
    assertThat(result).containsEntry("protocolVersion", "2025-06-18");
    assertThat(object(result.get("serverInfo")))
        .containsEntry("name", "deimos")
        .containsEntry("version", "1.2");
    assertThat(object(result.get("capabilities"))).containsOnlyKeys("tools");
    assertThat(
            object(post(200, message("initialize", "\"protocolVersion\":\"1999\"")).get("result")))
        .containsEntry("protocolVersion", "2025-11-25");
    assertThat(object(post(200, message("ping", "")).get("result"))).isEmpty();
  }

  @Test
  void initialize_withoutARevision_isRefusedAndSaysWhatItNeeds() throws Exception {
    for (String params : List.of("", "\"protocolVersion\":null", "\"protocolVersion\":7")) {
      Map<String, Object> error = object(post(200, message("initialize", params)).get("error"));
      assertThat(error).containsEntry("code", -32602L);
      assertThat(String.valueOf(error.get("message"))).contains("protocolVersion", "2025-11-25");
    }
  }

  @Test
  void message_whoseIdIsNull_isNoNotificationAndRefused() throws Exception {
    Map<String, Object> answer = post(400, "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}");
    assertThat(object(answer.get("error"))).containsEntry("code", -32600L);
  }

  @Test
  void notification_isAcceptedWithoutABody() throws Exception {
    String text =
        send(
            "POST",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "Content-Type: application/json; charset=utf-8");
    assertThat(text).startsWith("HTTP/1.1 202 Accepted").contains("Content-Length: 0");
  }

  @Test
  void toolsList_hasWhatMayBeCalled_fromTheDeclarations() throws Exception {
    List<Object> tools =
        array(object(post(200, message("tools/list", "")).get("result")).get("tools"));
    assertThat(tools)
        .extracting(tool -> object(tool).get("name"))
        .containsExactly("actors", "actor", "map", "trace");
    Map<String, Object> input = object(object(tools.get(0)).get("inputSchema"));
    assertThat(input).containsEntry("additionalProperties", false).doesNotContainKey("required");
    assertThat(object(object(input.get("properties")).get("limit")))
        .containsEntry("type", "integer")
        .containsEntry("default", 100L)
        .containsEntry("maximum", 500L);
    assertThat(object(object(tools.get(1)).get("inputSchema")))
        .containsEntry("required", List.of("id"));
    assertThat(object(object(tools.get(0)).get("annotations"))).containsEntry("readOnlyHint", true);
    Map<String, Object> output = object(object(tools.get(2)).get("outputSchema"));
    assertThat(output).containsEntry("type", "object");
    assertThat(object(output.get("properties"))).containsKey("edges");
    assertThat(object(output.get("$defs"))).containsOnlyKeys("MapEdge", "MapNode", "MapSample");
    assertThat(tools.toString()).contains("$ref=#/$defs/MapEdge").doesNotContain("components");
  }

  @Test
  void call_isARequestOfTheInterface() throws Exception {
    Map<String, Object> result =
        call("actors", "\"q\":\"cart a&b\",\"limit\":5.0,\"pekko\":true,\"class\":null");
    assertThat(result).containsEntry("isError", false);
    assertThat(text(result)).isEqualTo("{\"total\":1}");
    assertThat(object(result.get("structuredContent"))).containsEntry("total", 1L);
    call("actor", "\"id\":\"pekko://shop/user/a+b c\",\"process\":\"00112233445566ff\"");
    call("map", "");
    reply = reply(200, "{\"total\":1} {");
    assertThat(call("map", "\"limit\":100")).doesNotContainKey("structuredContent");
    assertThat(asked)
        .containsExactly(
            "/api/v1/actors?q=cart%20a%26b&limit=5&pekko=true&class=",
            "/nodes/00112233445566ff/api/v1/actors/pekko%3A%2F%2Fshop%2Fuser%2Fa%2Bb%20c",
            "/api/v1/map?limit=100",
            "/api/v1/map?limit=100");
  }

  @Test
  void call_thatCannotBe_tellsTheAssistantWhy() throws Exception {
    reply = reply(400, "{\"error\":\"limit=0: must be a whole number in [1, 500]\"}");
    assertThat(call("actors", "\"limit\":0"))
        .containsEntry("isError", true)
        .doesNotContainKey("structuredContent");
    assertThat(text(call("actors", "\"limits\":1")))
        .isEqualTo("there is no argument limits of actors");
    assertThat(text(call("actor", ""))).isEqualTo("actor needs the argument id");
    assertThat(text(call("actors", "\"q\":[\"a\"]"))).asString().startsWith("q: must be a text");
    assertThat(text(call("actors", "\"process\":\"../x\"")))
        .isEqualTo("process=../x: needs 16 hexadecimal digits");
    reply = reply(200, "x".repeat(300_000));
    assertThat(text(call("map", ""))).asString().contains("300000 bytes", "by limit or q");
    assertThat(asked).hasSize(2);
    assertThat(object(post(200, message("tools/call", "\"name\":\"dump\"")).get("error")))
        .containsEntry("code", -32602L)
        .containsEntry("message", "there is no tool dump");
  }

  @Test
  void modernRequest_standsForItself() throws Exception {
    String[] headers = {
      "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: map"
    };
    Map<String, Object> answer =
        post(200, message("tools/call", "\"name\":\"map\"," + META), headers);
    assertThat(object(answer.get("result")))
        .containsEntry("resultType", "complete")
        .containsKey("_meta")
        .containsEntry("isError", false);
    Map<String, Object> discovered =
        object(
            post(
                    200,
                    message("server/discover", META),
                    "MCP-Protocol-Version: 2026-07-28",
                    "Mcp-Method: server/discover")
                .get("result"));
    assertThat(array(discovered.get("supportedVersions")))
        .containsExactly("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26");
    assertThat(
            object(
                post(
                        404,
                        message("ping", META),
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: ping")
                    .get("error")))
        .containsEntry("code", -32601L);
  }

  @Test
  void modernRequest_whoseHeadersSayOtherwise_isRefused() throws Exception {
    String call = message("tools/call", "\"name\":\"map\"," + META);
    String version = "MCP-Protocol-Version: 2026-07-28";
    assertThat(object(post(400, call).get("error"))).containsEntry("code", -32020L);
    assertThat(object(post(400, call, version, "Mcp-Method: tools/list").get("error")))
        .containsEntry("code", -32020L);
    assertThat(
            object(
                post(400, call, version, "Mcp-Method: tools/call", "Mcp-Name: actors")
                    .get("error")))
        .containsEntry("code", -32020L);
    post(200, call, version, "Mcp-Method: tools/call", "Mcp-Name: =?base64?bWFw?=");
    assertThat(
            object(
                post(400, call, version, "Mcp-Method: tools/call", "Mcp-Name: =?base64?=")
                    .get("error")))
        .as("a name that ends within its beginning")
        .containsEntry("code", -32020L);
    assertThat(object(post(400, message("tools/list", ""), version).get("error")))
        .containsEntry("code", -32602L);
    Map<String, Object> error =
        object(
            post(
                    400,
                    message("tools/list", META.replace("2026-07-28", "2030-01-01")),
                    "MCP-Protocol-Version: 2030-01-01",
                    "Mcp-Method: tools/list")
                .get("error"));
    assertThat(error).containsEntry("code", -32022L);
    assertThat(object(error.get("data"))).containsEntry("requested", "2030-01-01");
  }

  @Test
  void whatIsNoMessage_isRefused() throws Exception {
    assertThat(object(post(400, "{\"jsonrpc\":").get("error"))).containsEntry("code", -32700L);
    assertThat(object(post(400, "[]").get("error"))).containsEntry("code", -32600L);
    assertThat(object(post(400, "{\"id\":1,\"method\":\"ping\"}").get("error")))
        .containsEntry("code", -32600L);
    assertThat(object(post(200, message("resources/list", "")).get("error")))
        .containsEntry("code", -32601L);
    assertThat(
            object(
                post(400, message("tools/list", ""), "MCP-Protocol-Version: 1999-01-01")
                    .get("error")))
        .containsEntry("code", -32022L);
    assertThat(send("GET", "")).startsWith("HTTP/1.1 405").contains("Allow: POST");
    assertThat(send("DELETE", "")).startsWith("HTTP/1.1 405");
    assertThat(send("POST", "{}", "Content-Type: text/plain")).startsWith("HTTP/1.1 415");
  }
}
