// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import java.util.Map;

/**
 * An event of a span.
 *
 * @param name for instance {@code exception}, {@code pekko.dead_letter}
 * @param epochNanos when it was, in nanoseconds since 1970
 * @param attributes by their names
 */
public record RecordedEvent(String name, long epochNanos, Map<String, Object> attributes) {}
