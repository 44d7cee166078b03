// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Request;
import io.deimos.agent.http.SentAnswer;
import io.deimos.agent.json.JsonReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A message of an assistant may say anything: it is answered, and what is asked is a request. */
class McpFuzzTest {
  private static final String JSON = "Content-Type: application/json";
  private static final McpTools TOOLS = tools();

  private static McpTools tools() {
    try {
      return new McpTools(Asked.routesNamed("actors", "actor", "traces"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @FuzzTest
  void body_anyBytes_isAnswered(byte[] bytes) throws IOException, Request.Malformed {
    answered(Request.parse("POST /mcp HTTP/1.1\r\n" + JSON), bytes);
  }

  /** The headers of a revision that repeats in them what the body says, an empty line, the body. */
  @FuzzTest
  void headersAndBody_anyBytes_areAnswered(byte[] bytes) throws IOException {
    String[] parts = new String(bytes, StandardCharsets.ISO_8859_1).split("\n\n", 2);
    Request request;
    try {
      request =
          Request.parse("POST /mcp HTTP/1.1\r\n" + JSON + "\r\n" + parts[0].replace("\n", "\r\n"));
    } catch (Request.Malformed e) {
      return; // refused before anybody reads a message
    }
    String body = parts.length == 2 ? parts[1] : "";
    answered(request, body.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void answered(Request request, byte[] bytes) throws IOException {
    McpHandler handler =
        new McpHandler(
            TOOLS,
            target -> {
              try {
                Request asked = Request.parse("GET " + target + " HTTP/1.1");
                assertThat(asked.path()).startsWith("/");
                return new Reply(200, false, new byte[0]);
              } catch (Request.Malformed e) {
                throw new AssertionError(target, e);
              }
            },
            "1");
    Answer answer = new Answer(request, AnswerMemory.unlimited());
    handler.answer(request, bytes, answer);
    byte[] out = SentAnswer.bytes(answer);
    String body = new String(out, StandardCharsets.UTF_8).split("\r\n\r\n", 2)[1];
    if (!body.isEmpty()) {
      assertThat(JsonReader.object(JsonReader.read(body))).containsEntry("jsonrpc", "2.0");
    }
  }
}
