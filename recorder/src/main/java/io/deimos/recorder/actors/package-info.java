// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The actors and messages that are recorded, and the knowledge of them.
 *
 * <p><b>Words.</b> <i>Identity</i>: the object that an actor's reference carries for us, an {@code
 * ActorTelemetry}. <i>Kind</i>: an actor class in an actor system. <i>Message class</i>: likewise,
 * of messages. <i>Silent</i>: makes neither spans nor metrics but passes the context on.
 * <i>Hidden</i>: one of our own. <i>Rules</i>: what the settings say; those in force are in {@code
 * InForce}. <i>Part</i>: something that is switched on or off as a whole.
 *
 * <p><b>Threads.</b> An actor's identity is made on the thread that makes the actor and read by
 * every thread that sends to it. Rules are replaced as a whole by the thread that changes settings,
 * and each thread sees the new ones with its next class.
 */
@NullMarked
package io.deimos.recorder.actors;

import org.jspecify.annotations.NullMarked;
