// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import io.deimos.agent.nodes.Handshake;
import io.deimos.agent.settings.Keys;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.wire.WireContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The promises to users and other nodes, a line for each thing: its kind, its name, and what is
 * said of it. Made of files that tests of their own hold to the code, and of the code.
 */
final class Promises {
  private static final String[] CONTEXT = {
    "traceparent", "00-6921a0b0c1d2e3f405162738495a6b7c-0123456789abcdef-03"
  };

  private Promises() {}

  /** By the name of the file. */
  static Map<String, Set<String>> ofTheCode(Path root) throws Exception {
    Map<String, Set<String>> files = new TreeMap<>();
    files.put("names.txt", names(root.resolve("telemetry/src/test/resources/names.txt")));
    files.put("settings.txt", settings(root));
    files.put("page.txt", page(root.resolve("docs/openapi.json")));
    files.put("wire.txt", wire());
    return files;
  }

  private static Set<String> names(Path list) throws IOException {
    Set<String> lines = new TreeSet<>();
    for (String line : Files.readAllLines(list)) {
      String[] parts = line.split(":(?: |$)(?!//)", 2);
      String[] named = parts[0].split(", ", 2);
      String name = named[0].contains(" ") ? named[0] : named[0] + " of a span";
      lines.add(name + " | " + (named.length == 1 ? "exists" : named[1]));
      if (parts.length == 2) {
        for (String attribute : parts[1].split(" ", -1)) {
          lines.add(name + " | " + attribute);
        }
      }
    }
    return lines;
  }

  private static Set<String> settings(Path root) throws IOException {
    String agents =
        Files.readString(root.resolve("settings/src/main/resources/deimos/reference.conf"));
    String transports =
        Files.readString(root.resolve("remote/src/main/resources/io/deimos/remote/reference.conf"));
    Set<String> lines = new TreeSet<>();
    for (String text :
        new String[] {agents.replaceAll("(?m)^# (deimos\\.[\\w.-]+ = )", "$1"), transports}) {
      ConfigFactory.parseString(text)
          .entrySet()
          .forEach(
              entry ->
                  lines.add(
                      "setting "
                          + entry.getKey()
                          + " | "
                          + entry
                              .getValue()
                              .render(ConfigRenderOptions.concise())
                              .replaceAll("^\"(.*)\"$", "$1")));
    }
    Keys.all().stream()
        .map(key -> "setting " + key.name() + " | ")
        .filter(key -> lines.stream().noneMatch(line -> line.startsWith(key)))
        .forEach(key -> lines.add(key + "{}"));
    return lines;
  }

  private static Set<String> page(Path openApi) throws IOException {
    JsonNode document = new ObjectMapper().readTree(openApi.toFile());
    Set<String> lines = new TreeSet<>();
    document
        .get("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fields()
                    .forEachRemaining(
                        operation -> {
                          String address =
                              "address %s %s | "
                                  .formatted(
                                      operation.getKey().toUpperCase(Locale.ROOT), path.getKey());
                          JsonNode told = operation.getValue();
                          lines.add(address + "operation " + told.get("operationId").asText());
                          told.path("parameters")
                              .findValuesAsText("name")
                              .forEach(name -> lines.add(address + "parameter " + name));
                          JsonNode answer =
                              told.at("/responses/200/content/application~1json/schema/$ref");
                          if (!answer.isMissingNode()) {
                            lines.add(address + "answers " + last(answer));
                          }
                        }));
    document
        .at("/components/schemas")
        .fields()
        .forEachRemaining(schema -> fields(schema.getKey(), schema.getValue(), lines));
    return lines;
  }

  private static void fields(String name, JsonNode schema, Set<String> lines) {
    schema
        .path("properties")
        .fields()
        .forEachRemaining(
            field -> {
              String path = name + "." + field.getKey();
              lines.add("field " + path + " | " + type(field.getValue()));
              fields(path, field.getValue(), lines);
              fields(path, field.getValue().path("items"), lines);
            });
  }

  private static String type(JsonNode schema) {
    if (schema.has("$ref")) {
      return last(schema.get("$ref"));
    }
    if (schema.has("items")) {
      return "list of " + type(schema.get("items"));
    }
    JsonNode type = schema.path("type");
    return type.isArray()
        ? StreamSupport.stream(type.spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(", "))
        : type.asText("one of several");
  }

  private static String last(JsonNode reference) {
    return reference.asText().replaceFirst(".*/", "");
  }

  /** Between nodes: a context beside a message, as bytes, and the version of links of pages. */
  private static Set<String> wire() throws WireContext.MalformedException {
    ByteBuffer bytes = buffer().put((byte) 1).putShort((short) 1);
    for (String part : CONTEXT) {
      bytes.putShort((short) part.length()).put(part.getBytes(StandardCharsets.ISO_8859_1));
    }
    ThreadState thread = ThreadState.currentOrNew();
    WireContext.read(bytes, 0, bytes.position(), thread);
    ByteBuffer written = buffer();
    WireContext.write(Objects.requireNonNull(thread.capturedTrace), thread.capturedSpan, written);
    byte[] sent = new byte[written.position()];
    written.flip().get(sent);
    String hex = HexFormat.of().formatHex(sent);
    return Set.of(
        "context beside a message | " + hex, "link of pages | version " + Handshake.VERSION);
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(WireContext.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }
}
