// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;

/**
 * One kept trace as it is now.
 *
 * @param spans in the order of their start
 */
public record StoredTrace(TraceSummary summary, List<SpanData> spans) {}
