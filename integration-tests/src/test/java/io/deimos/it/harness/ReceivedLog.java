// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.util.Map;

/** A log record as it came over the wire. */
public record ReceivedLog(
    String event,
    int severity,
    String body,
    Map<String, Object> attributes,
    String traceId,
    String spanId,
    long timeNanos,
    String scope) {}
