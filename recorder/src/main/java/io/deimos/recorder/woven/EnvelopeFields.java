// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.woven;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.trace.Trace;
import org.jspecify.annotations.Nullable;

/** The fields woven into Pekko's {@code Envelope}: one reference and two longs. */
@SuppressWarnings("MemberName") // the dollar keeps the names clear of Pekko's
public interface EnvelopeFields {
  /** The trace the sender was in, or null. */
  @Nullable Trace deimos$trace();

  /** The span the message was sent from, 0 for none. */
  long deimos$parent();

  /** {@link Clock#now} at the send, or 0 if it was not read. */
  long deimos$sent();

  void deimos$sent(@Nullable Trace trace, long parent, long sent);
}
