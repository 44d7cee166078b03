// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Everything that is counted: messages, bytes and batches by peer, stream and direction, and what
 * was refused, by reason.
 */
@NullMarked
package io.deimos.remote.engine.count;

import org.jspecify.annotations.NullMarked;
