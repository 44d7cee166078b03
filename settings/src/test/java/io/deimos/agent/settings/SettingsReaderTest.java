// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.log.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsReaderTest {
  private final List<String> problems = new ArrayList<>();

  private Settings read(Map<String, String> properties, Map<String, String> environment) {
    return new SettingsReader(
            List.of(Layer.ofEnvironment(environment), Layer.ofProperties(properties)),
            problems::add)
        .read();
  }

  private Settings read(String key, String value) {
    return read(Map.of(key, value), Map.of());
  }

  @Test
  void read_nothingGiven_defaults() {
    assertThat(read(Map.of(), Map.of())).isEqualTo(Settings.defaults());
    assertThat(problems).isEmpty();
  }

  @Test
  void read_propertyAndEnvironment_propertyWins() {
    Settings settings =
        read(
            Map.of("deimos.page.port", "1111"),
            Map.of("DEIMOS_PAGE_PORT", "2222", "DEIMOS_TRACING_RING_CAPACITY", "64"));
    assertThat(settings.get(Keys.PAGE_PORT)).isEqualTo(1111);
    assertThat(settings.get(Keys.RING_CAPACITY)).isEqualTo(64);
    assertThat(problems).isEmpty();
  }

  @Test
  void read_variablesThatKubernetesMakesForServices_areNoSettings() {
    Map<String, String> environment = new HashMap<>();
    for (String service : List.of("DEIMOS", "DEIMOS_PAGE")) {
      environment.put(service + "_SERVICE_HOST", "10.96.0.7");
      environment.put(service + "_SERVICE_PORT", "9797");
      environment.put(service + "_SERVICE_PORT_OTLP_HTTP", "4318");
      environment.put(service + "_PORT", "tcp://10.96.0.7:9797");
      environment.put(service + "_PORT_9797_TCP", "tcp://10.96.0.7:9797");
      environment.put(service + "_PORT_9797_TCP_PROTO", "tcp");
      environment.put(service + "_PORT_9797_TCP_PORT", "9797");
      environment.put(service + "_PORT_9797_TCP_ADDR", "10.96.0.7");
    }
    assertThat(read(Map.of(), environment)).isEqualTo(Settings.defaults());
    assertThat(problems).isEmpty();
    read(Map.of(), Map.of("DEIMOS_PAGE_PORT", "10.96.0.7:9797", "DEIMOS_SERVICE_PORTS", "1"));
    assertThat(problems).hasSize(2);
  }

  @Test
  void read_everySettingGiven_taken() {
    Settings settings =
        read(
            Map.of(
                "deimos.enabled", "false",
                "deimos.tracing.enabled", "false",
                "deimos.metrics.enabled", "FALSE",
                "deimos.page.enabled", "false",
                "deimos.page.traces-per-second", "7",
                "deimos.page.spans-kept", "300",
                "deimos.self-test.enabled", "false",
                "deimos.report.file", "out.json"),
            Map.of());
    assertThat(settings)
        .isEqualTo(
            Settings.defaults()
                .with(Keys.ENABLED, false)
                .with(Keys.TRACING, false)
                .with(Keys.METRICS, false)
                .with(Keys.PAGE, false)
                .with(Keys.TRACES_PER_SECOND, 7)
                .with(Keys.SPANS_KEPT, 300)
                .with(Keys.SELF_TEST, false)
                .with(Keys.REPORT_FILE, "out.json"));
    assertThat(settings.isOn()).isFalse();
    assertThat(problems).isEmpty();
  }

  @Test
  void read_pageMemory_isSharedOutUnlessAPartIsGiven() {
    Settings otherwise = read(Map.of(), Map.of());
    assertThat(otherwise.get(Keys.OBSERVER_MEMORY)).isEqualTo(16L << 20);
    assertThat(otherwise.get(Keys.SPANS_KEPT)).isEqualTo(16_384);
    assertThat(otherwise).isEqualTo(Settings.defaults());
    Settings small = read("deimos.page.memory", "8MiB");
    assertThat(small.get(Keys.OBSERVER_MEMORY)).isEqualTo(2L << 20);
    assertThat(small.get(Keys.SPANS_KEPT)).isEqualTo(2_048);
    Settings without =
        read(Map.of("deimos.page.memory", "6MiB", "deimos.observer.memory", "0"), Map.of());
    assertThat(without.get(Keys.OBSERVER_MEMORY)).isZero();
    assertThat(without.get(Keys.SPANS_KEPT)).isEqualTo(2_048);
    Settings more =
        read(Map.of("deimos.page.memory", "8MiB", "deimos.observer.memory", "1GiB"), Map.of());
    assertThat(more.get(Keys.SPANS_KEPT)).isEqualTo(2_048);
    Settings own =
        read(Map.of("deimos.page.memory", "8MiB", "deimos.page.spans-kept", "500"), Map.of());
    assertThat(own.get(Keys.SPANS_KEPT)).isEqualTo(500);
    assertThat(own.isGiven(Keys.OBSERVER_MEMORY)).isFalse();
    assertThat(problems).isEmpty();
  }

  @Test
  void pageMemory_ofASmallHeap_isAnEighthUnlessGiven() {
    Map<Key<?>, Object> small = new HashMap<>();
    PageMemory.shareOut(small, 128L << 20);
    assertThat(small)
        .containsEntry(Keys.PAGE_MEMORY, 16L << 20)
        .containsEntry(Keys.OBSERVER_MEMORY, 4L << 20)
        .containsEntry(Keys.SPANS_KEPT, 4_096);
    Map<Key<?>, Object> tiny = new HashMap<>();
    PageMemory.shareOut(tiny, 8L << 20);
    assertThat(tiny).containsEntry(Keys.PAGE_MEMORY, 4L << 20);
    Map<Key<?>, Object> large = new HashMap<>();
    PageMemory.shareOut(large, 8L << 30);
    assertThat(large).containsEntry(Keys.PAGE_MEMORY, 64L << 20);
    Map<Key<?>, Object> given = new HashMap<>(Map.of(Keys.PAGE_MEMORY, 64L << 20));
    PageMemory.shareOut(given, 128L << 20);
    assertThat(given).containsEntry(Keys.OBSERVER_MEMORY, 16L << 20);
  }

  @Test
  void read_groups_areListOrText() {
    assertThat(read("deimos.metrics.groups", "/user/order-*, /user/carts/**").get(Keys.GROUPS))
        .containsExactly("/user/order-*", "/user/carts/**");
    assertThat(problems).isEmpty();
  }

  @Test
  void read_groupThatIsNoPath_namesKeyAndValue() {
    assertThat(read("deimos.metrics.groups", "orders").get(Keys.GROUPS)).isEmpty();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .contains("deimos.metrics.groups=orders is not a list of paths such as /user/order-*");
  }

  @Test
  void read_unknownKey_namesTheNearestKnown() {
    read("deimos.trace.enabled", "true");
    assertThat(problems)
        .containsExactly(
            "deimos.trace.enabled: there is no such setting; did you mean"
                + " deimos.tracing.enabled?");
  }

  @Test
  void read_unknownEnvironmentVariable_namesTheNearestVariable() {
    read(Map.of(), Map.of("DEIMOS_PAGE_PROT", "9"));
    assertThat(problems)
        .containsExactly(
            "DEIMOS_PAGE_PROT: there is no such setting; did you mean DEIMOS_PAGE_PORT?");
  }

  @Test
  void read_unknownKeyFarFromAll_guessesNothingAndEchoesNoValue() {
    read(Map.of("deimos.foo", "1"), Map.of("DEIMOS_DB_PASSWORD", "hunter2"));
    assertThat(problems).hasSize(2);
    assertThat(problems)
        .allSatisfy(
            problem ->
                assertThat(problem)
                    .contains("there is no such setting", "docs/settings.md")
                    .doesNotContain("did you mean", "hunter2"));
  }

  @Test
  void read_durationWithoutUnit_isRefusedWithTheUnitToWrite() {
    assertThat(read("deimos.stuck.threshold", "10").get(Keys.STUCK_THRESHOLD))
        .isEqualTo(Keys.STUCK_THRESHOLD.otherwise());
    assertThat(problems)
        .containsExactly(
            "deimos.stuck.threshold=10: a duration needs a unit; write 10s or 10ms; using 10s");
    assertThat(read("deimos.stuck.threshold", "0").get(Keys.STUCK_THRESHOLD).isZero()).isTrue();
    assertThat(read("deimos.stuck.threshold", "1500ms").get(Keys.STUCK_THRESHOLD).toMillis())
        .isEqualTo(1500);
    assertThat(problems).hasSize(1);
  }

  @Test
  void read_patternOfNoClassName_isRefusedWithTheWayToWriteIt() {
    for (String pattern : new String[] {"com.acme.[", "com.acme.(A|B)", "^A", "a b"}) {
      assertThat(read("deimos.messages.never", pattern).get(Keys.MESSAGES_NEVER)).isEmpty();
    }
    assertThat(problems).hasSize(4);
    assertThat(problems.get(0))
        .startsWith("deimos.messages.never=com.acme.[: ")
        .contains("full names", "$ before the name of a nested class", "*");
    assertThat(read("deimos.messages.never", "a.B$C*, shop.$plus, a.Ünit").get(Keys.MESSAGES_NEVER))
        .hasSize(3);
    assertThat(problems).hasSize(4);
  }

  @Test
  void read_notANumber_namesKeyValueAndDefault() {
    assertThat(read("deimos.page.port", "http").get(Keys.PAGE_PORT)).isEqualTo(9797);
    assertThat(problems)
        .containsExactly("deimos.page.port=http is not a whole number in [0, 65535]; using 9797");
  }

  @Test
  void read_outOfRange_usesTheDefault() {
    assertThat(read("deimos.page.port", "65536").get(Keys.PAGE_PORT)).isEqualTo(9797);
    assertThat(problems).hasSize(1);
  }

  @Test
  void read_capacityNotAPowerOfTwo_usesTheDefault() {
    assertThat(read("deimos.tracing.ring-capacity", "1000").get(Keys.RING_CAPACITY))
        .isEqualTo(8192);
    assertThat(problems)
        .containsExactly(
            "deimos.tracing.ring-capacity=1000 is not a power of two in [64, 1048576]; using 8192");
  }

  @Test
  void read_notAFlag_usesTheDefaultAndNamesTheVariable() {
    assertThat(read(Map.of(), Map.of("DEIMOS_ENABLED", "maybe")).enabled()).isTrue();
    assertThat(problems).containsExactly("DEIMOS_ENABLED=maybe is not true or false; using true");
  }

  @Test
  void read_internalMarks_areNotSettings() {
    read(Map.of("deimos.launched", "x", "deimos.internal.hooks.skip", "y"), Map.of());
    assertThat(problems).isEmpty();
  }

  @Test
  void read_tokensInTheEnvironment_areNoSettings() {
    Map<String, String> secrets =
        Map.of("DEIMOS_PAGE_SHARED_TOKEN", "secret", "DEIMOS_PAGE_TOKEN", "secret");
    read(Map.of(), secrets);
    assertThat(problems).isEmpty();
  }

  @Test
  void distance_words_countsEdits() {
    assertThat(Spelling.distance("prot", "port")).isEqualTo(2);
    assertThat(Spelling.distance("", "port")).isEqualTo(4);
    assertThat(Spelling.distance("port", "port")).isZero();
  }

  @Test
  void problems_toldTwice_saidOnce() {
    List<String> lines = new ArrayList<>();
    Problems told = new Problems(lines::add);
    told.accept("one thing");
    told.accept("one thing");
    told.accept("another");
    assertThat(lines).containsExactly("deimos: one thing", "deimos: another");
    assertThat(told.all()).containsExactly("one thing", "another");
  }

  @Test
  void problems_controlCharacters_areEscapedAndForgeNoLine() {
    List<String> lines = new ArrayList<>();
    Problems told = new Problems(lines::add);
    told.accept("a=b\r\ndeimos: forged\u001b[2J\u2028\u202e\u0085 is not c");
    assertThat(lines)
        .containsExactly("deimos: a=b\\r\\ndeimos: forged\\u001b[2J\\u2028\\u202e\\u0085 is not c");
    assertThat(told.all()).allMatch(line -> !line.contains("\n"));
  }

  @Test
  void problems_withoutEnd_areCut() {
    List<String> lines = new ArrayList<>();
    Problems told = new Problems(lines::add);
    told.failed("the exporter", new IllegalStateException("x".repeat(1 << 20)));
    assertThat(lines).singleElement().asString().hasSizeLessThan(2100).endsWith("x…");
    assertThat(told.all()).allMatch(line -> line.length() < 2100);
  }

  @Test
  void problems_manyOfOneSource_doNotSilenceOthers() {
    List<String> lines = new ArrayList<>();
    Problems told = new Problems(lines::add);
    for (int i = 0; i < 1000; i++) {
      told.from("settings").accept("wrong " + i);
    }
    told.accept("the exporter is down");
    assertThat(lines).hasSizeLessThan(110);
    assertThat(lines).anyMatch(line -> line.contains("more") && line.contains("settings"));
    assertThat(lines).endsWith("deimos: the exporter is down");
  }

  @Test
  void isOn_tracingAndMetricsOff_false() {
    Settings settings =
        read(
            Map.of("deimos.tracing.enabled", "false", "deimos.metrics.enabled", "false"), Map.of());
    assertThat(settings.isOn()).isFalse();
  }
}
