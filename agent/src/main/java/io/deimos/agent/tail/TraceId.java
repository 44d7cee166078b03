// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

/** A trace id as two longs. */
record TraceId(long hi, long lo) {
  /** A number in [0, 2^63) that spreads evenly however ids are made, and is the same everywhere. */
  long spread() {
    long z = lo ^ (hi * 0x9E3779B97F4A7C15L);
    z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
    z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
    return (z ^ (z >>> 32)) >>> 1;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hi ^ lo);
  }
}
