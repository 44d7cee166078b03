// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The way out: from an association's queues, or from a stream of Pekko's, to a link.
 *
 * <p><b>Words.</b> <i>Lane</i>: the serial task that encodes ordinary messages. <i>Direct lane</i>:
 * our lanes in place of Pekko's streams.
 */
@NullMarked
package io.deimos.remote.engine.out;

import org.jspecify.annotations.NullMarked;
