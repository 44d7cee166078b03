// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import java.util.Map;

/**
 * A link of a span to another.
 *
 * @param traceId of the other, 32 hexadecimal digits
 * @param spanId of the other, 16 hexadecimal digits
 * @param attributes by their names
 */
public record RecordedLink(String traceId, String spanId, Map<String, Object> attributes) {}
