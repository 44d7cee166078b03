// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the content of some class of messages is recorded. Immutable.
 *
 * @param late whether it is rendered by who exports the span, from the message itself, which must
 *     not change then; else before the actor gets it
 * @param maxLength how many characters are kept: 1 or more
 * @param redactor given the message and its text; returns what may be seen, or null for nothing.
 *     Null for no redactor
 */
public record ContentRule(
    boolean late, int maxLength, @Nullable BiFunction<Object, String, @Nullable String> redactor) {}
