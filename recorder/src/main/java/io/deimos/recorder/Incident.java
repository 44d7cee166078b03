// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Map;

/**
 * Something that went wrong and that somebody will want to look into: a dead letter, a question
 * without an answer, an actor that is stuck. Immutable.
 *
 * @param name what it is: {@code dead_letter}, for instance
 * @param atNanos {@link Clock#now} when it was seen
 * @param facts what is known of it, in the order in which it is told
 * @param stack where a thread was, or empty
 * @param traceHi first half of the trace it belongs to; 0 with {@code traceLo} for none
 * @param traceLo second half
 * @param spanId the span it happened in; 0 for none
 */
public record Incident(
    String name,
    long atNanos,
    Map<String, String> facts,
    String stack,
    long traceHi,
    long traceLo,
    long spanId) {}
