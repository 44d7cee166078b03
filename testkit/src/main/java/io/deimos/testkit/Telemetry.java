// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import io.deimos.recorder.TestTap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The traces and metrics of this process from {@link #record} to {@link #close}, and assertions on
 * them, which wait for what they assert. Works with any test framework: what does not hold is an
 * {@link AssertionError} that shows what there is instead.
 *
 * <p>Needs the agent in the JVM of the tests, with the test kit enabled: {@code
 * -javaagent:deimos.jar -Ddeimos.testkit.enabled=true}.
 *
 * <p>Tests that run at once in one JVM see each other's traces; let each have an actor system of
 * its own, and ask for {@link #ofSystem}. Safe for any thread.
 */
public final class Telemetry implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final double EXACT = 1e-9;
  private static final long PAUSE_MILLIS = 20;

  private final TestTap.Source agent;
  private final List<RecordedSpan> spans = new ArrayList<>();
  private final Runnable end;
  private final MetricSums before;
  private volatile Duration patience = PATIENCE;
  private volatile @Nullable String system;

  private Telemetry(TestTap.Source agent) {
    this.agent = agent;
    flush();
    this.before = MetricSums.of(agent.metrics());
    this.end = agent.listen(this::told);
  }

  /**
   * Begins to record.
   *
   * @throws IllegalStateException if the agent is not there, or was not told to let tests listen
   */
  public static Telemetry record() {
    return new Telemetry(Agent.source());
  }

  private void told(Map<String, Object> span) {
    synchronized (spans) {
      spans.add(RecordedSpan.of(span));
    }
  }

  /**
   * Sets how long assertions wait for what they assert.
   *
   * @param longest more than 0; 10 seconds by default
   * @return this
   */
  public Telemetry withPatience(Duration longest) {
    if (longest.isNegative() || longest.isZero()) {
      throw new IllegalArgumentException("patience " + longest + " is not more than 0");
    }
    patience = longest;
    return this;
  }

  /**
   * From now on only traces with a span of this actor system are seen; metrics need an attribute
   * {@code pekko.system} of their own.
   *
   * @return this
   */
  public Telemetry ofSystem(String name) {
    system = name;
    return this;
  }

  /** All traces so far, by their start; a trace has those of its spans that have ended. */
  public List<RecordedTrace> traces() {
    flush();
    Map<String, List<RecordedSpan>> byTrace = new LinkedHashMap<>();
    synchronized (spans) {
      for (RecordedSpan span : spans) {
        byTrace.computeIfAbsent(span.traceId(), id -> new ArrayList<>()).add(span);
      }
    }
    List<RecordedTrace> traces = new ArrayList<>();
    byTrace.forEach(
        (id, its) -> {
          its.sort(Comparator.comparingLong(RecordedSpan::startEpochNanos));
          RecordedTrace trace = new RecordedTrace(id, List.copyOf(its));
          if (isWanted(trace)) {
            traces.add(trace);
          }
        });
    traces.sort(Comparator.comparingLong(RecordedTrace::startEpochNanos));
    return traces;
  }

  private boolean isWanted(RecordedTrace trace) {
    String wanted = system;
    return wanted == null
        || trace.spans().stream().anyMatch(s -> wanted.equals(s.attribute("pekko.system")));
  }

  /**
   * Waits for a trace.
   *
   * @param what for the message if there is none
   * @throws AssertionError if there is none in time
   */
  public RecordedTrace awaitTrace(String what, Predicate<RecordedTrace> wanted) {
    List<RecordedTrace> found = new ArrayList<>();
    await(
        () -> {
          traces().stream().filter(wanted).findFirst().ifPresent(found::add);
          return !found.isEmpty();
        },
        () -> "there is no trace " + what + ", but\n" + shown());
    return found.get(0);
  }

  /** Waits for a trace with a span of this name, for instance {@code process Place}. */
  public RecordedTrace awaitTraceWith(String spanName) {
    return awaitTrace("with a span '" + spanName + "'", trace -> !trace.spans(spanName).isEmpty());
  }

  /**
   * Asserts that there is a trace of exactly these spans, and waits for it.
   *
   * @param tree the trace as {@link RecordedTrace#tree} writes it, indented as one likes
   * @return the trace, for more assertions
   * @throws AssertionError if there is none in time
   */
  public RecordedTrace assertTrace(String tree) {
    String wanted = tree.stripIndent().stripTrailing();
    return awaitTrace("\n" + wanted + "\n", trace -> trace.tree().stripTrailing().equals(wanted));
  }

  /**
   * Asserts that nothing has been traced so far. Messages under way are not waited for: do that
   * before, by an answer or a signal.
   *
   * @throws AssertionError if there is a trace
   */
  public void assertNoTraces() {
    if (!traces().isEmpty()) {
      throw new AssertionError("there should be no traces, but there are\n" + shown());
    }
  }

  /**
   * Asserts by how much a metric has grown since the recording began, and waits for that. A counter
   * or a histogram that has grown by more cannot come back, and fails at once.
   *
   * @param metric for instance {@code pekko.message.processed}; of a histogram how often something
   *     was measured counts
   * @param attributes those that the series must have; it may have others, and several are summed
   * @throws AssertionError if it has not grown by that in time
   */
  public void assertMetric(String metric, Map<String, ?> attributes, double expected) {
    await(
        () -> {
          MetricSums now = now();
          double grown = grown(now, metric, attributes);
          if (grown > expected + EXACT && now.onlyGrows(metric)) {
            throw new AssertionError(notGrown(now, metric, attributes, expected));
          }
          return Math.abs(grown - expected) < EXACT;
        },
        () -> notGrown(now(), metric, attributes, expected));
  }

  private String notGrown(
      MetricSums now, String metric, Map<String, ?> attributes, double expected) {
    return metric
        + new java.util.TreeMap<>(attributes)
        + " has grown by "
        + grown(now, metric, attributes)
        + ", not by "
        + expected
        + "; since the recording began:\n"
        + now.shown(metric, before);
  }

  /**
   * By how much a metric has grown since the recording began.
   *
   * @param attributes as for {@link #assertMetric}
   */
  public double metric(String metric, Map<String, ?> attributes) {
    return grown(now(), metric, attributes);
  }

  private double grown(MetricSums now, String metric, Map<String, ?> attributes) {
    MetricSums.Point since = now.since(before, metric, attributes);
    return since.count() != 0 ? since.count() : since.value();
  }

  private MetricSums now() {
    flush();
    return MetricSums.of(agent.metrics());
  }

  /**
   * The findings of the agent's check so far, of all that happened in this process, see
   * docs/check.md. Rules judge by how things went over time, and some need half a minute of it: the
   * end of a longer test is the place to ask.
   *
   * @throws IllegalStateException if {@code deimos.check.enabled} or {@code deimos.observer.memory}
   *     switches it off
   */
  public Check check() {
    flush();
    return new Check(
        ignored -> {
          List<Map<String, Object>> found = agent.findings(ignored);
          if (found == null) {
            throw new IllegalStateException(
                "nothing is checked in this JVM; leave deimos.check.enabled and"
                    + " deimos.observer.memory as they are by default");
          }
          return found;
        },
        List.of());
  }

  /** All traces as text, for messages. */
  public String shown() {
    List<RecordedTrace> all = traces();
    return all.isEmpty()
        ? "no traces"
        : all.stream().map(RecordedTrace::tree).collect(Collectors.joining("\n"));
  }

  private void flush() {
    try {
      if (!agent.flush(PATIENCE.toMillis())) {
        throw new IllegalStateException("the agent has not handed over its spans in " + PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the agent", e);
    }
  }

  private void await(BooleanSupplier condition, Supplier<String> message) {
    long since = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - since > patience.toNanos()) {
        throw new AssertionError(message.get());
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted; " + message.get(), e);
      }
    }
  }

  /** Ends the recording; what was recorded can still be asked for. */
  @Override
  public void close() {
    end.run();
  }

  /** Apart, so that without the agent a message can be given. */
  private static final class Agent {
    private static final String WAY_OUT =
        "; run the tests with -javaagent:deimos.jar -Ddeimos.testkit.enabled=true, in Maven as"
            + " argLine of the Surefire plugin";

    static TestTap.Source source() {
      TestTap.Source source;
      try {
        source = TestTap.source();
      } catch (NoClassDefFoundError e) {
        throw new IllegalStateException("there is no agent in this JVM" + WAY_OUT, e);
      }
      if (source == null) {
        throw new IllegalStateException("the agent in this JVM lets no test listen" + WAY_OUT);
      }
      return source;
    }
  }
}
