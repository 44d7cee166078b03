// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifests are what Kubernetes and OpenTelemetry's operator take, and what the docs quote. */
class ManifestsTest {
  private static final Path FOLDER = Path.of("../kubernetes");
  private static final Path PAGE = Path.of("../docs/how-to/kubernetes.md");
  private static final Pattern QUOTE = Pattern.compile("(?ms)^```yaml\n(.*?)^```");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PATCHED = "io.k8s.api.core.v1.PodTemplateSpec";

  private static final Map<String, String> GROUPS =
      Map.of(
          "v1", "io.k8s.api.core.v1.",
          "apps/v1", "io.k8s.api.apps.v1.",
          "networking.k8s.io/v1", "io.k8s.api.networking.v1.",
          "opentelemetry.io/v1alpha1", "io.opentelemetry.v1alpha1.");

  @Test
  void manifests_inTheFolder_fitTheirSchemas() throws IOException {
    List<String> wrong = new ArrayList<>();
    int checked = 0;
    for (Path file : files()) {
      for (JsonNode manifest : manifests(Files.readString(file))) {
        check(manifest).forEach(message -> wrong.add(file.getFileName() + ": " + message));
        checked++;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(checked).isGreaterThan(files().size());
  }

  @Test
  void check_misspeltAndMistyped_namesThem() throws IOException {
    String page = Files.readString(FOLDER.resolve("page.yaml"));
    String wrong =
        page.replace("replicas: 1", "replicas: one")
            .replace("fsGroup:", "fsgroup:")
            .replace("policyTypes:", "policies:");
    List<ValidationMessage> found = new ArrayList<>();
    for (JsonNode manifest : manifests(wrong)) {
      found.addAll(check(manifest));
    }
    assertThat(found)
        .hasSize(3)
        .extracting(ValidationMessage::getMessage)
        .anyMatch(message -> message.contains("replicas"))
        .anyMatch(message -> message.contains("fsgroup"))
        .anyMatch(message -> message.contains("policies"));
  }

  @Test
  void quotes_inTheDocs_areOfTheFiles() throws IOException {
    String page = Files.readString(PAGE);
    List<String> texts = new ArrayList<>();
    for (Path file : files()) {
      texts.add(Files.readString(file));
      assertThat(page).contains("(../../kubernetes/" + file.getFileName() + ")");
    }
    Matcher quote = QUOTE.matcher(page);
    int found = 0;
    while (quote.find()) {
      String quoted = quote.group(1);
      assertThat(texts).as(quoted).anyMatch(text -> text.contains(quoted));
      found++;
    }
    assertThat(found).isPositive();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  private static List<JsonNode> manifests(String text) {
    List<JsonNode> manifests = new ArrayList<>();
    for (Object one : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
      manifests.add(MAPPER.valueToTree(one));
    }
    return manifests;
  }

  /** A patch has no kind, and changes a Deployment's pods alone. */
  private static Set<ValidationMessage> check(JsonNode manifest) throws IOException {
    if (!manifest.has("kind")) {
      assertThat(manifest).hasSize(1);
      assertThat(manifest.get("spec")).hasSize(1);
      return check(PATCHED, manifest.at("/spec/template"));
    }
    String group = GROUPS.get(manifest.get("apiVersion").textValue());
    return check(group + manifest.get("kind").textValue(), manifest);
  }

  private static Set<ValidationMessage> check(String name, JsonNode manifest) throws IOException {
    try (InputStream in = ManifestsTest.class.getResourceAsStream("/kubernetes/schemas.json")) {
      ObjectNode schemas = (ObjectNode) MAPPER.readTree(in);
      assertThat(schemas.get("definitions").has(name)).as(name).isTrue();
      schemas.put("$ref", "#/definitions/" + name);
      return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
          .getSchema(schemas)
          .validate(manifest);
    }
  }
}
