// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import org.jspecify.annotations.Nullable;

/**
 * An element that a projection hands to its handler, for the span of that. Immutable.
 *
 * @param name the projection's
 * @param key of the part of it that runs here
 * @param eventClass of the first event
 */
public record Projected(String name, String key, @Nullable String eventClass) {}
