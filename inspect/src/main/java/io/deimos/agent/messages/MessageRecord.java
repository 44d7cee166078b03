// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

/**
 * One message in the {@link MessageLog}: eight longs, 64 bytes, read and written by name. Used
 * again for the next message.
 *
 * <pre>
 *   +0  first half of the trace id
 *   +1  second half
 *   +2  span id
 *   +3  parent span id, 0 for a root
 *   +4  sender's number (bits 32-63, 0 for none), receiver's (0-31)
 *   +5  when processing began
 *   +6  its duration in ns (bits 24-63), message class (8-23), origin (1-3), whether it failed (0)
 *   +7  wait in 16 ns (bits 28-63, all set if not known), sender's kind (14-27), receiver's (0-13)
 * </pre>
 */
public final class MessageRecord {
  static final int LONGS = 8;

  /** The greatest number of a kind; see {@link KindNumbers}. */
  public static final int MAX_KIND = (1 << 14) - 1;

  private static final long MAX_NANOS = (1L << 40) - 1;
  private static final long UNKNOWN_WAIT = (1L << 36) - 1;
  private static final int WAIT_SHIFT = 4;

  final long[] longs = new long[LONGS];

  public MessageRecord span(long hi, long lo, long spanId, long parentId) {
    longs[0] = hi;
    longs[1] = lo;
    longs[2] = spanId;
    longs[3] = parentId;
    return this;
  }

  public MessageRecord actors(int sender, int senderKind, int receiver, int receiverKind) {
    longs[4] = (long) sender << 32 | Integer.toUnsignedLong(receiver);
    longs[7] = (longs[7] & (~0L << 28)) | (long) senderKind << 14 | receiverKind;
    return this;
  }

  /**
   * When it was processed.
   *
   * @param waitNanos -1 if it is not known
   */
  public MessageRecord times(long waitNanos, long start, long nanos) {
    long wait = waitNanos < 0 ? UNKNOWN_WAIT : Math.min(waitNanos >> WAIT_SHIFT, UNKNOWN_WAIT - 1);
    longs[7] = wait << 28 | (longs[7] & ((1L << 28) - 1));
    longs[5] = start;
    longs[6] = Math.max(0, Math.min(nanos, MAX_NANOS)) << 24 | (longs[6] & 0xFFFFFF);
    return this;
  }

  public MessageRecord message(int messageClass, Origin origin, boolean failed) {
    longs[6] =
        (longs[6] & ~0xFFFFFFL)
            | (long) messageClass << 8
            | (long) origin.code() << 1
            | (failed ? 1 : 0);
    return this;
  }

  public long traceHi() {
    return longs[0];
  }

  public long traceLo() {
    return longs[1];
  }

  public long spanId() {
    return longs[2];
  }

  /** 0 for a root. */
  public long parentId() {
    return longs[3];
  }

  /** 0 for none. */
  public int sender() {
    return (int) (longs[4] >>> 32);
  }

  public int receiver() {
    return (int) longs[4];
  }

  public int senderKind() {
    return (int) (longs[7] >>> 14) & MAX_KIND;
  }

  public int receiverKind() {
    return (int) longs[7] & MAX_KIND;
  }

  public long start() {
    return longs[5];
  }

  public long nanos() {
    return longs[6] >>> 24;
  }

  public long end() {
    return start() + nanos();
  }

  /** In steps of 16 ns; -1 if it is not known. */
  public long waitNanos() {
    long wait = longs[7] >>> 28;
    return wait == UNKNOWN_WAIT ? -1 : wait << WAIT_SHIFT;
  }

  public int messageClass() {
    return (int) (longs[6] >>> 8) & 0xFFFF;
  }

  public Origin origin() {
    return Origin.byCode((int) (longs[6] >>> 1) & 7);
  }

  public boolean hasFailed() {
    return (longs[6] & 1) != 0;
  }
}
