// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.context.Messages.Envelope;
import io.deimos.agent.span.UserEdits;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.Sampling;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.trace.Trace;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The bridge and the storage together, under the recorder's own hooks. */
@SuppressWarnings("MustBeClosedChecker") // scopes are closed late, or never, on purpose
class ContextTest {
  private static final OtelBridge BRIDGE = new OtelBridge();
  private static final ContextKey<String> BAGGAGE = ContextKey.named("baggage");
  private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN_ID = "b7ad6b7169203331";

  private static final ContextStorage STORAGE = BRIDGE.wrap(ContextStorage.defaultStorage());

  @BeforeAll
  static void configure() {
    Recorder.configure(RecorderConfig.DEFAULT, BRIDGE);
  }

  @AfterEach
  void nothingIsLeft() {
    Recorder.sampleBy(new Sampling(Sampling.ALWAYS, 0));
    BRIDGE.configured(Sampler.alwaysOn(), SpanLimits.getDefault());
    assertThat(current()).isSameAs(Context.root());
  }

  private static Context current() {
    Context current = STORAGE.current();
    return current == null ? Context.root() : current;
  }

  private static SpanContext currentSpan() {
    return Span.fromContext(current()).getSpanContext();
  }

  private static Context remote(TraceFlags flags) {
    TraceState state = TraceState.builder().put("vendor", "1").build();
    SpanContext parent = SpanContext.createFromRemoteParent(TRACE_ID, SPAN_ID, flags, state);
    return Context.root().with(Span.wrap(parent)).with(BAGGAGE, "b");
  }

  @Test
  void current_threadWithoutScopes_hasNoState() throws Exception {
    AtomicReference<@Nullable ThreadState> state = new AtomicReference<>();
    AtomicReference<@Nullable Context> seen = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              seen.set(STORAGE.current());
              state.set(ThreadState.current());
            });
    thread.start();
    thread.join();
    assertThat(state.get()).isNull();
    assertThat(seen.get()).isNull();
  }

  @Test
  void attach_nestedScopes_areRestoredExactly() {
    Context first = Context.root().with(BAGGAGE, "1");
    Context second = first.with(BAGGAGE, "2");
    Scope outer = STORAGE.attach(first);
    Scope inner = STORAGE.attach(second);
    assertThat(current()).isSameAs(second);
    inner.close();
    assertThat(current()).isSameAs(first);
    outer.close();
    assertThat(current()).isSameAs(Context.root());
  }

  @Test
  void close_outOfOrder_isIgnoredUntilItsTurn() {
    Context first = Context.root().with(BAGGAGE, "1");
    Context second = Context.root().with(BAGGAGE, "2");
    Scope outer = STORAGE.attach(first);
    Scope inner = STORAGE.attach(second);
    outer.close();
    assertThat(current()).isSameAs(second);
    inner.close();
    assertThat(current()).isSameAs(first);
    outer.close();
    inner.close();
    assertThat(current()).isSameAs(Context.root());
  }

  @Test
  void attach_whatIsCurrent_changesNothing() {
    Context first = Context.root().with(BAGGAGE, "1");
    try (Scope outer = STORAGE.attach(first)) {
      STORAGE.attach(first).close();
      assertThat(current()).isSameAs(first);
      assertThat(outer).isNotNull();
    }
  }

  @Test
  void current_inAnActor_isTheMessagesSpan() {
    Messages.process(
        Messages.sent(),
        () -> {
          Context context = current();
          assertThat(current()).isSameAs(context);
          SpanContext span = currentSpan();
          assertThat(span.isValid()).isTrue();
          assertThat(span.getTraceFlags().asByte()).isEqualTo((byte) 0x03);
          assertThat(Span.fromContext(context).isRecording()).isTrue();
        });
    assertThat(current()).isSameAs(Context.root());
  }

  @Test
  void current_messageSentFromARemoteTrace_isItsChild() {
    Envelope envelope;
    try (Scope scope = STORAGE.attach(remote(TraceFlags.getSampled()))) {
      envelope = Messages.sent();
      assertThat(scope).isNotNull();
    }
    Messages.process(
        envelope,
        () -> {
          SpanContext span = currentSpan();
          assertThat(span.getTraceId()).isEqualTo(TRACE_ID);
          assertThat(span.getSpanId()).isNotEqualTo(SPAN_ID);
          assertThat(span.getTraceFlags()).isEqualTo(TraceFlags.getSampled());
          assertThat(span.getTraceState().get("vendor")).isEqualTo("1");
          assertThat(current().get(BAGGAGE)).isEqualTo("b");
        });
    assertThat(Long.toHexString(envelope.deimos$parent())).isEqualTo(SPAN_ID);
    Trace trace = Objects.requireNonNull(envelope.deimos$trace());
    assertThat(trace.stated()).as("for its spans").isEqualTo(trace.baseContext()).isNotNull();
  }

  @Test
  void current_unsampledRemoteTrace_isTheGivenContextItself() {
    Context remote = remote(TraceFlags.getDefault());
    Envelope envelope;
    try (Scope scope = STORAGE.attach(remote)) {
      envelope = Messages.sent();
      assertThat(scope).isNotNull();
    }
    Messages.process(envelope, () -> assertThat(current()).isSameAs(remote));
  }

  @Test
  void current_unsampledTraceOfAnotherSpan_isPropagatedNotRecorded() {
    Trace trace = new Trace(1, 2, false, null);
    Messages.process(
        Messages.of(trace, 3),
        () -> {
          SpanContext span = currentSpan();
          assertThat(span.getTraceId()).isEqualTo("00000000000000010000000000000002");
          assertThat(span.getSpanId()).isEqualTo("0000000000000003");
          assertThat(span.isSampled()).isFalse();
          assertThat(Span.fromContext(current()).isRecording()).isFalse();
        });
  }

  @Test
  void current_manyCallbacksOfOneTrace_isTheSameContext() {
    Envelope envelope;
    try (Scope scope = STORAGE.attach(remote(TraceFlags.getSampled()))) {
      envelope = Messages.sent();
      assertThat(scope).isNotNull();
    }
    Trace trace = Objects.requireNonNull(envelope.deimos$trace());
    Context first = null;
    for (int i = 0; i < 3; i++) {
      Frame frame = ThreadState.currentOrNew().enter(trace, envelope.deimos$parent());
      first = first == null ? current() : first;
      assertThat(current()).isSameAs(first);
      assertThat(current().get(BAGGAGE)).isEqualTo("b");
      assertThat(Messages.sent().deimos$trace()).as("what it hands on").isSameAs(trace);
      ContextHooks.ran(frame);
    }
    try (Scope scope = STORAGE.attach(first)) {
      assertThat(Messages.sent().deimos$trace()).as("by way of the user").isSameAs(trace);
      assertThat(scope).isNotNull();
    }
  }

  @Test
  void send_inTheContextOfAStashedMessage_isNotStashed() {
    Envelope envelope;
    try (Scope scope = STORAGE.attach(remote(TraceFlags.getSampled()))) {
      envelope = Messages.sent();
      assertThat(scope).isNotNull();
    }
    Trace stashed = Objects.requireNonNull(envelope.deimos$trace()).stashedAt(1);
    Frame frame = ThreadState.currentOrNew().enter(stashed, envelope.deimos$parent());
    Context context = current();
    ContextHooks.ran(frame);
    try (Scope scope = STORAGE.attach(context)) {
      assertThat(Objects.requireNonNull(Messages.sent().deimos$trace()).isMarked()).isFalse();
      assertThat(scope).isNotNull();
    }
  }

  @Test
  void current_traceNotSampledHere_hasAnIdentityOfItsOwn() {
    Recorder.sampleBy(new Sampling(Sampling.NEVER, 0));
    Messages.process(
        Messages.of(null, 0),
        () -> {
          SpanContext span = currentSpan();
          assertThat(span.isValid()).isTrue();
          assertThat(span.getTraceFlags()).isEqualTo(TraceFlags.getDefault());
          assertThat(span.getTraceId()).isNotEqualTo("ffffffffffffffffffffffffffffffff");
        });
  }

  @Test
  void send_withBaggageAlone_handsTheBaggageOnAndBeginsATrace() {
    Envelope envelope;
    try (Scope scope = STORAGE.attach(Context.root().with(BAGGAGE, "b"))) {
      envelope = Messages.sent();
      assertThat(scope).isNotNull();
    }
    assertThat(Objects.requireNonNull(envelope.deimos$trace()).hasBegun()).isFalse();
    Messages.process(
        envelope,
        () -> {
          assertThat(current().get(BAGGAGE)).isEqualTo("b");
          assertThat(currentSpan().isValid()).isTrue();
        });
  }

  @Test
  void send_rootAttachedInAnActor_carriesNothing() {
    Messages.process(
        Messages.sent(),
        () -> {
          try (Scope scope = STORAGE.attach(Context.root())) {
            assertThat(Messages.sent().deimos$trace()).isNull();
            assertThat(current()).isSameAs(Context.root());
            assertThat(scope).isNotNull();
          }
        });
  }

  @Test
  void send_fromTheActorsOwnContextElsewhere_carriesTheSameTrace() throws Exception {
    AtomicReference<@Nullable Context> context = new AtomicReference<>();
    AtomicReference<@Nullable Trace> trace = new AtomicReference<>();
    List<Envelope> elsewhere = new ArrayList<>();
    Messages.process(
        Messages.sent(),
        () -> {
          context.set(current());
          trace.set(Messages.sent().deimos$trace());
        });
    Thread thread =
        new Thread(
            () -> {
              try (Scope scope = STORAGE.attach(context.get())) {
                elsewhere.add(Messages.sent());
                assertThat(scope).isNotNull();
              }
            });
    thread.start();
    thread.join();
    assertThat(elsewhere.get(0).deimos$trace()).isSameAs(trace.get());
  }

  @Test
  void process_scopeLeftOpen_isGivenBackAtTheEnd() {
    Context outside = Context.root().with(BAGGAGE, "outside");
    Scope around = STORAGE.attach(outside);
    AtomicReference<@Nullable Scope> leaked = new AtomicReference<>();
    Messages.process(
        Messages.sent(), () -> leaked.set(STORAGE.attach(Context.root().with(BAGGAGE, "leaked"))));
    assertThat(current()).isSameAs(outside);
    Objects.requireNonNull(leaked.get()).close();
    assertThat(current()).isSameAs(outside);
    around.close();
  }

  @Test
  void process_insideAnotherMessage_givesTheOuterContextBack() {
    Messages.process(
        Messages.sent(),
        () -> {
          Context outer = current();
          Messages.process(Messages.sent(), () -> assertThat(current()).isNotSameAs(outer));
          assertThat(current()).isSameAs(outer);
        });
  }

  /** The objects that a message keeps alive: */
  @Test
  void send_eachInAScopeOfTheLast_keepsNothingOfTheMessagesBefore() {
    List<WeakReference<Object>> earlier = new ArrayList<>();
    Envelope[] next = {Messages.sent()};
    for (int i = 0; i < 50; i++) {
      Messages.process(
          next[0],
          () -> {
            Context own = current().with(Span.wrap(spanWithin(currentSpan())));
            try (Scope scope = STORAGE.attach(own.with(BAGGAGE, "b"))) {
              earlier.add(new WeakReference<>(current()));
              next[0] = Messages.sent();
              assertThat(scope).isNotNull();
            }
          });
    }
    assertThat(aliveOf(earlier)).as("contexts of messages that are done").isLessThanOrEqualTo(2);
    assertThat(Objects.requireNonNull(next[0].deimos$trace()).hasBegun()).isTrue();
  }

  /** The same where the user adds something to the actor's own context, with its span in it. */
  @Test
  void send_eachInTheActorsContextWithMore_keepsNothingOfTheMessagesBefore() {
    List<WeakReference<Object>> earlier = new ArrayList<>();
    Envelope[] next = {Messages.sent()};
    for (int i = 0; i < 50; i++) {
      String turn = "turn " + i;
      Messages.process(
          next[0],
          () -> {
            earlier.add(new WeakReference<>(Span.fromContext(current())));
            try (Scope scope = STORAGE.attach(current().with(BAGGAGE, turn))) {
              next[0] = Messages.sent();
              assertThat(scope).isNotNull();
            }
          });
    }
    assertThat(aliveOf(earlier)).as("spans of messages that are done").isLessThanOrEqualTo(2);
  }

  @Test
  void process_traceThatIsCut_handsOnBaggageAlone() {
    Context own = Context.root().with(Baggage.builder().put("customer", "c-7").build());
    Trace old = new Trace(1, 2, true, own.with(BAGGAGE, "b"));
    // Spans are counted by sampling, so the bound may be passed by a fifth.
    for (int i = 0; i <= 2 * RecorderConfig.DEFAULT.guard().maxSpans(); i++) {
      Messages.process(Messages.of(old, 7), () -> {});
    }
    Messages.process(
        Messages.of(old, 7),
        () -> {
          assertThat(currentSpan().getTraceId()).isNotEqualTo("00000000000000010000000000000002");
          assertThat(Baggage.fromContext(current()).getEntryValue("customer")).isEqualTo("c-7");
          assertThat(current().get(BAGGAGE)).isNull();
        });
  }

  private static SpanContext spanWithin(SpanContext parent) {
    return SpanContext.create(
        parent.getTraceId(), SPAN_ID, parent.getTraceFlags(), parent.getTraceState());
  }

  private static long aliveOf(List<WeakReference<Object>> references) {
    long alive = references.size();
    for (int i = 0; i < 20 && alive > 2; i++) {
      System.gc();
      alive = references.stream().filter(r -> r.get() != null).count();
    }
    return alive;
  }

  @Test
  void userSpan_edits_areKeptUntilTheEnd() {
    Messages.process(
        Messages.sent(),
        () -> {
          Context context = current();
          Span span = Span.fromContext(context);
          span.setAttribute("order", 7L)
              .addEvent("packed", Attributes.of(AttributeKey.stringKey("by"), "ann"))
              .setStatus(StatusCode.ERROR, "late")
              .recordException(new IllegalStateException("no stock"))
              .updateName("pack");
          span.addLink(
              SpanContext.create(
                  TRACE_ID, SPAN_ID, TraceFlags.getDefault(), TraceState.getDefault()));
          UserEdits edits = (UserEdits) Objects.requireNonNull(BRIDGE.userSpan(context));
          assertThat(span.isRecording()).isFalse();
          span.setAttribute("too", "late");
          assertThat(edits.name()).isEqualTo("pack");
          assertThat(edits.attributes().asMap())
              .containsOnly(java.util.Map.entry(AttributeKey.longKey("order"), 7L));
          assertThat(edits.events())
              .extracting(event -> event.getName())
              .containsExactly("packed", "exception");
          assertThat(
                  edits
                      .events()
                      .get(1)
                      .getAttributes()
                      .get(AttributeKey.stringKey("exception.message")))
              .isEqualTo("no stock");
          assertThat(edits.links()).hasSize(1);
          assertThat(Objects.requireNonNull(edits.status()).getDescription()).isEqualTo("late");
        });
  }

  @Test
  void userSpan_onlyLookedAt_isNull() {
    Messages.process(Messages.sent(), () -> assertThat(BRIDGE.userSpan(current())).isNull());
  }

  @Test
  void userSpan_beyondTheLimits_isCut() {
    BRIDGE.configured(
        Sampler.alwaysOn(),
        SpanLimits.builder()
            .setMaxNumberOfAttributes(1)
            .setMaxAttributeValueLength(3)
            .setMaxNumberOfEvents(1)
            .build());
    Messages.process(
        Messages.sent(),
        () -> {
          Context context = current();
          Span.fromContext(context)
              .setAttribute("a", "long text")
              .setAttribute("b", 1)
              .addEvent("one")
              .addEvent("two");
          UserEdits edits = (UserEdits) Objects.requireNonNull(BRIDGE.userSpan(context));
          assertThat(edits.attributes().asMap())
              .containsOnly(java.util.Map.entry(AttributeKey.stringKey("a"), "lon"));
          assertThat(edits.events()).hasSize(1);
        });
  }

  @Test
  void sampling_standardSamplers_areRecognised() {
    assertThat(SamplerTranslator.sampling(Sampler.alwaysOn()).mode()).isEqualTo(Sampling.ALWAYS);
    assertThat(SamplerTranslator.sampling(Sampler.alwaysOff()).mode()).isEqualTo(Sampling.NEVER);
    assertThat(SamplerTranslator.sampling(Sampler.parentBased(Sampler.alwaysOff())).mode())
        .isEqualTo(Sampling.NEVER);
    Sampling half = SamplerTranslator.sampling(Sampler.parentBased(Sampler.traceIdRatioBased(0.5)));
    assertThat(half.mode()).isEqualTo(Sampling.RATIO);
    assertThat(half.upperBound()).isEqualTo((long) (0.5 * Long.MAX_VALUE));
  }

  @Test
  void sample_customSampler_isAsked() {
    Sampler odd = new OddTraces();
    assertThat(SamplerTranslator.sampling(odd).mode()).isEqualTo(Sampling.CUSTOM);
    BRIDGE.configured(odd, SpanLimits.getDefault());
    assertThat(BRIDGE.sample(1, 3, "shop.Order")).isTrue();
    assertThat(BRIDGE.sample(1, 2, "shop.Order")).isFalse();
  }

  private static final class OddTraces implements Sampler {
    @Override
    public io.opentelemetry.sdk.trace.samplers.SamplingResult shouldSample(
        Context parent,
        String traceId,
        String name,
        io.opentelemetry.api.trace.SpanKind kind,
        Attributes attributes,
        List<io.opentelemetry.sdk.trace.data.LinkData> links) {
      return traceId.endsWith("3") && name.equals("process Order")
          ? io.opentelemetry.sdk.trace.samplers.SamplingResult.recordAndSample()
          : io.opentelemetry.sdk.trace.samplers.SamplingResult.drop();
    }

    @Override
    public String getDescription() {
      return "odd";
    }
  }
}
