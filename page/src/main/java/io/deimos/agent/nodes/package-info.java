// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Several processes, one page. The process that has the port <i>serves</i>; the others have
 * <i>joined</i> it over a <i>link</i>, one connection each, and are <i>nodes</i> of its page. A
 * joined process sends its <i>card</i> (what it is, and its counts) and the spans of the traces
 * that it keeps, and answers requests that the page passes on. All of it is on threads of the
 * agent, and all of it is bounded.
 */
@NullMarked
package io.deimos.agent.nodes;

import org.jspecify.annotations.NullMarked;
