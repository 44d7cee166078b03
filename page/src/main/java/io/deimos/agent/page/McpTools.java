// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.json.Json;
import io.deimos.agent.log.Printable;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Route;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the interface as tools of an assistant: what each is, and which request a call of
 * it is. All only read.
 */
final class McpTools {
  /** How many of anything a tool gives if the assistant does not say. */
  private static final int LIMIT = 100;

  private static final String LIMIT_NAME = "limit";
  private static final String ID = "id";
  private static final String PROCESS = "process";
  private static final Schema OF_PROCESS =
      Schema.text(
          "Ask another process on this page, by its id as the tool nodes has it; the one that"
              + " serves the page if not given.");

  private final List<Route> routes;

  /**
   * @param routes those that are tools
   */
  McpTools(List<Route> routes) {
    this.routes = routes.stream().filter(route -> route.use().isTool()).toList();
  }

  @Nullable Route named(@Nullable Object name) {
    for (Route route : routes) {
      if (route.name().equals(name)) {
        return route;
      }
    }
    return null;
  }

  void writeTo(Json json) throws IOException {
    json.beginArray();
    for (Route route : routes) {
      json.beginObject();
      json.name("name").value(route.name());
      json.name("title").value(route.text().summary());
      json.name("description").value(route.text().words());
      input(json.name("inputSchema"), route);
      Schema described = described(route);
      if (described != null) {
        described.writeAloneTo(json.name("outputSchema"));
      }
      json.name("annotations").beginObject();
      json.name("title").value(route.text().summary());
      json.name("readOnlyHint").value(true);
      json.name("destructiveHint").value(false);
      json.name("idempotentHint").value(true);
      json.name("openWorldHint").value(false);
      json.endObject().endObject();
    }
    json.endArray();
  }

  /** The answer of a tool, if the interface says what is in it. */
  static @Nullable Schema described(Route route) {
    Schema answer = route.answer();
    return answer != null && answer.hasFields() ? answer : null;
  }

  private static void input(Json json, Route route) throws IOException {
    json.beginObject().name("type").value("object").name("properties").beginObject();
    Schema id = route.id();
    if (id != null) {
      id.writeTo(json.name(ID));
    }
    for (Parameter<?> parameter : route.parameters()) {
      Schema schema = parameter.schema();
      boolean isLimit = parameter.name().equals(LIMIT_NAME);
      (isLimit ? schema.otherwise(LIMIT) : schema).writeTo(json.name(parameter.name()));
    }
    OF_PROCESS.writeTo(json.name(PROCESS));
    json.endObject();
    if (id != null) {
      json.name("required").beginArray().value(ID).endArray();
    }
    json.name("additionalProperties").value(false).endObject();
  }

  /**
   * The request that a call of a tool is.
   *
   * @throws IllegalArgumentException with a sentence for the assistant, if it cannot be one
   */
  static String target(Route route, Map<String, Object> arguments) {
    StringBuilder query = new StringBuilder();
    for (Map.Entry<String, Object> argument : arguments.entrySet()) {
      String name = argument.getKey();
      boolean isParameter =
          route.parameters().stream().anyMatch(parameter -> parameter.name().equals(name));
      if (isParameter) {
        add(query, name, text(name, argument.getValue()));
      } else if (!name.equals(PROCESS) && !(name.equals(ID) && route.id() != null)) {
        throw new IllegalArgumentException(
            "there is no argument " + Printable.shortLine(name) + " of " + route.name());
      }
    }
    boolean hasLimit = route.parameters().stream().anyMatch(one -> one.name().equals(LIMIT_NAME));
    if (hasLimit && arguments.get(LIMIT_NAME) == null) {
      add(query, LIMIT_NAME, Integer.toString(LIMIT));
    }
    String id = text(ID, arguments.get(ID));
    if (route.id() != null && id.isEmpty()) {
      throw new IllegalArgumentException(route.name() + " needs the argument id");
    }
    return process(arguments) + route.pathOf(encoded(id)) + query;
  }

  private static String process(Map<String, Object> arguments) {
    String process = text(PROCESS, arguments.get(PROCESS));
    if (process.isEmpty()) {
      return "";
    }
    if (!process.matches("[0-9a-f]{16}")) {
      throw new IllegalArgumentException(
          "process=" + Printable.shortLine(process) + ": needs 16 hexadecimal digits");
    }
    return "/nodes/" + process;
  }

  private static void add(StringBuilder query, String name, String value) {
    query.append(query.isEmpty() ? '?' : '&').append(name).append('=').append(encoded(value));
  }

  /** Empty for null, as if it were not given. */
  private static String text(String name, @Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Map || value instanceof List) {
      throw new IllegalArgumentException(name + ": must be a text, a number, true or false");
    }
    return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString(number.longValue())
        : value.toString();
  }

  /** As it stands in a path and in a query alike. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
