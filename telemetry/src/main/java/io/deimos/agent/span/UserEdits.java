// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the user's code to the span of the message at work, by {@code Span.current()}. The
 * user span of a {@link io.deimos.recorder.spans.Rare} implements this; it no longer changes once
 * it is there.
 */
public interface UserEdits {
  /** The name the user gave the span, or null. */
  @Nullable String name();

  Attributes attributes();

  List<EventData> events();

  List<LinkData> links();

  /** The status the user set, or null. */
  @Nullable StatusData status();
}
