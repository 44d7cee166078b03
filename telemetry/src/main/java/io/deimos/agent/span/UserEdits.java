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
 * What the user's code did to the span of the message at work, by {@code Span.current()}. What a
 * {@link io.deimos.recorder.spans.Rare} has for its user span implements this; it no longer changes
 * once it is there.
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
