// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

import java.nio.ByteBuffer;

/**
 * The header of one received envelope, laid out as {@link EnvelopeEncoder} writes it. An index of
 * {@value #LITERAL} says that there is a literal instead, of length 0 if there is no actor.
 */
public final class EnvelopeHeader {
  public static final int LITERAL = -1;

  public byte version;
  public byte flags;
  public byte refTable;
  public byte manifestTable;
  public long uid;
  public int serializer;
  public int senderIndex;
  public int senderFrom;
  public int senderLength;
  public int recipientIndex;
  public int recipientFrom;
  public int recipientLength;
  public int manifestIndex;
  public int manifestFrom;
  public int manifestLength;
  public int payloadFrom;

  /**
   * Reads the header of the frame that begins and ends at these positions of the buffer, which must
   * be little endian.
   *
   * @throws BadFrameException if the frame is too short for what its header says; nothing else,
   *     whatever the bytes are
   */
  public void read(ByteBuffer buffer, int from, int end) {
    int at = after(from, EnvelopeEncoder.FIXED_BYTES, end);
    version = buffer.get(from);
    flags = buffer.get(from + EnvelopeEncoder.FLAGS);
    refTable = buffer.get(from + 2);
    manifestTable = buffer.get(from + 3);
    uid = buffer.getLong(from + EnvelopeEncoder.UID);
    serializer = buffer.getInt(from + EnvelopeEncoder.SERIALIZER);
    if (hasMetadata()) {
      at = after(at, Integer.BYTES, end);
      at = after(at, buffer.getInt(at - Integer.BYTES), end);
    }
    int tag = buffer.getInt(from + EnvelopeEncoder.SENDER_TAG);
    senderIndex = index(tag);
    if (senderIndex == LITERAL) {
      senderLength = literalLength(buffer, at, end);
      senderFrom = at + Short.BYTES;
      at = after(senderFrom, senderLength, end);
    }
    tag = buffer.getInt(from + EnvelopeEncoder.RECIPIENT_TAG);
    recipientIndex = index(tag);
    if (recipientIndex == LITERAL) {
      recipientLength = literalLength(buffer, at, end);
      recipientFrom = at + Short.BYTES;
      at = after(recipientFrom, recipientLength, end);
    }
    tag = buffer.getInt(from + EnvelopeEncoder.MANIFEST_TAG);
    manifestIndex = index(tag);
    if (manifestIndex == LITERAL) {
      manifestLength = literalLength(buffer, at, end);
      manifestFrom = at + Short.BYTES;
      at = after(manifestFrom, manifestLength, end);
    }
    payloadFrom = at;
  }

  boolean hasMetadata() {
    return (flags & EnvelopeEncoder.METADATA_FLAG) != 0;
  }

  public boolean hasNoSender() {
    return senderIndex == LITERAL && senderLength == 0;
  }

  public boolean hasNoRecipient() {
    return recipientIndex == LITERAL && recipientLength == 0;
  }

  private static int index(int tag) {
    return (tag & EnvelopeEncoder.TAG_TYPE_MASK) == 0
        ? LITERAL
        : tag & EnvelopeEncoder.TAG_VALUE_MASK;
  }

  private static int literalLength(ByteBuffer buffer, int at, int end) {
    after(at, Short.BYTES, end);
    return buffer.getShort(at) & 0xFFFF;
  }

  private static int after(int at, int length, int end) {
    if (length < 0 || length > end - at) {
      throw new BadFrameException("a frame whose header says it is longer than it is");
    }
    return at + length;
  }

  public static byte[] copy(ByteBuffer buffer, int from, int length) {
    byte[] bytes = new byte[length];
    buffer.get(from, bytes);
    return bytes;
  }
}
