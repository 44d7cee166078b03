// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

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
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.trace.data.EventData;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Names of telemetry are made where they are declared, and nowhere else. */
class DeclaredNamesTest {
  private static final JavaClasses AGENT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.deimos.agent");

  /** Some other keys are of the resource; and spans of other processes have what they have. */
  @Test
  void keys_areMadeOfDeclaredAttributesOnly() {
    onlyCalledBy(
        "(string|long|double|boolean)(Array)?Key",
        AttributeKey.class,
        "span.Names",
        "sdk.SdkView",
        "sdk.Distribution",
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
