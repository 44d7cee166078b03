// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import org.jspecify.annotations.Nullable;

/**
 * One message that was found, and what became of it. Texts are empty, and numbers 0, where nothing
 * is known.
 *
 * @param story what became of it, as a sentence
 * @param atEpochNanos when that was; of a message that waits, since when it does
 * @param place the how manieth it is where it waits, from 1
 * @param waitNanos how long it waited to be processed; -1 if that is not known
 * @param nanos how long it was processed, or until there was an answer; -1 if that is not known
 * @param timeoutNanos after what time the asker gives up; -1 if it is no open ask
 * @param content what it says, where that may be seen; null if not
 * @param troubleId the group of trouble that tells of it
 * @param node the process whose span tells of it; empty for this one
 */
public record Sighting(
    Fate fate,
    String story,
    String message,
    String actorPath,
    String actorClass,
    String senderPath,
    long atEpochNanos,
    int place,
    long waitNanos,
    long nanos,
    long timeoutNanos,
    long traceHi,
    long traceLo,
    long spanId,
    @Nullable String content,
    String troubleId,
    String node) {}
