// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.tail.TailCounts;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.names.Attribute;
import io.deimos.remote.MessageMeter;
import io.deimos.remote.RemoteStats;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each metric, unit and attribute in docs/telemetry.md is in the code, and the other way round. */
class MetricsDocsTest {
  private static final Path DOCS = Path.of("../docs/telemetry.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** The rows of the producer's histograms, which are no instruments. */
  private static final List<String> PRODUCED =
      List.of(
          Instrument.PROCESSING.id(),
          Instrument.WAITING.id(),
          Instrument.ASKING.id(),
          Instrument.PERSISTENCE.id(),
          Instrument.REMOTE_BATCH_LENGTH.id(),
          Instrument.REMOTE_BATCH_SIZE.id(),
          Instrument.REMOTE_FLUSH_DURATION.id());

  /** One row of a table of metrics. */
  private record Row(String names, String kind, Set<String> attributes) {}

  @Test
  void names_inDocsAndCode_areTheSame() throws IOException {
    Set<String> told = new TreeSet<>(PRODUCED);
    Stream.of(Metric.values()).map(Metric::id).forEach(told::add);
    told.addAll(instruments());
    Set<String> documented = new TreeSet<>();
    for (Row row : rows()) {
      documented.addAll(code(row.names));
    }
    assertThat(documented).isEqualTo(told);
    assertThat(told).hasSizeGreaterThan(70);
  }

  @Test
  void kindAndUnit_ofEachMetric_areThoseOfTheCode() throws IOException {
    Map<Metric, Row> rows = rowsOfMetrics();
    for (Metric metric : Metric.values()) {
      assertThat(row(rows, metric).kind)
          .as(metric.id())
          .isEqualTo(metric.kind().word() + ", " + metric.unit());
    }
  }

  @Test
  void attributes_ofEachMetric_areThoseOfTheCode() throws IOException {
    Set<String> known = new TreeSet<>();
    Stream.of(Metric.values()).forEach(metric -> known.addAll(keys(metric)));
    Map<Metric, Row> rows = rowsOfMetrics();
    for (Metric metric : Metric.values()) {
      Set<String> documented = new TreeSet<>(row(rows, metric).attributes);
      documented.removeIf(word -> !known.contains(word) && !word.startsWith("pekko."));
      assertThat(documented).as(metric.id()).containsExactlyInAnyOrderElementsOf(keys(metric));
    }
  }

  private static List<String> keys(Metric metric) {
    return metric.attributes().stream().map(Attribute::key).toList();
  }

  private static Map<Metric, Row> rowsOfMetrics() throws IOException {
    Map<Metric, Row> rows = new EnumMap<>(Metric.class);
    Map<String, Metric> byName = new TreeMap<>();
    Stream.of(Metric.values()).forEach(metric -> byName.put(metric.id(), metric));
    for (Row row : rows()) {
      for (String name : code(row.names)) {
        Metric metric = byName.get(name);
        if (metric != null) {
          rows.put(metric, row);
        }
      }
    }
    assertThat(rows.keySet()).containsExactly(Metric.values());
    return rows;
  }

  private static Row row(Map<Metric, Row> rows, Metric metric) {
    return Objects.requireNonNull(rows.get(metric), metric.id());
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String docs = Files.readString(DOCS);
    String part = docs.substring(docs.indexOf("\n## Metrics"), docs.indexOf("\n## Attributes"));
    List<String> ofAllRows = List.of();
    for (String line : part.lines().toList()) {
      String[] cells = line.split("\\|", -1);
      if (line.startsWith("| metric |")) {
        ofAllRows = code(cells[3]);
      } else if (line.startsWith("| `")) {
        Set<String> attributes = new TreeSet<>(code(cells[3]));
        attributes.addAll(ofAllRows);
        rows.add(new Row(cells[1], cells[2].strip(), attributes));
      }
    }
    return rows;
  }

  private static List<String> code(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  /** The names of all instruments that are registered, whether or not they have anything to say. */
  private static Set<String> instruments() {
    Set<String> names = new TreeSet<>();
    Meter meter = MeterProvider.noop().get("none");
    Meter listening =
        (Meter)
            Proxy.newProxyInstance(
                Meter.class.getClassLoader(),
                new Class<?>[] {Meter.class},
                (proxy, method, arguments) -> {
                  if (method.getName().endsWith("Builder")) {
                    names.add((String) arguments[0]);
                  }
                  return method.invoke(meter, arguments);
                });
    MeterProvider provider =
        new MeterProvider() {
          @Override
          public MeterBuilder meterBuilder(String scope) {
            return new MeterBuilder() {
              @Override
              public MeterBuilder setSchemaUrl(String url) {
                return this;
              }

              @Override
              public MeterBuilder setInstrumentationVersion(String version) {
                return this;
              }

              @Override
              public Meter build() {
                return listening;
              }
            };
          }
        };
    MessageMeter before = RemoteStats.meter();
    try {
      AllInstruments.register(
          provider, Settings.defaults(), new ExportCounts(), new TailCounts(), new Limits(2000));
    } finally {
      RemoteStats.meter(before);
    }
    return names;
  }
}
