// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import io.deimos.recorder.trace.Trace;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recorder's way to the OpenTelemetry side, which lives in another class loader. Contexts and
 * spans cross as {@code Object}. Every call is off the usual path: only when a context was attached
 * by hand or somebody asks for the current one.
 *
 * <p>Implementations may be called by any thread and must not throw.
 */
public interface Bridge {
  /**
   * The trace and span of an OpenTelemetry context, told by {@code into.captured(…)}. A context
   * without a span but with something else in it gives a trace that has not begun.
   */
  void capture(Object context, ThreadState into);

  /**
   * The OpenTelemetry context of what this thread works on: the trace's base context with the
   * current span in it. Called once per message at most; the answer is kept until the message ends.
   */
  Object materialise(ThreadState state);

  /**
   * The part of a context that goes on after the guard has ended its trace: the baggage alone; null
   * if there is none.
   */
  @Nullable Object baggage(Object context);

  /**
   * The user's changes of the span of a materialised context, or null if nothing. Ends that span:
   * what is done to it later is lost.
   */
  @Nullable Object userSpan(Object context);

  /**
   * The W3C headers of a trace with a base context, beside its traceparent (tracestate, baggage),
   * as names and values by turns; the most important first.
   */
  @Nullable String[] headers(Trace trace);

  /** The W3C flags of a sampled trace with a base context. */
  int sampledFlags(Trace trace);

  /**
   * The trace and span of headers that came from another node, told by {@code into.captured(…)}.
   */
  void extract(Map<String, String> headers, ThreadState into);

  /**
   * A scope that the user opened in an actor and did not close; the thread gets its context back.
   */
  void leaked(@Nullable Object attached);

  /**
   * The sampler's answer for a trace that begins here, where it is not one of the standard ones.
   */
  boolean sample(long traceHi, long traceLo, String messageClass);

  /** The class a typed actor or an actor made by a creator really is, or null if not yet known. */
  @Nullable String className(Object actor);
}
