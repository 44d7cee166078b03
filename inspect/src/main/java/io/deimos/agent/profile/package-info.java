// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The time of classes of messages: what the JVM's flight recorder tells of threads that run, wait
 * and allocate, joined with the records of messages by thread and time.
 *
 * <p><b>Words.</b> <i>Sample</i>: where one thread was at one moment, or while it waited.
 * <i>Row</i>: an actor class with a message class.
 *
 * <p>Nothing is here, and no message pays, but while somebody asks. The drainer writes records, the
 * flight recorder's thread samples; a thread of our own joins them, and the page's threads read.
 */
@NullMarked
package io.deimos.agent.profile;

import org.jspecify.annotations.NullMarked;
