// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Trace contexts as bytes, beside messages to other nodes.
 *
 * <p><b>Words.</b> <i>Wire context</i>: the W3C headers {@code traceparent}, {@code tracestate} and
 * {@code baggage}. <i>Malformed</i>: what cannot be read; it is counted and ignored.
 *
 * <p><b>Threads.</b> Encoders and decoders of Artery and of classic remoting, each for itself.
 */
@NullMarked
package io.deimos.recorder.wire;

import org.jspecify.annotations.NullMarked;
