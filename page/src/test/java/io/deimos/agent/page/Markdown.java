// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.deimos.agent.routes.Route;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes the interface as the reference for people has it: routes, parameters, answers, errors. */
final class Markdown {
  /** Longer ones are written once. */
  private static final int LONG_CHARS = 300;

  private final JsonNode document;
  private final StringBuilder out = new StringBuilder();
  private final Map<String, String> written = new HashMap<>();

  private Markdown(JsonNode document) {
    this.document = document;
  }

  static String of(List<Route> routes) throws IOException {
    Markdown text = new Markdown(Documented.document(routes));
    routes.forEach(text::route);
    text.errors();
    return text.out.toString();
  }

  private void route(Route route) {
    String method = route.use().isChange() ? "post" : "get";
    JsonNode operation = document.get("paths").get(route.path()).get(method);
    String title = method.toUpperCase(Locale.ROOT) + " " + route.path().replace("{id}", "ID");
    out.append("## `").append(title).append("`\n\n");
    String purpose = route.use().isTool() ? route.text().summary() + "." : route.text().words();
    out.append(purpose.replace("?.", "?")).append("\n\n");
    if (!route.text().notes().isEmpty()) {
      out.append(route.text().notes()).append("\n\n");
    }
    for (JsonNode parameter : operation.path("parameters")) {
      parameter(title, parameter);
    }
    JsonNode schema = operation.at("/responses/200/content").elements().next().path("schema");
    if (schema.has("$ref")) {
      String answer = schema.get("$ref").asText().replaceAll(".*/", "");
      out.append("- Answers `").append(answer).append("`.\n");
    }
    out.append('\n');
  }

  private void parameter(String route, JsonNode parameter) {
    JsonNode schema = parameter.get("schema");
    String name = parameter.get("name").asText();
    String words = parameter.get("description").asText();
    out.append("- `").append(name.equals("id") ? "ID" : name).append('`');
    String otherwise = schema.path("default").asText();
    if (!otherwise.isEmpty() && !otherwise.equals("false")) {
      out.append(" (`").append(otherwise).append("`)");
    }
    out.append(": ");
    String first = words.length() < LONG_CHARS ? null : written.putIfAbsent(words, route);
    out.append(first == null ? words : "As of `" + first + "`.");
    if (schema.has("minimum")) {
      out.append(" [").append(schema.get("minimum")).append(", ");
      out.append(schema.get("maximum")).append("].");
    }
    Set<String> choices = new LinkedHashSet<>();
    schema.path("enum").forEach(choice -> choices.add(choice.asText()));
    choices.removeIf(choice -> choice.startsWith("-"));
    if (!choices.isEmpty()) {
      out.append(" `").append(String.join("`, `", choices)).append("`.");
    }
    out.append('\n');
  }

  private void errors() {
    out.append("## Errors\n\n");
    document
        .at("/components/responses")
        .fields()
        .forEachRemaining(
            response -> {
              out.append("- ").append(response.getKey()).append(": ");
              out.append(response.getValue().get("description").asText()).append('\n');
            });
    out.append('\n');
  }
}
