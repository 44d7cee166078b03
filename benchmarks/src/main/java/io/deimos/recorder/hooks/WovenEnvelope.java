// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.EnvelopeFields;
import org.jspecify.annotations.Nullable;

/** Pekko's envelope after weaving. */
@SuppressWarnings("MemberName") // as woven
final class WovenEnvelope implements EnvelopeFields {
  private @Nullable Trace trace;
  private long parent;
  private long sent;

  @Override
  public @Nullable Trace deimos$trace() {
    return trace;
  }

  @Override
  public long deimos$parent() {
    return parent;
  }

  @Override
  public long deimos$sent() {
    return sent;
  }

  @Override
  public void deimos$sent(@Nullable Trace newTrace, long newParent, long newSent) {
    trace = newTrace;
    parent = newParent;
    sent = newSent;
  }
}
