// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;

/**
 * Messages of one class that were seen to block threads of a dispatcher.
 *
 * @param where the class of the actor, that of the message, the line and the dispatcher
 * @param seen in how many looks so far, each thread for itself
 * @param looks how many looks there were so far
 * @param starved in how many looks so far a task waited for a thread of this dispatcher
 * @param doing the innermost method, such as {@code Thread.sleep}
 * @param lasting for how long one of them blocks a thread now, in nanoseconds; 0 for none
 */
public record Blocked(
    Where where, Series seen, Series looks, Series starved, String doing, long lasting) {}
