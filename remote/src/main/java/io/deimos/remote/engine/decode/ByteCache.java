// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Finds what belongs to a literal by the literal's bytes, so that no string is made for it. The
 * later of two literals with the same slot stays.
 *
 * <p><b>Threads.</b> One at a time.
 */
final class ByteCache<T> {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private final Entry<T>[] entries;
  private final int mask;

  /** With room for so many literals, a power of two. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no generic arrays
  ByteCache(int capacity) {
    entries = new Entry[capacity];
    mask = capacity - 1;
  }

  /** A number that is the same for the same bytes. The buffer must be little endian. */
  static long hash(ByteBuffer buffer, int from, int length) {
    long hash = length * PRIME;
    int i = from;
    int end = from + length;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      hash = (hash ^ buffer.getLong(i)) * PRIME;
      hash ^= hash >>> 32;
    }
    for (; i < end; i++) {
      hash = (hash ^ buffer.get(i)) * PRIME;
    }
    return hash ^ hash >>> 29;
  }

  @Nullable T get(long hash, ByteBuffer buffer, int from, int length) {
    Entry<T> entry = entries[(int) hash & mask];
    if (entry != null
        && entry.hash == hash
        && entry.literal.length == length
        && same(entry.literal, buffer, from)) {
      return entry.value;
    }
    return null;
  }

  void put(long hash, byte[] literal, T value) {
    entries[(int) hash & mask] = new Entry<>(hash, literal, value);
  }

  private static boolean same(byte[] literal, ByteBuffer buffer, int from) {
    int i = 0;
    for (; i <= literal.length - Long.BYTES; i += Long.BYTES) {
      if ((long) LONGS.get(literal, i) != buffer.getLong(from + i)) {
        return false;
      }
    }
    for (; i < literal.length; i++) {
      if (literal[i] != buffer.get(from + i)) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
  private record Entry<T>(long hash, byte[] literal, T value) {}
}
