// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * One trace: its identity, whether it is sampled, and the bounds at which it ends.
 *
 * <p><b>Words.</b> <i>Trace</i>: the ids and the decision that travel with messages. <i>Link</i>:
 * stands for a trace that the next message only points to. <i>Guard</i>: ends a trace that grows
 * too old, too deep or too large. <i>Cut</i>: what the guard did.
 *
 * <p><b>Threads.</b> A {@code Trace} does not change after it was handed on, but for what its
 * Javadoc says of the guard. Any thread.
 */
@NullMarked
package io.deimos.recorder.trace;

import org.jspecify.annotations.NullMarked;
