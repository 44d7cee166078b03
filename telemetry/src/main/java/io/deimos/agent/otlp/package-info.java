// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Spans straight from records to OTLP: protobuf bytes without a span object between, sent by the
 * sender of the configured exporter.
 *
 * <p><b>Words.</b> <i>Plain</i>: a record with nothing beside it; its bytes are copied together
 * from what was encoded before. <i>Batch</i>: a buffer that becomes one request. <i>Settled</i>:
 * the collector has answered, or will not.
 */
@NullMarked
package io.deimos.agent.otlp;

import org.jspecify.annotations.NullMarked;
