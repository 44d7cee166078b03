// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the document of the interface, OpenAPI 3.1, from its routes. */
public final class OpenApi {
  public static final String PATH = "/api/v1/openapi.json";

  /** The version of the interface, not of Deimos: fields may be added, nothing is taken away. */
  private static final String VERSION = "1";

  public static final Route ROUTE =
      Route.at(
              PATH,
              "openapi",
              "This document",
              "The interface of the page as OpenAPI 3.1: addresses, parameters and answers.")
          .noTool();

  private static final String ABOUT =
      "The knowledge of Deimos' page about the actors of a running application. All is read only"
          + " but what is a POST, which needs the token. An unknown value is null. Durations are"
          + " nanoseconds, times milliseconds since 1970, unless the name says otherwise. Fields"
          + " may be added within version 1; nothing is taken away or renamed.";

  private static final Schema ERROR =
      Schema.named("Error", "Why there is no answer.")
          .with("error", Schema.text("A sentence that says why, and what to do."));

  private static final Map<String, String> REFUSALS =
      Map.of(
          "400", "A parameter cannot be read.",
          "401", "The token is missing or wrong.",
          "403",
              "The request does not name this machine, or comes from another web site;"
                  + " or what it asks for needs the token.",
          "404", "There is nothing of this name, or it is switched off.",
          "503",
              "The answer would take more memory than there is for answers, or searches have used"
                  + " up what they may take: ask again after Retry-After.");

  private OpenApi() {}

  public static void writeTo(Json json, List<Route> routes) throws IOException {
    json.beginObject();
    json.name("openapi").value("3.1.0");
    json.name("info").beginObject();
    json.name("title").value("Deimos");
    json.name("version").value(VERSION);
    json.name("description").value(ABOUT);
    json.name("license").beginObject();
    json.name("name").value("Apache-2.0");
    json.name("identifier").value("Apache-2.0");
    json.endObject().endObject();
    json.name("servers").beginArray().beginObject();
    json.name("url").value("http://127.0.0.1:9797");
    json.endObject().endArray();
    security(json, true);
    json.name("paths").beginObject();
    Map<String, List<Route>> byPath = new LinkedHashMap<>();
    for (Route route : routes) {
      byPath.computeIfAbsent(route.path(), any -> new ArrayList<>()).add(route);
    }
    for (Map.Entry<String, List<Route>> path : byPath.entrySet()) {
      json.name(path.getKey()).beginObject();
      for (Route route : path.getValue()) {
        operation(json.name(route.use().isChange() ? "post" : "get"), route);
      }
      json.endObject();
    }
    json.endObject();
    components(json.name("components"), routes);
    json.endObject();
  }

  /** The token in one of two headers, or none. */
  private static void security(Json json, boolean isOptional) throws IOException {
    json.name("security").beginArray();
    if (isOptional) {
      json.beginObject().endObject();
    }
    json.beginObject().name("token").beginArray().endArray().endObject();
    json.beginObject().name("bearer").beginArray().endArray().endObject();
    json.endArray();
  }

  private static void operation(Json json, Route route) throws IOException {
    json.beginObject();
    json.name("operationId").value(route.name());
    json.name("summary").value(route.text().summary());
    json.name("description").value(described(route));
    if (route.id() != null || !route.parameters().isEmpty()) {
      json.name("parameters").beginArray();
      if (route.id() != null) {
        parameter(json, "id", "path", true, route.id());
      }
      for (Parameter<?> parameter : route.parameters()) {
        parameter(json, parameter.name(), "query", false, parameter.schema());
      }
      json.endArray();
    }
    if (route.use().isChange()) {
      security(json, false);
    }
    json.name("responses").beginObject();
    answer(json.name("200"), route);
    for (String status : new TreeMap<>(REFUSALS).keySet()) {
      json.name(status).beginObject();
      json.name("$ref").value("#/components/responses/" + status);
      json.endObject();
    }
    json.endObject();
    json.endObject();
  }

  private static String described(Route route) {
    return route.text().notes().isEmpty()
        ? route.text().words()
        : route.text().words() + "\n\n" + route.text().notes();
  }

  private static void parameter(Json json, String name, String in, boolean required, Schema schema)
      throws IOException {
    json.beginObject();
    json.name("name").value(name);
    json.name("in").value(in);
    json.name("required").value(required);
    json.name("description").value(schema.words());
    schema.writeTo(json.name("schema"));
    json.endObject();
  }

  private static void answer(Json json, Route route) throws IOException {
    Schema schema = route.answer();
    json.beginObject();
    json.name("description").value(route.text().summary());
    json.name("content").beginObject();
    if (schema == null) {
      json.name("application/gzip").beginObject().endObject();
    } else {
      json.name(route.use().isStream() ? "text/event-stream" : "application/json").beginObject();
      schema.writeTo(json.name("schema"));
      json.endObject();
    }
    json.endObject().endObject();
  }

  private static void components(Json json, List<Route> routes) throws IOException {
    json.beginObject().name("securitySchemes").beginObject();
    json.name("token").beginObject();
    json.name("type").value("apiKey").name("in").value("header");
    json.name("name").value("X-Deimos-Token").endObject();
    json.name("bearer").beginObject();
    json.name("type").value("http").name("scheme").value("bearer").endObject();
    json.endObject();
    json.name("responses").beginObject();
    for (Map.Entry<String, String> refusal : new TreeMap<>(REFUSALS).entrySet()) {
      json.name(refusal.getKey()).beginObject();
      json.name("description").value(refusal.getValue());
      json.name("content").beginObject().name("application/json").beginObject();
      ERROR.writeTo(json.name("schema"));
      json.endObject().endObject().endObject();
    }
    json.endObject();
    Map<String, Schema> named = new TreeMap<>();
    ERROR.collect(named);
    for (Route route : routes) {
      Schema schema = route.answer();
      if (schema != null) {
        schema.collect(named);
      }
    }
    json.name("schemas").beginObject();
    for (Map.Entry<String, Schema> one : named.entrySet()) {
      one.getValue().writeWholeTo(json.name(one.getKey()));
    }
    json.endObject().endObject();
  }
}
