// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The OpenTelemetry SDK in which we live: what is corrected in its configuration, what we add to
 * it, and what we read from it when it is ready.
 *
 * <p><b>Words.</b> <i>Upstream modules</i>: the two Pekko modules of the stock OpenTelemetry agent,
 * which ours replace. <i>Target</i>: where spans go, as messages and the page name it.
 *
 * <p>Runs on the thread that starts the JVM, before the application does.
 */
@NullMarked
package io.deimos.agent.sdk;

import org.jspecify.annotations.NullMarked;
