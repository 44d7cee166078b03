// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The classes that both sides of the transport share: the {@link io.deimos.remote.RemoteBridge}
 * that woven Pekko code calls, and the {@link io.deimos.remote.RemoteStats} that whoever reports
 * metrics reads.
 *
 * <p>Loaded by the bootstrap class loader, so {@code java.base} only, and as small as can be.
 */
@NullMarked
package io.deimos.remote;

import org.jspecify.annotations.NullMarked;
