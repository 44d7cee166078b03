// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.deimos.agent.json.Json;
import io.deimos.agent.processes.NodesHandler;
import io.deimos.agent.routes.OpenApi;
import io.deimos.agent.routes.Route;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;

/**
 * Holds answers to the document of the interface. Here a field that the document does not have is
 * wrong, too, so that none is forgotten.
 */
public final class Documented {
  public static final ObjectMapper MAPPER = new ObjectMapper();

  private Documented() {}

  /** Fails if a route has this path and the answer is not as the document says. */
  public static void check(String target, String answer) throws IOException {
    if (target.contains("format=")) {
      return; // a file for another program
    }
    String path = target.replaceAll("\\?.*", "");
    for (Route route : routes()) {
      if (route.matches(path) && route.answer() != null) {
        JsonNode document = document(List.of(route));
        ObjectNode whole = ((ObjectNode) document.at(pointer(route))).deepCopy();
        whole.set("components", document.get("components"));
        strict(whole);
        assertThat(
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(whole)
                    .validate(MAPPER.readTree(answer)))
            .as("%s, against docs/openapi.json: %s", target, answer)
            .isEmpty();
        return;
      }
    }
  }

  private static String pointer(Route route) {
    return "/paths/"
        + route.path().replace("/", "~1")
        + "/get/responses/200/content/application~1json/schema";
  }

  /** Those of the page alone included. */
  static List<Route> routes() throws IOException {
    return with(handler().site().allRoutes(), NodesHandler.LIST, NodesHandler.ABOUT);
  }

  /** Those that the document tells of. */
  static List<Route> told() throws IOException {
    return with(handler().site().routes(), NodesHandler.LIST, NodesHandler.ABOUT);
  }

  private static PageHandler handler() throws IOException {
    return Asked.handler(new Asked(null, List.of()));
  }

  private static List<Route> with(List<Route> some, Route... more) {
    return Stream.concat(some.stream(), Stream.of(more)).toList();
  }

  static JsonNode document(List<Route> routes) throws IOException {
    StringWriter written = new StringWriter();
    OpenApi.writeTo(new Json(written), routes);
    return MAPPER.readTree(written.toString());
  }

  private static void strict(JsonNode node) {
    if (node instanceof ObjectNode object && object.has("properties") && object.has("required")) {
      object.put("additionalProperties", false);
    }
    node.forEach(Documented::strict);
  }
}
