// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.woven;

import io.deimos.recorder.actors.ActorTelemetry;
import org.jspecify.annotations.Nullable;

/** The field woven into Pekko's {@code ActorCell}: what we know of its actor. */
@SuppressWarnings("MemberName")
public interface CellFields {
  /** Null for an actor that is not recorded at all. */
  @Nullable ActorTelemetry deimos$telemetry();

  void deimos$telemetry(@Nullable ActorTelemetry telemetry);
}
