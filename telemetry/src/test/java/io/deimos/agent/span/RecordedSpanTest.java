// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.control.ExceptionSignal;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Projected;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedSpanTest {
  private final List<RecordedSpan> spans = new ArrayList<>();
  private final Records records =
      new Records(view -> spans.add(new RecordedSpan(view, Resource.empty())));
  private final ActorTelemetry cart = Records.actor("pekko://shop/user/cart-7", "shop.Cart");
  private final ActorTelemetry desk = Records.actor("pekko://shop/user/desk", "shop.Desk");
  private final long now = Clock.now();

  private RecordedSpan processed(@Nullable Rare rare) {
    records.processed(1, 2, 3, 4, now, now + 1_500, 2_500, cart, desk, rare);
    return spans.get(0);
  }

  @Test
  void span_ofATraceThatCameWithAState_hasThatState() {
    SpanContext came =
        SpanContext.createFromRemoteParent(
            "00000000000000010000000000000002",
            "0000000000000004",
            TraceFlags.getSampled(),
            TraceState.builder().put("vendor", "1").build());
    Context context = Context.root().with(Span.wrap(came));
    RecordedSpan span =
        processed(new Rare(null, null, null, null, null, false, List.of(), null, null, 0, context));
    assertThat(span.getSpanContext().getTraceState()).isEqualTo(came.getTraceState());
  }

  @Test
  void span_ofAMessage_hasNamesAndIds() {
    RecordedSpan span = processed(null);
    assertThat(span.getName()).isEqualTo("process Place");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getSpanContext().getTraceId()).isEqualTo("00000000000000010000000000000002");
    assertThat(span.getSpanContext().getSpanId()).isEqualTo("0000000000000003");
    assertThat(span.getParentSpanContext().getSpanId()).isEqualTo("0000000000000004");
    assertThat(span.getSpanContext().getTraceState().isEmpty()).isTrue();
    assertThat(span.getStatus()).isEqualTo(StatusData.unset());
    assertThat(span.getAttributes().asMap())
        .containsEntry(RecordAttributes.MESSAGING_SYSTEM, "pekko")
        .containsEntry(RecordAttributes.OPERATION_NAME, "process")
        .containsEntry(RecordAttributes.OPERATION_TYPE, "process")
        .containsEntry(RecordAttributes.DESTINATION_TEMPLATE, "/user/cart-*")
        .containsEntry(RecordAttributes.SYSTEM, "shop")
        .containsEntry(RecordAttributes.ACTOR_PATH, "pekko://shop/user/cart-7")
        .containsEntry(RecordAttributes.ACTOR_CLASS, "shop.Cart")
        .containsEntry(RecordAttributes.MESSAGE_CLASS, "shop.Orders$Place")
        .containsEntry(RecordAttributes.SENDER_PATH, "pekko://shop/user/desk")
        .containsEntry(RecordAttributes.MAILBOX_WAIT, 1.5e-6)
        .hasSize(10);
  }

  @Test
  void span_ofAMessage_hasTheWallTimesOfItsReadings() {
    RecordedSpan span = processed(null);
    assertThat(span.getStartEpochNanos()).isEqualTo(Clock.epochNanos(now));
    assertThat(span.getEndEpochNanos()).isEqualTo(Clock.epochNanos(now) + 4_000);
    assertThat(span.getEvents())
        .extracting(EventData::getName)
        .containsExactly("waiting", "message");
    assertThat(span.getEvents())
        .extracting(EventData::getEpochNanos)
        .containsExactly(Clock.epochNanos(now), Clock.epochNanos(now) + 1_500);
    assertThat(span.getTotalRecordedEvents()).isEqualTo(2);
  }

  @Test
  void span_ofAFailure_saysWhatHappened() {
    RecordedSpan span =
        processed(new Rare(new IllegalStateException("no stock"), null, null, null));
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getStatus().getDescription()).isEqualTo("no stock");
    assertThat(span.getAttributes().get(RecordAttributes.ERROR_TYPE))
        .isEqualTo("java.lang.IllegalStateException");
    EventData exception = span.getEvents().get(2);
    assertThat(exception.getName()).isEqualTo("exception");
    assertThat(exception.getAttributes().get(AttributeKey.stringKey("exception.stacktrace")))
        .contains("no stock", "RecordedSpanTest");
    assertThat(span.eventsWithoutStackTrace().get(2).getAttributes().asMap())
        .hasSize(2)
        .containsEntry(AttributeKey.stringKey("exception.message"), "no stock");
  }

  /** {@code OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN}; the page has no log records. */
  @ParameterizedTest
  @CsvSource({"'', true, true", "logs, true, false", "logs/dup, true, true", "logs, false, true"})
  void span_ofAFailure_hasTheExceptionUnlessThatIsALogRecordOnly(
      String optIn, boolean recordsAreOn, boolean onSpan) {
    RecordedSpan span =
        processed(new Rare(new IllegalStateException("no stock"), null, null, null));
    try {
      ExceptionSignal.ask(optIn, "key", problem -> Assertions.fail(problem));
      ExceptionSignal.recordsAre(recordsAreOn);
      assertThat(span.getEvents()).hasSize(onSpan ? 3 : 2);
      assertThat(span.getTotalRecordedEvents()).isEqualTo(span.getEvents().size());
      assertThat(span.eventsWithoutStackTrace()).hasSize(3);
      assertThat(ExceptionSignal.isInRecords()).isEqualTo(recordsAreOn && !optIn.isEmpty());
    } finally {
      ExceptionSignal.ask("", "key", problem -> {});
      ExceptionSignal.recordsAre(false);
    }
  }

  @Test
  void exceptionSignal_ofNoKnownValue_isNamedAndIgnored() {
    List<String> problems = new ArrayList<>();
    ExceptionSignal.ask("log", "otel.semconv.exception.signal.opt-in", problems::add);
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("otel.semconv.exception.signal.opt-in=log is not logs or logs/dup");
    assertThat(ExceptionSignal.isInRecords()).isFalse();
  }

  @Test
  void span_ofAnExceptionThatCannotBePrinted_isMadeAllTheSame() {
    RuntimeException unprintable =
        new RuntimeException() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new IllegalStateException("no message");
          }
        };
    RecordedSpan span = processed(new Rare(unprintable, null, null, null));
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getEvents()).hasSize(3);
  }

  @Test
  void span_withASenderWithoutACell_namesItsPath() {
    Object ref = "Actor[pekko://other@10.0.0.1:25520/user/far#123]";
    RecordedSpan span = processed(new Rare(null, null, ref, null));
    // A known sender wins; this one has none of the kind.
    assertThat(span.getAttributes().get(RecordAttributes.SENDER_PATH))
        .isEqualTo("pekko://shop/user/desk");
    records.processed(1, 2, 3, 4, now, now, 1, cart, null, new Rare(null, null, ref, null));
    assertThat(spans.get(1).getAttributes().get(RecordAttributes.SENDER_PATH))
        .isEqualTo("pekko://other@10.0.0.1:25520/user/far");
  }

  @Test
  void span_ofAnAsk_isAClientSpan() {
    records.asked(1, 2, 3, 0, new TimeoutException("after 3 s"));
    RecordedSpan span = spans.get(0);
    assertThat(span.getName()).isEqualTo("ask Get");
    assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getAttributes().asMap())
        .containsEntry(RecordAttributes.ACTOR_PATH, "pekko://shop/user/carts/cart-7")
        .containsEntry(RecordAttributes.DESTINATION_TEMPLATE, "/user/carts/cart-*")
        .containsEntry(RecordAttributes.ERROR_TYPE, "timeout")
        .doesNotContainKey(RecordAttributes.MAILBOX_WAIT);
  }

  @Test
  void light_ofAnAsk_saysTheSameWithoutItsReferences() {
    List<RecordedSpan> light = new ArrayList<>();
    new Records(view -> light.add(RecordedSpan.light(view))).asked(1, 2, 3, 4, null);
    records.asked(1, 2, 3, 4, null);
    assertThat(light.get(0).rare()).isNull();
    assertThat(light.get(0).getName()).isEqualTo("ask Get");
    assertThat(light.get(0).getAttributes()).isEqualTo(spans.get(0).getAttributes());
    assertThat(light.get(0).getAttributes().get(RecordAttributes.ACTOR_PATH))
        .isEqualTo("pekko://shop/user/carts/cart-7");
  }

  @Test
  void light_ofAStashedMessageAfterATick_saysTheSameWithoutItsSendersReference() {
    Object ref = "Actor[pekko://other@10.0.0.1:25520/user/far#123]";
    Link link = new Link(5, 6, 7, Link.TICK);
    Rare rare = new Rare(null, null, ref, null, link, true, List.of(), null, null, 9_000, null);
    List<RecordedSpan> light = new ArrayList<>();
    new Records(view -> light.add(RecordedSpan.light(view)))
        .processed(1, 2, 3, 4, now, now + 1_500, 2_500, cart, null, rare);
    records.processed(1, 2, 3, 4, now, now + 1_500, 2_500, cart, null, rare);
    Rare beside = Objects.requireNonNull(light.get(0).rare());
    assertThat(beside.senderRef()).isNull();
    assertThat(light.get(0).getAttributes()).isEqualTo(spans.get(0).getAttributes());
    assertThat(light.get(0).getLinks()).isEqualTo(spans.get(0).getLinks()).hasSize(1);
    assertThat(light.get(0).getEvents()).isEqualTo(spans.get(0).getEvents());
    assertThat(light.get(0).getAttributes().asMap())
        .containsEntry(RecordAttributes.SENDER_PATH, "pekko://other@10.0.0.1:25520/user/far")
        .containsKeys(RecordAttributes.STASH_WAIT, RecordAttributes.BUFFER_WAIT);
  }

  @Test
  void light_ofAWriteOfEvents_saysTheSameWithoutItsTrace() {
    Trace trace = new Trace(1, 2, true, Context.root());
    Operation operation = new Operation(Operation.Kind.PERSIST, cart, trace, null, 4, 3, now);
    operation.events(2);
    operation.persistenceId("cart|7");
    Rare rare = new Rare(null, null, null, null, null, false, List.of(), operation);
    List<RecordedSpan> light = new ArrayList<>();
    new Records(view -> light.add(RecordedSpan.light(view)))
        .processed(1, 2, 3, 4, now, now, 2_500, cart, null, rare);
    records.processed(1, 2, 3, 4, now, now, 2_500, cart, null, rare);
    Operation kept = Objects.requireNonNull(light.get(0).operation());
    assertThat(kept.trace()).isSameAs(Trace.UNSAMPLED);
    assertThat(light.get(0).getName()).isEqualTo("persist Cart");
    assertThat(light.get(0).getAttributes()).isEqualTo(spans.get(0).getAttributes());
    assertThat(light.get(0).getAttributes().asMap())
        .containsEntry(RecordAttributes.PERSISTENCE_ID, "cart|7")
        .containsEntry(RecordAttributes.PERSISTENCE_EVENTS, 2L);
  }

  @Test
  void span_ofAProjectionsGroup_saysWhichAndHasTheLinksOfAll() {
    Link first = new Link(5, 6, 7, Link.PROJECTION);
    Operation operation =
        new Operation(
            Operation.Kind.PROJECT,
            Actors.unnumbered("projection carts-0", ActorKind.other("shop")),
            new Trace(1, 2, true, Context.root()),
            first,
            0,
            3,
            now);
    operation.projected(new Projected("carts", "0", "shop.Added"));
    operation.events(3);
    for (int i = 0; i < 5; i++) {
      operation.linked(new Link(5, 6, 8 + i, Link.PROJECTION), 2);
    }
    Rare rare = new Rare(null, null, null, null, first, false, List.of(), operation);
    List<RecordedSpan> light = new ArrayList<>();
    new Records(view -> light.add(RecordedSpan.light(view)))
        .processed(1, 2, 3, 0, now, now, 2_500, null, null, rare);
    records.processed(1, 2, 3, 0, now, now, 2_500, null, null, rare);
    RecordedSpan span = spans.get(0);
    assertThat(span.getName()).isEqualTo("project carts");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getAttributes().asMap())
        .containsEntry(RecordAttributes.SYSTEM, "shop")
        .containsEntry(RecordAttributes.OPERATION_NAME, "project")
        .containsEntry(RecordAttributes.PROJECTION_NAME, "carts")
        .containsEntry(RecordAttributes.PROJECTION_KEY, "0")
        .containsEntry(RecordAttributes.MESSAGE_CLASS, "shop.Added")
        .containsEntry(RecordAttributes.BATCH_COUNT, 3L)
        .doesNotContainKeys(RecordAttributes.ACTOR_PATH, RecordAttributes.ACTOR_CLASS);
    assertThat(span.getLinks()).hasSize(3);
    assertThat(span.getEvents()).isEmpty();
    assertThat(light.get(0).getAttributes()).isEqualTo(span.getAttributes());
    assertThat(light.get(0).getLinks()).isEqualTo(span.getLinks());
    assertThat(light.get(0).getName()).isEqualTo(span.getName());
  }

  @Test
  void isLight_whatHoldsMoreThanNumbersAndPaths_isNot() {
    Incident incident = new Incident(EventName.DEAD_LETTER, now, Map.of(), "", 1, 2, 3);
    assertThat(RecordedSpan.isLight(null)).isTrue();
    assertThat(RecordedSpan.isLight(new Rare(null, null, "a sender", null))).isTrue();
    assertThat(RecordedSpan.isLight(new Rare(new Exception(), null, null, null))).isFalse();
    assertThat(RecordedSpan.isLight(new Rare(null, "edits", null, null))).isFalse();
    assertThat(RecordedSpan.isLight(Rare.with(null, incident))).isFalse();
    Rare stated =
        new Rare(null, null, null, null, null, false, List.of(), null, null, 0, Context.root());
    assertThat(RecordedSpan.isLight(stated)).isFalse();
  }

  @Test
  void span_withTheUsersEdits_showsThem() {
    EventData event = EventData.create(Clock.epochNanos(now) + 500, "seen", Attributes.empty());
    UserEdits edits =
        new UserEdits() {
          @Override
          public String name() {
            return "sell";
          }

          @Override
          public Attributes attributes() {
            return Attributes.of(AttributeKey.stringKey("order"), "o-1");
          }

          @Override
          public List<EventData> events() {
            return List.of(event);
          }

          @Override
          public List<LinkData> links() {
            return List.of();
          }

          @Override
          public StatusData status() {
            return StatusData.ok();
          }
        };
    RecordedSpan span = processed(new Rare(null, edits, null, null));
    assertThat(span.getName()).isEqualTo("sell");
    assertThat(span.getStatus()).isEqualTo(StatusData.ok());
    assertThat(span.getAttributes().get(AttributeKey.stringKey("order"))).isEqualTo("o-1");
    assertThat(span.getEvents())
        .extracting(EventData::getName)
        .containsExactly("waiting", "seen", "message");
  }

  @Test
  void plainSpan_ofARecord_saysTheSame() {
    RecordedSpan span = processed(new Rare(new IllegalStateException("x"), null, null, null));
    SpanData plain = PlainSpan.of(span);
    assertThat(plain.getName()).isEqualTo(span.getName());
    assertThat(plain.getKind()).isEqualTo(span.getKind());
    assertThat(plain.getSpanContext()).isEqualTo(span.getSpanContext());
    assertThat(plain.getParentSpanContext()).isEqualTo(span.getParentSpanContext());
    assertThat(plain.getStatus()).isEqualTo(span.getStatus());
    assertThat(plain.getStartEpochNanos()).isEqualTo(span.getStartEpochNanos());
    assertThat(plain.getEndEpochNanos()).isEqualTo(span.getEndEpochNanos());
    assertThat(plain.getAttributes()).isEqualTo(span.getAttributes());
    assertThat(plain.getEvents()).isEqualTo(span.getEvents());
    assertThat(plain.getTotalRecordedEvents()).isEqualTo(3);
  }
}
