// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.core.domain.properties.HasParameterTypes.Predicates.rawParameterTypes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.deimos.recorder.names.Attribute;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.trace.data.EventData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names are an interface. What the code declares is what the list has, so that no name changes
 * unnoticed; and no name is told that is not declared. {@code -Dnames.write=true} writes the list,
 * {@code -Ddocs.write=true} the documentation.
 */
class NamesTest {
  private static final Path LIST = Path.of("src/test/resources/names.txt");
  private static final Path DOCS = Path.of("../docs/names.md");
  private static final String BEGIN = "<!-- names: made of the declarations -->\n";
  private static final String END = "<!-- end of names -->\n";

  private static final JavaClasses AGENT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.deimos.agent");

  @Test
  void names_inCode_areThoseOfTheList() throws IOException {
    if (Boolean.getBoolean("names.write")) {
      Files.writeString(LIST, NamesDocs.list());
    }
    assertThat(NamesDocs.list().lines()).containsExactlyElementsOf(Files.readAllLines(LIST));
  }

  @Test
  void names_inDocs_areThoseOfTheCode() throws IOException {
    String docs = Files.readString(DOCS);
    int from = docs.indexOf(BEGIN) + BEGIN.length();
    if (Boolean.getBoolean("docs.write")) {
      docs = docs.substring(0, from) + NamesDocs.tables() + docs.substring(docs.indexOf(END));
      Files.writeString(DOCS, docs);
    }
    assertThat(docs.substring(from, docs.indexOf(END))).isEqualTo(NamesDocs.tables());
  }

  @Test
  void names_ofMetrics_areEachDeclaredOnce() {
    assertThat(NamesDocs.metrics()).extracting(NamesDocs.Told::id).doesNotHaveDuplicates();
  }

  /** The grammar that docs/names.md describes. */
  @Test
  void names_ofMetrics_followTheGrammar() {
    for (NamesDocs.Told metric : NamesDocs.metrics()) {
      String last = metric.id().substring(metric.id().lastIndexOf('.') + 1);
      switch (metric.kind() + ", " + metric.unit()) {
        case "histogram, s" -> assertThat(last).as(metric.id()).isEqualTo("duration");
        case "counter, s" -> assertThat(last).as(metric.id()).isEqualTo("time");
        case "counter, By" -> assertThat(last).as(metric.id()).isEqualTo("io");
        default -> {
          if (metric.kind().equals("up-down counter")) {
            assertThat(last).as(metric.id()).isIn("count", "size", "usage", "parallelism");
          } else if (metric.kind().equals("counter")) {
            assertThat(last)
                .as(metric.id())
                .doesNotEndWith("s")
                .isNotIn("count", "size", "created"); // the last is Prometheus' own
          }
        }
      }
    }
  }

  @Test
  void names_haveANamespaceAndNoUnit() {
    List<String> all =
        Stream.concat(
                NamesDocs.metrics().stream().map(NamesDocs.Told::id),
                Stream.of(Attribute.values()).map(Attribute::key))
            .toList();
    assertThat(all)
        .allMatch(name -> name.matches("[a-z]+(\\.[a-z_]+)+"))
        .noneMatch(name -> name.matches(".*\\b(seconds|bytes|nanos|millis)\\b.*"));
  }

  /** Two other keys are of the resource; and spans of other processes have what they have. */
  @Test
  void keys_areMadeOfDeclaredAttributesOnly() {
    onlyCalledBy(
        "(string|long|double|boolean)(Array)?Key",
        AttributeKey.class,
        "span.Names",
        "sdk.SdkView",
        "store.TraceStore",
        "otlp.SpanBytes");
  }

  @Test
  void attributes_areSetByKeysOnly() {
    noClasses()
        .that(areNot("otlp.SpanBytes")) // reads spans of other processes
        .should()
        .callMethodWhere(
            calls("put", AttributesBuilder.class)
                .and(
                    DescribedPredicate.not(
                        target(rawParameterTypes(AttributeKey.class, Object.class))))
                .and(
                    DescribedPredicate.not(
                        target(rawParameterTypes(AttributeKey.class, Object[].class)))))
        .check(AGENT);
  }

  @Test
  void instruments_areMadeOfDeclaredMetricsOnly() {
    onlyCalledBy(".*Builder", Meter.class, "metrics.Instrument");
    onlyCalledBy("create.*", ImmutableMetricData.class, "metrics.HistogramForm");
  }

  /** Beside the recorder's: those that the user's code adds, copies, and other processes'. */
  @Test
  void events_areMadeOfDeclaredNamesOnly() {
    onlyCalledBy(
        "create",
        EventData.class,
        "span.RecordEvents",
        "context.ActorSpan",
        "export.ExportedSpan",
        "span.PlainSpan",
        "otlp.SpanBytes");
  }

  private void onlyCalledBy(String method, Class<?> owner, String... callers) {
    assertThat(AGENT.stream().flatMap(c -> c.getMethodCallsFromSelf().stream()))
        .as("the rule finds what it is about")
        .anyMatch(calls(method, owner));
    noClasses().that(areNot(callers)).should().callMethodWhere(calls(method, owner)).check(AGENT);
  }

  private static DescribedPredicate<JavaCall<?>> calls(String method, Class<?> owner) {
    return target(nameMatching(method)).and(target(owner(JavaClass.Predicates.type(owner))));
  }

  private static DescribedPredicate<JavaClass> areNot(String... callers) {
    return DescribedPredicate.describe(
        "are none of " + Arrays.toString(callers),
        type ->
            Arrays.stream(callers).noneMatch(known -> isOrIsIn(type, "io.deimos.agent." + known)));
  }

  private static boolean isOrIsIn(JavaClass type, String name) {
    return type.getName().equals(name) || type.getName().startsWith(name + '$');
  }
}
