// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static io.deimos.recorder.names.Attribute.ACTOR_CLASS;
import static io.deimos.recorder.names.Attribute.ACTOR_GROUP;
import static io.deimos.recorder.names.Attribute.ASK_ACTOR_CLASS;
import static io.deimos.recorder.names.Attribute.CONTENT_FAILURE_REASON;
import static io.deimos.recorder.names.Attribute.CONTEXT_DROP_REASON;
import static io.deimos.recorder.names.Attribute.CUT_REASON;
import static io.deimos.recorder.names.Attribute.DIRECTION;
import static io.deimos.recorder.names.Attribute.ERROR_TYPE;
import static io.deimos.recorder.names.Attribute.FLUSH_REASON;
import static io.deimos.recorder.names.Attribute.MEMORY_PURPOSE;
import static io.deimos.recorder.names.Attribute.MESSAGE_CLASS;
import static io.deimos.recorder.names.Attribute.METRIC_FAMILY;
import static io.deimos.recorder.names.Attribute.PERSISTENCE_OPERATION;
import static io.deimos.recorder.names.Attribute.REFUSAL_REASON;
import static io.deimos.recorder.names.Attribute.REMOTE_PEER;
import static io.deimos.recorder.names.Attribute.REMOTE_STREAM;
import static io.deimos.recorder.names.Attribute.SPAN_DROP_REASON;
import static io.deimos.recorder.names.Attribute.SYSTEM;
import static io.deimos.recorder.names.Attribute.TAIL_DROP_REASON;
import static io.deimos.recorder.names.Attribute.TAIL_KEEP_REASON;
import static io.deimos.recorder.names.Attribute.TAIL_OTHER_DROP_REASON;

import io.deimos.agent.span.Names;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.names.Attribute;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleGaugeBuilder;
import io.opentelemetry.api.metrics.LongCounterBuilder;
import io.opentelemetry.api.metrics.LongUpDownCounterBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A metric that is no {@link Metric}: its name, unit, kind, and the attributes it may have. */
@SuppressWarnings("ImmutableEnumChecker") // the list is
enum Instrument {
  PROCESSED(
      Kind.COUNTER,
      "pekko.message.processed",
      "{message}",
      "Messages processed",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP,
      MESSAGE_CLASS),
  PROCESSING(
      Kind.HISTOGRAM,
      "pekko.message.process.duration",
      "s",
      "Time to process a message",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP,
      MESSAGE_CLASS),
  WAITING(
      Kind.HISTOGRAM,
      "pekko.mailbox.wait.duration",
      "s",
      "Time of a message in the mailbox",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP,
      MESSAGE_CLASS),
  STUCK(
      Kind.COUNTER,
      "pekko.message.stuck",
      "{message}",
      "Messages found in processing for longer than the threshold, and again each time that has doubled"),
  ACTORS(
      Kind.UP_DOWN,
      "pekko.actor.count",
      "{actor}",
      "Actors alive",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP),
  STARTED(
      Kind.COUNTER,
      "pekko.actor.started",
      "{actor}",
      "Actors started",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP),
  STOPPED(
      Kind.COUNTER,
      "pekko.actor.stopped",
      "{actor}",
      "Actors stopped",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP),
  RESTARTED(
      Kind.COUNTER,
      "pekko.actor.restarted",
      "{restart}",
      "Restarts after a failure",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP),
  FAILED(
      Kind.COUNTER,
      "pekko.actor.failed",
      "{failure}",
      "Failures by exception",
      SYSTEM,
      ACTOR_CLASS,
      ACTOR_GROUP,
      ERROR_TYPE),
  ASKING(
      Kind.HISTOGRAM,
      "pekko.ask.duration",
      "s",
      "Time from an ask to its reply",
      ASK_ACTOR_CLASS,
      MESSAGE_CLASS),
  ASK_TIMEOUTS(
      Kind.COUNTER,
      "pekko.ask.timed_out",
      "{ask}",
      "Asks that timed out",
      ASK_ACTOR_CLASS,
      MESSAGE_CLASS),
  PERSISTENCE(
      Kind.HISTOGRAM,
      "pekko.persistence.operation.duration",
      "s",
      "Time to write events or to recover",
      SYSTEM,
      ACTOR_CLASS,
      PERSISTENCE_OPERATION,
      ERROR_TYPE),

  REMOTE_MESSAGES(
      Kind.COUNTER,
      "deimos.remote.message.transferred",
      "{message}",
      "Messages sent and received",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_IO(
      Kind.COUNTER,
      "deimos.remote.io",
      "By",
      "Bytes sent and received, with frame lengths",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_DROPPED(
      Kind.COUNTER,
      "deimos.remote.message.dropped",
      "{message}",
      "Messages lost to full queues, errors and broken connections",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_CONNECTIONS(
      Kind.UP_DOWN,
      "deimos.remote.connection.count",
      "{connection}",
      "Streams connected",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_RECONNECTS(
      Kind.COUNTER,
      "deimos.remote.connection.restored",
      "{connection}",
      "Connections made after the first",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_BACKLOG(
      Kind.UP_DOWN,
      "deimos.remote.backlog.size",
      "By",
      "Bytes received and not yet decoded",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_FLUSHES(
      Kind.COUNTER,
      "deimos.remote.batch.flushed",
      "{batch}",
      "Batches written at once, by reason, or read at once",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION,
      FLUSH_REASON),
  REMOTE_BATCH_LENGTH(
      Kind.HISTOGRAM,
      "deimos.remote.batch.length",
      "{message}",
      "Messages in a batch that was written",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_BATCH_SIZE(
      Kind.HISTOGRAM,
      "deimos.remote.batch.size",
      "By",
      "Bytes of a batch that was written, with frame lengths",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_FLUSH_DURATION(
      Kind.HISTOGRAM,
      "deimos.remote.flush.duration",
      "s",
      "Time from handing a batch to the socket to its being written",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_FLUSH_TIME(
      Kind.TIME_COUNTER,
      "deimos.remote.flush.time",
      "s",
      "From handing batches to the socket to their end",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_CODEC_TIME(
      Kind.TIME_COUNTER,
      "deimos.remote.serialization.time",
      "s",
      "Time to serialise, or to deserialise",
      SYSTEM,
      REMOTE_PEER,
      REMOTE_STREAM,
      DIRECTION),
  REMOTE_REFUSED(
      Kind.COUNTER,
      "deimos.remote.peer.refused",
      "{refusal}",
      "Connections closed and messages dropped because the peer is not trusted",
      SYSTEM,
      REFUSAL_REASON),
  REMOTE_CONTEXTS(
      Kind.COUNTER,
      "deimos.remote.context.dropped",
      "{context}",
      "Trace contexts, or parts of them, lost between nodes, by reason",
      CONTEXT_DROP_REASON),

  SPANS_RECORDED(Kind.COUNTER, "deimos.span.recorded", "{span}", "Spans recorded"),
  SPANS_EXPORTED(Kind.COUNTER, "deimos.span.exported", "{span}", "Spans exported or stored"),
  SPANS_DROPPED(
      Kind.COUNTER, "deimos.span.dropped", "{span}", "Spans lost, by reason", SPAN_DROP_REASON),
  TRACES_CUT(
      Kind.COUNTER,
      "deimos.trace.cut",
      "{trace}",
      "Traces that the guard ended, by reason",
      CUT_REASON),
  TRACES_THINNED(
      Kind.COUNTER,
      "deimos.trace.thinned",
      "{trace}",
      "Traces not begun because a ring was more than half full"),
  TAIL_KEPT(
      Kind.COUNTER,
      "deimos.tail.span.kept",
      "{span}",
      "Spans of traces that tail sampling kept, by reason",
      TAIL_KEEP_REASON),
  TAIL_DROPPED(
      Kind.COUNTER,
      "deimos.tail.span.dropped",
      "{span}",
      "Spans of traces that tail sampling dropped, by reason",
      TAIL_DROP_REASON),
  TAIL_OTHERS_KEPT(
      Kind.COUNTER,
      "deimos.tail.other_span.kept",
      "{span}",
      "Spans of other instrumentations in traces that tail sampling kept"),
  TAIL_OTHERS_DROPPED(
      Kind.COUNTER,
      "deimos.tail.other_span.dropped",
      "{span}",
      "Spans of other instrumentations in traces that tail sampling dropped, by reason",
      TAIL_OTHER_DROP_REASON),
  TAIL_HELD(
      Kind.UP_DOWN,
      "deimos.tail.span.held.count",
      "{span}",
      "Spans that wait for tail sampling to decide, or for the exporter"),
  CONTENT_FAILED(
      Kind.COUNTER,
      "deimos.content.failed",
      "{message}",
      "Messages whose content could not be rendered, by what failed",
      CONTENT_FAILURE_REASON),
  SERIES_FOLDED(
      Kind.UP_DOWN,
      "deimos.metric.series.folded.count",
      "{series}",
      "Series counted under 'other' now",
      METRIC_FAMILY),
  UNSCRAPED(
      Kind.UP_DOWN,
      "deimos.metric.unscraped.count",
      "{metric}",
      "Metrics that the last answer of /metrics had no room for"),
  CLASSES_FOLDED(
      Kind.COUNTER,
      "deimos.message.class.folded",
      "{class}",
      "Message classes counted under 'other'"),
  UNCOUNTED(
      Kind.COUNTER,
      "deimos.message.uncounted",
      "{message}",
      "Messages whose record came too late to count"),
  UNRULED(
      Kind.COUNTER,
      "deimos.actor.unruled",
      "{actor}",
      "Actors recorded by their class's rules because there is no room for their own"),
  MEMORY(
      Kind.UP_DOWN,
      "deimos.memory.usage",
      "By",
      "Heap that the agent uses for its data, by purpose",
      MEMORY_PURPOSE),
  CLOCK_ERROR(
      Kind.TIME_GAUGE,
      "deimos.clock.error",
      "s",
      "Distance of the fast clock from nanoTime at the last comparison"),
  HOOKS_MISSING(
      Kind.UP_DOWN, "deimos.hook.missing.count", "{hook}", "Hooks that do not fire on this Pekko");

  /** The values of an attribute, and how they are made up. */
  enum Kind {
    COUNTER("counter"),
    TIME_COUNTER("counter"),
    UP_DOWN("up-down counter"),
    TIME_GAUGE("gauge"),
    HISTOGRAM("histogram");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As the documentation says it. */
    String word() {
      return word;
    }
  }

  private final Kind kind;
  private final String id;
  private final String unit;
  private final String description;
  private final List<Attribute> attributes;

  Instrument(Kind kind, String id, String unit, String description, Attribute... attributes) {
    this.kind = kind;
    this.id = id;
    this.unit = unit;
    this.description = description;
    this.attributes = List.of(attributes);
  }

  Kind kind() {
    return kind;
  }

  String id() {
    return id;
  }

  String unit() {
    return unit;
  }

  String description() {
    return description;
  }

  List<Attribute> attributes() {
    return attributes;
  }

  /** The value of its only attribute. */
  Attributes of(String value) {
    if (attributes.size() != 1) {
      throw new IllegalStateException(id);
    }
    return Attributes.of(Names.text(attributes.get(0)), value);
  }

  /** Its instrument, for values that are whole. */
  ObservableLongMeasurement whole(Meter meter) {
    return switch (kind) {
      case COUNTER -> counter(meter, id, unit, description).buildObserver();
      case UP_DOWN -> upDownCounter(meter, id, unit, description).buildObserver();
      case TIME_COUNTER, TIME_GAUGE, HISTOGRAM -> throw new IllegalStateException(id);
    };
  }

  /** Has whole values of it told whenever the meter's provider collects. */
  @SuppressWarnings("resource") // observed as long as the process runs
  void observed(Meter meter, Consumer<ObservableLongMeasurement> by) {
    ObservableLongMeasurement to = whole(meter);
    meter.batchCallback(() -> by.accept(to), to);
  }

  /** Its instrument, for values in seconds. */
  ObservableDoubleMeasurement seconds(Meter meter) {
    return switch (kind) {
      case TIME_COUNTER -> counter(meter, id, unit, description).ofDoubles().buildObserver();
      case TIME_GAUGE -> gauge(meter, id, unit, description).buildObserver();
      case COUNTER, UP_DOWN, HISTOGRAM -> throw new IllegalStateException(id);
    };
  }

  /** The instrument of a metric of the recorder; null for one that is told elsewhere. */
  static @Nullable ObservableLongMeasurement of(Metric metric, Meter meter) {
    String id = metric.id();
    String unit = metric.unit();
    String description = metric.description();
    return switch (metric.kind()) {
      case COUNTER -> counter(meter, id, unit, description).buildObserver();
      case GAUGE -> gauge(meter, id, unit, description).ofLongs().buildObserver();
      case UP_DOWN -> upDownCounter(meter, id, unit, description).buildObserver();
      case DECIMAL, HISTOGRAM -> null;
    };
  }

  /** The instrument of a metric of the recorder with decimals. */
  static ObservableDoubleMeasurement decimals(Metric metric, Meter meter) {
    return gauge(meter, metric.id(), metric.unit(), metric.description()).buildObserver();
  }

  private static LongCounterBuilder counter(
      Meter meter, String id, String unit, String description) {
    return meter.counterBuilder(id).setUnit(unit).setDescription(description);
  }

  private static LongUpDownCounterBuilder upDownCounter(
      Meter meter, String id, String unit, String description) {
    return meter.upDownCounterBuilder(id).setUnit(unit).setDescription(description);
  }

  private static DoubleGaugeBuilder gauge(Meter meter, String id, String unit, String description) {
    return meter.gaugeBuilder(id).setUnit(unit).setDescription(description);
  }
}
