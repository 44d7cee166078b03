// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes the answers of the interface as the dashboard reads them: a reader for each object, and
 * the reader of each address. The type of what is read follows from the reader.
 */
final class TypeScript {
  private static final String HEAD =
      """
      // Copyright the Deimos authors
      // SPDX-License-Identifier: Apache-2.0

      // Generated from the routes of the page by ContractTest with -Ddocs.write=true.

      /** The answers of the page's interface. An unknown value is null. */
      import { any, flag, list, map, number, object, type Of, oneOf, optional, orNull, text } from "./read";
      """;

  private static final int LINE = 120;

  private final JsonNode schemas;
  private final StringBuilder out = new StringBuilder(HEAD);
  private final Set<String> written = new LinkedHashSet<>();

  private TypeScript(JsonNode schemas) {
    this.schemas = schemas;
  }

  /**
   * @param document the interface's, with all routes of the page in it
   */
  static String of(JsonNode document) {
    TypeScript text = new TypeScript(document.at("/components/schemas"));
    Map<String, String> readers = new TreeMap<>();
    document
        .get("paths")
        .fields()
        .forEachRemaining(
            path -> {
              JsonNode schema =
                  path.getValue().at("/get/responses/200/content/application~1json/schema");
              if (schema.has("$ref")) {
                readers.put(path.getKey(), text.named(schema));
              }
            });
    text.out.append("\n/** The answer of each address. */\nexport const ANSWERS = {\n");
    readers.forEach(
        (path, reader) ->
            text.out.append("  \"").append(path).append("\": ").append(reader).append(",\n"));
    return text.out.append("} as const;\n").toString();
  }

  /** The name of a reader that is written before what needs it. */
  private String named(JsonNode reference) {
    String name = reference.get("$ref").asText().replaceAll(".*/", "");
    if (written.add(name)) {
      JsonNode schema = schemas.get(name);
      String reader = object(schema, "");
      out.append("\n/** ").append(schema.get("description").asText()).append(" */\n");
      out.append("export const ").append(name).append(" = ").append(reader).append(";\n");
      out.append("export type ").append(name).append(" = Of<typeof ").append(name).append(">;\n");
    }
    return name;
  }

  private String object(JsonNode schema, String indent) {
    Set<String> required = new LinkedHashSet<>();
    schema.get("required").forEach(field -> required.add(field.asText()));
    StringBuilder object = new StringBuilder("object({\n");
    schema
        .get("properties")
        .fields()
        .forEachRemaining(
            field -> {
              JsonNode of = field.getValue();
              String words = of.path("description").asText();
              if (!words.isEmpty()) {
                comment(object, words, indent + "  ");
              }
              String reader = reader(of, indent + "  ");
              object.append(indent).append("  ").append(field.getKey()).append(": ");
              object
                  .append(required.contains(field.getKey()) ? reader : "optional(" + reader + ")")
                  .append(",\n");
            });
    return object.append(indent).append("})").toString();
  }

  private static void comment(StringBuilder to, String words, String indent) {
    String line = indent + "/** " + words + " */";
    if (line.length() <= LINE) {
      to.append(line).append('\n');
      return;
    }
    to.append(indent).append("/**\n");
    StringBuilder part = new StringBuilder(indent + " *");
    for (String word : words.split(" ", -1)) {
      if (part.length() + 1 + word.length() > LINE) {
        to.append(part).append('\n');
        part = new StringBuilder(indent + " *");
      }
      part.append(' ').append(word);
    }
    to.append(part).append('\n').append(indent).append(" */\n");
  }

  private String reader(JsonNode schema, String indent) {
    if (schema.has("$ref")) {
      return named(schema);
    }
    if (schema.has("anyOf")) {
      return "orNull(" + named(schema.get("anyOf").get(0)) + ")";
    }
    JsonNode type = schema.path("type");
    return type.isArray()
        ? "orNull(" + plain(type.get(0).asText(), schema, indent) + ")"
        : plain(type.asText(), schema, indent);
  }

  private String plain(String type, JsonNode schema, String indent) {
    return switch (type) {
      case "string" -> schema.has("enum") ? oneOf(schema.get("enum")) : "text";
      case "integer", "number" -> "number";
      case "boolean" -> "flag";
      case "array" -> "list(" + reader(schema.get("items"), indent) + ")";
      case "object" ->
          schema.has("properties")
              ? object(schema, indent)
              : "map(" + reader(schema.get("additionalProperties"), indent) + ")";
      default -> "any";
    };
  }

  private static String oneOf(JsonNode choices) {
    List<String> quoted = new ArrayList<>();
    choices.forEach(choice -> quoted.add('"' + choice.asText() + '"'));
    return "oneOf(" + String.join(", ", quoted) + ")";
  }
}
