// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * How Deimos speaks: lines on standard error that begin with {@code deimos:}.
 *
 * <p><b>Words.</b> <i>Problem</i>: a sentence that the user should know, with what to do about it;
 * told once, and kept for the page. <i>Incident</i>: a structured line about one failure in the
 * application, with the trace it belongs to. <i>Printable</i>: safe on one line, whatever is in it.
 *
 * <p>Any thread may write.
 */
@NullMarked
package io.deimos.agent.log;

import org.jspecify.annotations.NullMarked;
