// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.hooks.SerializationHooks;
import io.deimos.remote.MessageMeter;
import org.jspecify.annotations.Nullable;

/** Counts what the transport's own lanes serialise as what Pekko's streams serialise is counted. */
public final class LaneMeter implements MessageMeter {
  @Override
  public long now() {
    return Clock.now();
  }

  @Override
  public void serialised(
      @Nullable Object peer, @Nullable Object message, long begunNanos, int bytes) {
    SerializationHooks.serialized(peer, message, begunNanos, bytes);
  }

  @Override
  public void deserialised(long uid, long begunNanos, int bytes) {
    SerializationHooks.deserialized(uid, begunNanos, bytes);
  }
}
