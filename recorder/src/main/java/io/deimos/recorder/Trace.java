// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import org.jspecify.annotations.Nullable;

/**
 * One trace as the messages in it share it: the identity, the sampling decision, and the
 * OpenTelemetry context it came with. Immutable, one per trace and process, carried by reference in
 * envelopes.
 */
public final class Trace {
  /**
   * Every trace that began here and is not sampled: nobody sees its identity, so it needs none
   * until a context is asked for.
   */
  public static final Trace UNSAMPLED = new Trace(-1, -1, false, null);

  private final long hi;
  private final long lo;
  private final boolean sampled;
  private final @Nullable Object baseContext;

  /**
   * @param hi the first eight bytes of the trace id
   * @param lo the last eight; {@code hi} and {@code lo} both 0 mean that no trace has begun yet and
   *     only {@code baseContext} (baggage, say) is handed on
   * @param baseContext the context below the spans of this trace, or null for the root context
   */
  public Trace(long hi, long lo, boolean sampled, @Nullable Object baseContext) {
    this.hi = hi;
    this.lo = lo;
    this.sampled = sampled;
    this.baseContext = baseContext;
  }

  public long hi() {
    return hi;
  }

  public long lo() {
    return lo;
  }

  public boolean isSampled() {
    return sampled;
  }

  /** False while only a context is handed on and the next recorded message starts the trace. */
  public boolean hasBegun() {
    return (hi | lo) != 0;
  }

  public @Nullable Object baseContext() {
    return baseContext;
  }
}
