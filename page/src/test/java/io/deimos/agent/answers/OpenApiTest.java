// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.page.Asked;
import io.deimos.agent.page.Documented;
import io.deimos.agent.page.Http;
import io.deimos.agent.page.PagePlace;
import io.deimos.agent.page.PageServer;
import io.deimos.agent.page.PageServerTest;
import io.deimos.agent.routes.OpenApi;
import io.deimos.agent.routes.Route;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.ring.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The interface and its document. {@code -Ddocs.write=true} writes it. {@link Documented} holds
 * every other answer to it that a test of this package gets.
 */
class OpenApiTest {
  private static final Path DOCS = Path.of("../docs/openapi.json");
  private static final PageAccess OPEN =
      new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OPEN, "t");

  /** A token, a query, somebody who makes a profile, requests. */
  private static final Set<String> NEED_MORE =
      Set.of(DumpHandler.PATH, WhereHandler.PATH, ProfileHandler.PATH, UpdatesHandler.PATH);

  private final Observer observer = new Observer(4 << 20);
  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private @Nullable PageServer server;
  private Http http;
  private int port;

  @BeforeEach
  void start() throws InterruptedException {
    server =
        PageServer.start(
            PagePlace.on(0),
            OPEN,
            new Asked(observer, List.of()),
            store,
            null,
            PageServerTest.lines(new CopyOnWriteArrayList<>()),
            () -> {});
    assertThat(server.awaitStart(10_000)).isTrue();
    String url = Objects.requireNonNull(server.url());
    port = Integer.parseInt(url.replaceAll(".*:", ""));
    http = new Http(port);
  }

  @AfterEach
  void stop() {
    Objects.requireNonNull(server).close();
  }

  private JsonNode document() throws Exception {
    return Documented.MAPPER.readTree(http.get(OpenApi.PATH).text());
  }

  @Test
  void document_isTheOneInDocs() throws Exception {
    String written =
        Documented.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document()) + "\n";
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(DOCS, written);
    }
    assertThat(Files.readString(DOCS)).isEqualTo(written);
  }

  @Test
  void document_itsReferences_areThere() throws Exception {
    JsonNode document = document();
    assertThat(document.at("/openapi").asText()).isEqualTo("3.1.0");
    for (JsonNode reference : document.findValues("$ref")) {
      assertThat(document.at(reference.asText().substring(1)).isMissingNode())
          .as(reference.asText())
          .isFalse();
    }
  }

  @Test
  void document_eachOperation_hasANameOfItsOwnAndWords() throws Exception {
    Set<String> names = new HashSet<>();
    for (JsonNode path : document().at("/paths")) {
      for (JsonNode operation : path) {
        assertThat(names.add(operation.get("operationId").asText()))
            .as(operation.toString())
            .isTrue();
        assertThat(operation.get("description").asText()).endsWith(".");
        if (operation.has("parameters")) {
          for (JsonNode parameter : operation.get("parameters")) {
            assertThat(parameter.get("description").asText()).as(operation.toString()).isNotEmpty();
          }
        }
      }
    }
    assertThat(names)
        .contains("actors", "actor", "map", "trouble", "traces", "trace", "system")
        .contains("where", "tap", "tapped", "profile");
  }

  @Test
  void document_eachAnswerButItself_saysWhatIsInIt() throws Exception {
    for (Route route : Asked.routes()) {
      Schema answer = route.answer();
      assertThat(answer == null || answer.hasFields() || route.equals(OpenApi.ROUTE))
          .as(route.name())
          .isTrue();
    }
  }

  /** With records, so that lists are not empty; http.get checks each against the document. */
  @Test
  void answers_ofAllRoutes_areAsTheDocumentSays() throws Exception {
    new Records(store).processed(5, 6, 7, 0);
    List<String> answered = new ArrayList<>();
    document()
        .at("/paths")
        .fieldNames()
        .forEachRemaining(
            path -> {
              if (!path.contains("{") && !NEED_MORE.contains(path)) {
                answered.add(path);
              }
            });
    assertThat(answered).hasSizeGreaterThanOrEqualTo(9);
    for (String path : answered) {
      assertThat(http.get(path).status()).as(path).isEqualTo(200);
    }
    String trace = "%016x%016x".formatted(5, 6);
    assertThat(http.get("/api/v1/traces").text()).contains(trace);
    assertThat(http.get("/api/v1/traces/" + trace).status()).isEqualTo(200);
    assertThat(http.get("/api/traces/" + trace).text())
        .as("the old address")
        .isEqualTo(http.get("/api/v1/traces/" + trace).text());
  }

  @Test
  void document_ofAChange_isAPostThatNeedsTheToken() throws Exception {
    JsonNode post = document().at("/paths/~1api~1v1~1settings/post");
    assertThat(post.get("operationId").asText()).isEqualTo("change_settings");
    assertThat(post.get("parameters").findValuesAsText("name"))
        .containsExactly("key", "value", "preset", "end", "for", "who");
    assertThat(post.get("security").toString()).isEqualTo("[{\"token\":[]},{\"bearer\":[]}]");
    String answer =
        http.send(
                "POST",
                "/api/v1/settings?preset=look-closely&for=30s&who=Ada",
                "127.0.0.1:" + port,
                "X-Deimos-Token: t")
            .text();
    Documented.check(SettingsHandler.READ.path(), answer);
    assertThat(answer).contains("\"preset\":\"look-closely\"", "the page (Ada)");
    assertThat(http.get("/api/v1/settings?q=asks").text())
        .contains("deimos.tracing.asks")
        .doesNotContain("\"deimos.page.port\"");
    assertThat(http.get("/api/settings").status()).as("the old address").isEqualTo(200);
  }

  @Test
  void requests_outOfTheirRange_areRefusedByTheDeclaration() throws Exception {
    assertThat(http.get("/api/v1/traces?limit=0").json())
        .containsEntry("error", "limit=0: must be a whole number in [1, 1000]");
    assertThat(http.get("/api/v1/actors?sort=size").text()).contains("must be one of mailbox");
    assertThat(http.get("/api/v1/trouble?kind=trouble").text()).contains("must be one of failure");
    assertThat(http.get("/api/v1/traces?q=duration%3E5").status()).isEqualTo(400);
  }
}
