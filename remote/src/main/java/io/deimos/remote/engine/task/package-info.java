// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tasks that run on threads of others.
 *
 * <p><b>Words.</b> <i>Serial task</i>: runs once at a time, and again if it was woken meanwhile.
 * <i>Latecomer</i>: a message in a queue whose lane nobody woke.
 */
@NullMarked
package io.deimos.remote.engine.task;

import org.jspecify.annotations.NullMarked;
