// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.agent.span.Names;
import io.deimos.agent.span.SpanForm;
import io.deimos.agent.span.SpanType;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.context.Bridge;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.trace.Trace;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The recorder's calls of OpenTelemetry. Safe for any thread; throws nothing. */
public final class OtelBridge implements Bridge {
  private static final AttributeKey<String> SYSTEM = Names.text(Attribute.MESSAGING_SYSTEM);
  private static final AttributeKey<String> MESSAGE_CLASS = Names.text(Attribute.MESSAGE_CLASS);

  /** The trace in contexts made here, so that the user's own below them count as the same one. */
  static final ContextKey<Trace> TRACE = ContextKey.named("deimos-trace");

  private volatile SpanLimits limits = SpanLimits.getDefault();
  private volatile Sampler sampler = Sampler.alwaysOn();
  private volatile TextMapPropagator propagator = TextMapPropagator.noop();
  private volatile @Nullable ActorContextStorage storage;

  /** For {@link ContextStorage#addWrapper}. */
  public ContextStorage wrap(ContextStorage below) {
    ActorContextStorage wrapper = new ActorContextStorage(below);
    storage = wrapper;
    return wrapper;
  }

  /**
   * Asks the SDK from now on.
   *
   * @param problems told if another part of the agent has chosen the context storage before
   */
  public void connect(OpenTelemetrySdk sdk, Consumer<String> problems) {
    Context.current(); // the first call settles which storage is used
    if (!isWrapping()) {
      problems.accept(
          "another part of the agent has chosen the context storage before, so Span.current() in an"
              + " actor is not the actor's span. Remove other extensions to see which it is");
    }
    SdkTracerProvider provider = sdk.getSdkTracerProvider();
    configured(provider.getSampler(), provider.getSpanLimits());
    reads(sdk.getPropagators().getTextMapPropagator());
  }

  /** True once OpenTelemetry has asked for its storage and taken ours. */
  private boolean isWrapping() {
    return storage != null;
  }

  /** The configuration of the SDK, as soon as there is one. */
  void configured(Sampler by, SpanLimits within) {
    sampler = by;
    limits = within;
  }

  /** The headers beside the W3C's that other nodes may send. */
  private void reads(TextMapPropagator headers) {
    propagator = headers;
  }

  @Override
  public void capture(Object object, ThreadState into) {
    try {
      Context context = (Context) object;
      Span span = Span.fromContextOrNull(context);
      SpanContext identity = span == null ? SpanContext.getInvalid() : span.getSpanContext();
      if (!identity.isValid()) {
        Trace handedOn = context.get(TRACE);
        if (handedOn != null && handedOn.isLink()) {
          into.captured(handedOn, 0);
        } else {
          Context kept = kept(context);
          into.captured(kept == Context.root() ? null : new Trace(0, 0, false, kept), 0);
        }
      } else {
        into.captured(trace(context, span, identity), Ids.parse(identity.getSpanId(), 0));
      }
    } catch (Throwable t) {
      Faults.caught(t);
      into.captured(null, 0);
    }
  }

  private static Trace trace(Context context, @Nullable Span span, SpanContext identity) {
    if (span instanceof ActorSpan ours && ours.context() == context) {
      return ours.trace();
    }
    boolean stated = !identity.getTraceState().isEmpty();
    Trace handedOn = context.get(TRACE);
    if (handedOn != null && handedOn.context == context && handedOn.isPlain(stated)) {
      return handedOn;
    }
    Context kept = kept(context);
    if (handedOn != null && Ids.isTrace(identity, handedOn.hi(), handedOn.lo())) {
      return handedOn.within(kept, stated);
    }
    String id = identity.getTraceId();
    Trace trace = new Trace(Ids.parse(id, 0), Ids.parse(id, 16), identity.isSampled(), kept);
    return stated ? trace.within(kept, true) : trace;
  }

  /**
   * The part of a context that a trace keeps: all but our own trace and span. Either of them holds
   * a context in turn, so that each message would keep alive those of all messages before it.
   */
  @SuppressWarnings("NullAway") // a context takes null for a value, and then has none for the key
  private static Context kept(Context context) {
    Context kept = context.get(TRACE) == null ? context : context.with(TRACE, null);
    return Span.fromContextOrNull(kept) instanceof ActorSpan ours
        ? kept.with(Span.wrap(ours.getSpanContext()))
        : kept;
  }

  @Override
  public Object materialise(ThreadState state) {
    try {
      Trace trace = state.trace();
      return trace == null ? Context.root() : context(trace, state.spanId(), state.isRecording());
    } catch (Throwable t) {
      Faults.caught(t);
      return Context.root();
    }
  }

  private Context context(Trace trace, long spanId, boolean recording) {
    Object given = trace.baseContext();
    Context base = given == null ? Context.root() : (Context) given;
    if (!trace.hasBegun() && !recording) {
      return trace.isLink() ? handingOn(trace, base) : base;
    }
    SpanContext below = Span.fromContext(base).getSpanContext();
    boolean sameTrace = Ids.isTrace(below, trace.hi(), trace.lo());
    if (!recording) {
      if (sameTrace && (spanId == 0 || Ids.isSpan(below, spanId))) {
        return trace.isSampled() ? handingOn(trace, base) : base;
      }
      if (trace == Trace.UNSAMPLED || spanId == 0) {
        return base.with(Span.wrap(Ids.unsampled()));
      }
    }
    SpanContext identity =
        SpanContext.create(
            TraceId.fromLongs(trace.hi(), trace.lo()),
            SpanId.fromLong(spanId),
            sameTrace ? below.getTraceFlags() : flags(trace),
            sameTrace ? below.getTraceState() : TraceState.getDefault());
    return recording
        ? new ActorSpan(identity, trace, base, limits).context()
        : base.with(Span.wrap(identity)).with(TRACE, trace);
  }

  /** The same context each time: streams and futures ask for it with each element. */
  private static Context handingOn(Trace trace, Context base) {
    Context made = (Context) trace.context;
    if (made == null) {
      made = base.with(TRACE, trace);
      trace.context = made;
    }
    return made;
  }

  @Override
  public @Nullable Object baggage(Object context) {
    try {
      Baggage baggage = Baggage.fromContextOrNull((Context) context);
      return baggage == null ? null : Context.root().with(baggage);
    } catch (Throwable t) {
      Faults.caught(t);
      return null;
    }
  }

  private static TraceFlags flags(Trace trace) {
    return trace.isSampled() ? Ids.SAMPLED_RANDOM : TraceFlags.getDefault();
  }

  @Override
  public @Nullable String[] headers(Trace trace) {
    try {
      return RemoteHeaders.of(trace);
    } catch (Throwable t) {
      Faults.caught(t);
      return new String[0];
    }
  }

  @Override
  public int sampledFlags(Trace trace) {
    try {
      SpanContext below = RemoteHeaders.below(trace);
      return below == null ? Ids.SAMPLED_RANDOM.asByte() : below.getTraceFlags().asByte();
    } catch (Throwable t) {
      Faults.caught(t);
      return TraceFlags.getSampled().asByte();
    }
  }

  @Override
  public void extract(Map<String, String> headers, ThreadState into) {
    try {
      capture(RemoteHeaders.context(headers, propagator), into);
    } catch (Throwable t) {
      Faults.caught(t);
      into.captured(null, 0);
    }
  }

  @Override
  public @Nullable Object userSpan(Object context) {
    try {
      return Span.fromContextOrNull((Context) context) instanceof ActorSpan span && span.close()
          ? span
          : null;
    } catch (Throwable t) {
      Faults.caught(t);
      return null;
    }
  }

  @Override
  public void leaked(@Nullable Object attached) {
    try {
      ActorContextStorage ours = storage;
      if (ours != null) {
        ours.replace((Context) attached);
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  @Override
  public boolean sample(long traceHi, long traceLo, String messageClass) {
    try {
      return sampler
              .shouldSample(
                  Context.root(),
                  TraceId.fromLongs(traceHi, traceLo),
                  SpanType.PROCESS.of(messageClass.substring(messageClass.lastIndexOf('.') + 1)),
                  SpanForm.exported().kind(),
                  Attributes.of(SYSTEM, "pekko", MESSAGE_CLASS, messageClass),
                  List.of())
              .getDecision()
          == SamplingDecision.RECORD_AND_SAMPLE;
    } catch (Throwable t) {
      Faults.caught(t);
      return true;
    }
  }

  @Override
  public @Nullable String className(Object actor) {
    try {
      return ActorClass.name(actor);
    } catch (Throwable t) {
      Faults.caught(t);
      return null;
    }
  }
}
