// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.StringSerializer;

/**
 * Writes and reads short texts as Pekko's own serialiser of texts does, to the bit, without the
 * arrays that it makes of each of them.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
public final class ShortText {
  private static final int LONGEST = 128;
  private static final char ASCII_END = 0x80;

  private final byte[] scratch = new byte[LONGEST];

  /** Whether it is Pekko's own serialiser of texts. */
  static boolean isBy(Serializer serialiser) {
    return serialiser.getClass() == StringSerializer.class;
  }

  /**
   * Appends a text, if it is short and plain and there is room for it.
   *
   * @return false if nothing was written
   */
  static boolean write(String text, ByteBuffer target) {
    int length = text.length();
    if (length > Math.min(LONGEST, target.remaining())) {
      return false;
    }
    int from = target.position();
    for (int i = 0; i < length; i++) {
      char character = text.charAt(i);
      if (character >= ASCII_END) {
        return false;
      }
      target.put(from + i, (byte) character);
    }
    target.position(from + length);
    return true;
  }

  /** Whether {@link #read} may be asked for what is between the position and the limit. */
  public static boolean isShort(ByteBuffer source) {
    return source.remaining() <= LONGEST;
  }

  /** Reads all that is between the position and the limit. */
  public String read(ByteBuffer source) {
    int length = source.remaining();
    source.get(scratch, 0, length);
    return new String(scratch, 0, length, StandardCharsets.UTF_8);
  }
}
