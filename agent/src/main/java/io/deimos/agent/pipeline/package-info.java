// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The span pipeline: from the rings through the tail sampler to the exporter, the page's store and
 * the test kit. Put together once, when the SDK is ready; the drainer's thread runs it.
 *
 * <p><b>Words.</b> <i>Direct</i>: as OTLP that we encode, past the SDK's span processors. <i>By the
 * SDK</i>: through them. <i>Closing</i>: the JVM is about to end, and no batch waits to be full.
 */
@NullMarked
package io.deimos.agent.pipeline;

import org.jspecify.annotations.NullMarked;
