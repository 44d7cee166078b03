// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/** A processor of the SDK that is told of spans when they have ended, and not before. */
abstract class EndedSpans implements SpanProcessor {
  @Override
  public final void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public final boolean isStartRequired() {
    return false;
  }
}
