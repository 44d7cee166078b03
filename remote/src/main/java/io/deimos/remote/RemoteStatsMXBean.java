// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

/** {@code io.deimos:type=RemoteStats}: what of the transport's statistics can be switched. */
public interface RemoteStatsMXBean {
  /** Whether flushes, serialising and deserialising are timed. */
  boolean isDetailed();

  /** Begins or ends the timing, for all transports of this JVM, at once. */
  void setDetailed(boolean on);
}
