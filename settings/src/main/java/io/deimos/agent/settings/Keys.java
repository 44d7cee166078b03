// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static io.deimos.agent.settings.Key.When.IF_ON_AT_START;
import static io.deimos.agent.settings.Key.When.LIVE;
import static io.deimos.agent.settings.Key.When.LIVE_FOR_OPERATOR;
import static io.deimos.agent.settings.Key.When.START;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import io.deimos.recorder.base.GuardConfig;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Every setting there is. To add one, add a line here and its words in {@code keys.md}, ask {@link
 * Settings#get} for it, and let {@code SettingsDocsTest} write the documentation ({@code
 * -Ddocs.write=true}).
 */
public final class Keys {
  private static final List<Key<?>> DECLARED = new ArrayList<>();

  public static final Key<Boolean> ENABLED =
      key("deimos.enabled", ValueType.flag(), true, IF_ON_AT_START);

  public static final Key<Boolean> TRACING =
      key("deimos.tracing.enabled", ValueType.flag(), true, IF_ON_AT_START);

  public static final Key<Boolean> TRACING_USER =
      key("deimos.tracing.user-actors", ValueType.flag(), true, LIVE);

  public static final Key<Boolean> TRACING_SYSTEM =
      key("deimos.tracing.system-actors", ValueType.flag(), false, LIVE);

  public static final Key<Boolean> ASKS = key("deimos.tracing.asks", ValueType.flag(), true, LIVE);

  public static final Key<Boolean> LIFECYCLE =
      key("deimos.tracing.lifecycle", ValueType.flag(), false, LIVE);

  public static final Key<SpanStart> SPAN_START =
      key("deimos.tracing.span-start", ValueType.oneOf(SpanStart.class), SpanStart.SEND, START);

  public static final Key<SpanKindChoice> SPAN_KIND =
      key(
          "deimos.tracing.span-kind",
          ValueType.oneOf(SpanKindChoice.class),
          SpanKindChoice.CONSUMER,
          START);

  public static final Key<SpanName> SPAN_NAME =
      key("deimos.tracing.span-name", ValueType.oneOf(SpanName.class), SpanName.MESSAGE, START);

  public static final Key<Boolean> MESSAGE_EVENTS =
      key("deimos.tracing.message-events", ValueType.flag(), true, LIVE);

  public static final Key<Boolean> LOGS =
      key("deimos.tracing.logs.enabled", ValueType.flag(), false, IF_ON_AT_START);

  public static final Key<LogLevel> LOGS_LEVEL =
      key("deimos.tracing.logs.level", ValueType.oneOf(LogLevel.class), LogLevel.INFO, LIVE);

  public static final Key<Integer> LOGS_MAX_LENGTH =
      key("deimos.tracing.logs.max-length", ValueType.number(1, 65_536), 500, LIVE);

  public static final Key<StartTraces> START_TRACES =
      key(
          "deimos.tracing.start-traces",
          ValueType.oneOf(StartTraces.class),
          StartTraces.HERE,
          LIVE);

  public static final Key<Integer> RING_CAPACITY =
      key("deimos.tracing.ring-capacity", ValueType.powerOfTwo(64, 1 << 20), 8192, START);

  public static final Key<Integer> BACKLOG_CAPACITY =
      key("deimos.tracing.backlog-capacity", ValueType.number(0, 1 << 24), 1 << 18, START);

  public static final Key<Overflow> OVERFLOW =
      key("deimos.tracing.overflow", ValueType.oneOf(Overflow.class), Overflow.DROP_NEWEST, START);

  public static final Key<ExportWay> EXPORT =
      key("deimos.tracing.export", ValueType.oneOf(ExportWay.class), ExportWay.AUTO, START);

  public static final Key<Duration> GUARD_MAX_AGE =
      key(
          "deimos.tracing.guard.max-age",
          ValueType.duration(Duration.ZERO, Duration.ofDays(365)),
          Duration.ofNanos(GuardConfig.DEFAULT.maxAgeNanos()),
          START);

  public static final Key<Integer> GUARD_MAX_DEPTH =
      key(
          "deimos.tracing.guard.max-depth",
          ValueType.number(0, 1_000_000_000),
          GuardConfig.DEFAULT.maxDepth(),
          START);

  public static final Key<Integer> GUARD_MAX_SPANS =
      key(
          "deimos.tracing.guard.max-spans",
          ValueType.number(0, 1_000_000_000),
          GuardConfig.DEFAULT.maxSpans(),
          START);

  public static final Key<Boolean> TAIL =
      key("deimos.tracing.tail.enabled", ValueType.flag(), false, LIVE);

  public static final Key<Duration> TAIL_WAIT =
      key(
          "deimos.tracing.tail.wait",
          ValueType.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE);

  public static final Key<Duration> TAIL_PROCESSING =
      key(
          "deimos.tracing.tail.processing",
          ValueType.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE);

  public static final Key<Duration> TAIL_DELAY =
      key(
          "deimos.tracing.tail.delay",
          ValueType.duration(Duration.ofMillis(100), Duration.ofSeconds(30)),
          Duration.ofSeconds(10),
          LIVE);

  public static final Key<Integer> TAIL_MAX_SPANS =
      key("deimos.tracing.tail.max-spans", ValueType.number(1_000, 10_000_000), 131_072, LIVE);

  public static final Key<Double> TAIL_KEEP =
      key("deimos.tracing.tail.keep", ValueType.ratio(), 0.01, LIVE);

  public static final Key<Boolean> REMOTE =
      key("deimos.tracing.remote.enabled", ValueType.flag(), true, IF_ON_AT_START);

  public static final Key<Boolean> STREAMS =
      key("deimos.tracing.streams.enabled", ValueType.flag(), true, IF_ON_AT_START);

  public static final Key<Boolean> STAGES =
      key("deimos.tracing.completion-stages.enabled", ValueType.flag(), true, IF_ON_AT_START);

  public static final Key<Boolean> PERSISTENCE =
      key("deimos.persistence.enabled", ValueType.flag(), true, IF_ON_AT_START);

  public static final Key<Boolean> METRICS =
      key("deimos.metrics.enabled", ValueType.flag(), true, IF_ON_AT_START);

  public static final Key<Integer> TIMED_ONE_IN =
      key("deimos.metrics.timed-one-in", ValueType.number(1, 1024), 8, START);

  public static final Key<ClockChoice> CLOCK =
      key("deimos.clock", ValueType.oneOf(ClockChoice.class), ClockChoice.AUTO, START);

  public static final Key<Boolean> METRICS_USER =
      key("deimos.metrics.user-actors", ValueType.flag(), true, LIVE);

  public static final Key<Boolean> METRICS_SYSTEM =
      key("deimos.metrics.system-actors", ValueType.flag(), false, LIVE);

  public static final Key<Config> ACTORS =
      key("deimos.actors", ValueType.table(), ConfigFactory.empty(), LIVE);

  public static final Key<List<String>> ACTOR_CLASSES_NEVER =
      key("deimos.actor-classes.never", ValueType.classes(), List.of(), LIVE);

  public static final Key<List<String>> ACTOR_CLASSES_ALWAYS =
      key("deimos.actor-classes.always", ValueType.classes(), List.of(), LIVE);

  public static final Key<List<String>> MESSAGES_NEVER =
      key("deimos.messages.never", ValueType.classes(), List.of(), LIVE);

  public static final Key<List<String>> MESSAGES_ALWAYS =
      key("deimos.messages.always", ValueType.classes(), List.of(), LIVE);

  public static final Key<List<String>> MESSAGES_ONLY =
      key("deimos.messages.only", ValueType.classes(), List.of(), LIVE);

  public static final Key<String> FILTER =
      key("deimos.filter", ValueType.text(), "", LIVE_FOR_OPERATOR);

  public static final Key<List<String>> CONTENT_MESSAGES =
      key("deimos.content.messages", ValueType.classes(), List.of(), LIVE_FOR_OPERATOR);

  public static final Key<Integer> CONTENT_MAX_LENGTH =
      key("deimos.content.max-length", ValueType.number(1, 65_536), 1_000, LIVE_FOR_OPERATOR);

  public static final Key<Boolean> CONTENT_LATE =
      key("deimos.content.late", ValueType.flag(), false, LIVE_FOR_OPERATOR);

  public static final Key<List<String>> CONTENT_EAGER =
      key("deimos.content.eager", ValueType.classes(), List.of(), LIVE_FOR_OPERATOR);

  public static final Key<String> CONTENT_REDACTOR =
      key("deimos.content.redactor", ValueType.text(), "", LIVE_FOR_OPERATOR);

  public static final Key<KeptLevel> CONTENT_LOGS =
      key("deimos.content.logs", ValueType.oneOf(KeptLevel.class), KeptLevel.OFF, START);

  public static final Key<List<String>> CONTENT_STATE =
      key("deimos.content.state", ValueType.classes(), List.of(), LIVE_FOR_OPERATOR);

  public static final Key<Config> SAMPLING_MESSAGES =
      key("deimos.sampling.messages", ValueType.table(), ConfigFactory.empty(), LIVE);

  public static final Key<Double> MAX_TRACES_PER_SECOND =
      key("deimos.sampling.max-traces-per-second", ValueType.decimal(0, 1_000_000), 0.0, LIVE);

  public static final Key<Boolean> FORENSICS =
      key("deimos.forensics.enabled", ValueType.flag(), true, LIVE);

  public static final Key<Double> FORENSICS_LOG =
      key("deimos.forensics.log-per-second", ValueType.decimal(0, 1000), 1.0, LIVE);

  public static final Key<Double> FORENSICS_RECORDS =
      key("deimos.forensics.records-per-second", ValueType.decimal(0, 1000), 10.0, LIVE);

  public static final Key<Duration> STUCK_THRESHOLD =
      key(
          "deimos.stuck.threshold",
          ValueType.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(10),
          LIVE);

  public static final Key<Duration> STARVATION_THRESHOLD =
      key(
          "deimos.starvation.threshold",
          ValueType.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(1),
          LIVE);

  public static final Key<Integer> MAX_SERIES =
      key("deimos.metrics.max-series", ValueType.number(100, 100_000), 2000, START);

  public static final Key<Duration> SERIES_WINDOW =
      key(
          "deimos.metrics.window",
          ValueType.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
          Duration.ofSeconds(10),
          START);

  public static final Key<List<String>> GROUPS =
      key("deimos.metrics.groups", ValueType.paths(), List.of(), START);

  public static final Key<Boolean> GAUGES =
      key("deimos.metrics.gauges.enabled", ValueType.flag(), true, START);

  public static final Key<Duration> GAUGES_INTERVAL =
      key(
          "deimos.metrics.gauges.interval",
          ValueType.duration(Duration.ofMillis(100), Duration.ofMinutes(1)),
          Duration.ofSeconds(1),
          START);

  public static final Key<Boolean> MAILBOX_SIZES =
      key("deimos.metrics.mailboxes.enabled", ValueType.flag(), true, LIVE);

  public static final Key<Boolean> REMOTE_METRICS =
      key("deimos.metrics.remote.enabled", ValueType.flag(), true, START);

  public static final Key<Long> LARGE_MESSAGE =
      key("deimos.metrics.remote.large-message", ValueType.memory(0, 1L << 30), 64L << 10, START);

  public static final Key<Boolean> PROMETHEUS =
      key("deimos.metrics.prometheus.enabled", ValueType.flag(), true, START);

  public static final Key<ScrapeAccess> PROMETHEUS_ACCESS =
      key(
          "deimos.metrics.prometheus.access",
          ValueType.oneOf(ScrapeAccess.class),
          ScrapeAccess.OPEN,
          START);

  public static final Key<Boolean> PAGE = key("deimos.page.enabled", ValueType.flag(), true, START);

  public static final Key<Integer> PAGE_PORT =
      key("deimos.page.port", ValueType.number(0, 65_535), 9797, START);

  public static final Key<String> PAGE_JOIN = key("deimos.page.join", join(), "", START);

  public static final Key<Boolean> PAGE_JOIN_CONTROL =
      key("deimos.page.join-control", ValueType.flag(), false, START);

  public static final Key<String> PAGE_SHARED_TOKEN =
      key("deimos.page.shared-token-file", ValueType.text(), "", START);

  public static final Key<String> PAGE_TLS_CERTIFICATE =
      key("deimos.page.tls.certificate", ValueType.text(), "", START);

  public static final Key<String> PAGE_TLS_KEY =
      key("deimos.page.tls.key", ValueType.text(), "", START);

  public static final Key<String> PAGE_TLS_KEYSTORE =
      key("deimos.page.tls.keystore", ValueType.text(), "", START);

  public static final Key<String> PAGE_TLS_PASSWORD =
      key("deimos.page.tls.keystore-password-file", ValueType.text(), "", START);

  public static final Key<String> PAGE_TLS_TRUST =
      key("deimos.page.tls.trust", ValueType.text(), "", START);

  public static final Key<PageAccessMode> PAGE_ACCESS =
      key("deimos.page.access", ValueType.oneOf(PageAccessMode.class), PageAccessMode.OPEN, START);

  public static final Key<PageControl> PAGE_CONTROL =
      key("deimos.page.control", ValueType.oneOf(PageControl.class), PageControl.TOKEN, START);

  public static final Key<Boolean> PAGE_MCP =
      key("deimos.page.mcp.enabled", ValueType.flag(), true, START);

  public static final Key<String> PAGE_TOKEN_FILE =
      key("deimos.page.token-file", ValueType.text(), "", START);

  public static final Key<Integer> TRACES_PER_SECOND =
      key("deimos.page.traces-per-second", ValueType.number(1, 100_000), 50, START);

  public static final Key<Long> PAGE_MEMORY =
      key("deimos.page.memory", ValueType.memory(4L << 20, 4L << 30), 64L << 20, START);

  public static final Key<Integer> SPANS_KEPT =
      key("deimos.page.spans-kept", ValueType.number(100, 10_000_000), 16_384, START);

  public static final Key<Long> OBSERVER_MEMORY =
      key("deimos.observer.memory", ValueType.memory(0, 1L << 30), 16L << 20, START);

  public static final Key<Double> OBSERVER_CPU =
      key("deimos.observer.cpu", ValueType.decimal(0.001, 1), 0.05, START);

  public static final Key<Boolean> PROFILE =
      key("deimos.profile.enabled", ValueType.flag(), false, LIVE);

  public static final Key<Duration> PROFILE_WAITS =
      key(
          "deimos.profile.waits",
          ValueType.duration(Duration.ZERO, Duration.ofMinutes(1)),
          Duration.ofMillis(1),
          LIVE);

  public static final Key<Integer> PROFILE_WAITS_PER_SECOND =
      key("deimos.profile.waits-per-second", ValueType.number(10, 100_000), 1_000, LIVE);

  public static final Key<Integer> PROFILE_ALLOCATIONS_PER_SECOND =
      key("deimos.profile.allocations-per-second", ValueType.number(0, 10_000), 150, LIVE);

  public static final Key<Boolean> CHECK =
      key("deimos.check.enabled", ValueType.flag(), true, LIVE);

  public static final Key<List<String>> CHECK_IGNORE =
      key("deimos.check.ignore", ValueType.findings(), List.of(), LIVE);

  static {
    DECLARED.addAll(CheckKeys.all());
  }

  public static final Key<String> CONTROL_FILE =
      key("deimos.control.file", ValueType.text(), "", START);

  public static final Key<Boolean> WEAVE_ALL =
      key("deimos.control.weave-all", ValueType.flag(), false, START);

  public static final Key<Instrumentations> INSTRUMENTATIONS =
      key(
          "deimos.instrumentations",
          ValueType.oneOf(Instrumentations.class),
          Instrumentations.ALL,
          START);

  public static final Key<Boolean> SELF_TEST =
      key("deimos.self-test.enabled", ValueType.flag(), true, START);

  public static final Key<Duration> SELF_TEST_WAIT =
      key(
          "deimos.self-test.wait",
          ValueType.duration(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofSeconds(10),
          START);

  public static final Key<Boolean> TESTKIT =
      key("deimos.testkit.enabled", ValueType.flag(), false, START);

  public static final Key<String> REPORT_FILE =
      key("deimos.report.file", ValueType.text(), "", START);

  public static final Key<String> DUMP_DIRECTORY =
      key("deimos.dump.directory", ValueType.text(), "", START);

  private static final List<Key<?>> ALL = List.copyOf(DECLARED);

  private Keys() {}

  /** All settings, in the order of the documentation. */
  public static List<Key<?>> all() {
    return ALL;
  }

  /** The setting of a name in any spelling, or null. */
  public static @Nullable Key<?> named(String name) {
    String wanted = canonical(name);
    for (Key<?> key : ALL) {
      if (canonical(key.name()).equals(wanted)) {
        return key;
      }
    }
    return null;
  }

  /** {@code deimos.page.traces-per-second} and {@code DEIMOS_PAGE_TRACES_PER_SECOND} alike. */
  static String canonical(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '.').replace('-', '.');
  }

  private static <T> Key<T> key(String name, ValueType<T> type, T otherwise, Key.When when) {
    Key<T> key = new Key<>(name, type, otherwise, when);
    DECLARED.add(key);
    return key;
  }

  private static ValueType<String> join() {
    return new ValueType<>("an address such as http://127.0.0.1:9797", Keys::page, false);
  }

  private static String page(ConfigValue value) {
    String text = String.valueOf(value.unwrapped());
    if (text.isEmpty()) {
      return text;
    }
    URI address = URI.create(text);
    String path = address.getRawPath();
    boolean isPlain = "http".equals(address.getScheme());
    if (!(isPlain || "https".equals(address.getScheme()))
        || address.getHost() == null
        || address.getPort() < 1
        || !(path == null || path.isEmpty() || path.equals("/"))) {
      throw new IllegalArgumentException();
    }
    if (isPlain
        && !address.getHost().equals("127.0.0.1")
        && !address.getHost().equals("localhost")) {
      throw new IllegalArgumentException(
          "a page on another machine is joined by https:// only, with a token; see"
              + " deimos.page.shared-token-file");
    }
    return text;
  }
}
