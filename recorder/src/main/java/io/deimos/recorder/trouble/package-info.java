// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Dead letters, asks that time out, and messages that take too long.
 *
 * <p><b>Words.</b> <i>Stuck</i>: processing one message for longer than the threshold.
 * <i>Unanswered</i>: an ask whose time ran out. <i>Target</i>: the actor or entity that was asked,
 * and what became of it. <i>Follow</i>: to note where an ask to a sharded entity gets to.
 *
 * <p><b>Threads.</b> Trouble is noted on the thread where it happens. Lines are written, and stacks
 * taken, by threads of our own.
 */
@NullMarked
package io.deimos.recorder.trouble;

import org.jspecify.annotations.NullMarked;
