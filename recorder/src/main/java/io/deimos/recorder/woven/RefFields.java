// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.woven;

import io.deimos.recorder.actors.ActorTelemetry;
import org.jspecify.annotations.Nullable;

/**
 * The field woven into Pekko's {@code ActorRef}: who stands behind it in this process. An {@link
 * ActorTelemetry} for an actor with a cell, an {@code Ask} for the temporary actor of an ask, null
 * for any other.
 */
@SuppressWarnings("MemberName")
public interface RefFields {
  @Nullable Object deimos$identity();

  void deimos$identity(@Nullable Object identity);
}
