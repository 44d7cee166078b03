// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.woven.NumberFields;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The traces that one node's tail sampling keeps, for that of the others: an id that is told here
 * goes beside the next message to each other node, whatever that message is, and what other nodes
 * send waits here to be taken.
 *
 * <p><b>Threads.</b> {@link #tell} and {@link #take} are the drainer's; {@link #after} is the
 * encoders', {@link #heard} the decoders'.
 *
 * <p><b>Record.</b> The last {@value #SIZE} ids told, with their times, in a circle; each encoder
 * has the number of the first that it has not sent yet. On the wire {@value #DIGITS} hexadecimal
 * digits an id, at most {@value #MOST} with a message, as the header {@value #NAME} beside those of
 * the W3C. A node that does not know it ignores it.
 *
 * <p><b>Full.</b> Encoders that are idle for long skip what is no longer of use. Beyond {@value
 * #MAX_HEARD} ids that wait to be taken, more are counted and forgotten.
 */
public final class KeepNotices {
  /** The header's name. */
  static final String NAME = "deimos-keep";

  static final int MOST = 32;
  static final int MAX_HEARD = 8192;
  private static final int SIZE = 2048;
  private static final int DIGITS = 32;

  /** No node holds spans for longer than this. */
  private static final long OF_USE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

  private static final long[] HI = new long[SIZE];
  private static final long[] LO = new long[SIZE];
  private static final long[] TIMES = new long[SIZE];
  private static volatile long told;

  private static final Queue<KeptId> HEARD = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger WAITING = new AtomicInteger();
  private static final LongAdder FORGOTTEN = new LongAdder();
  private static volatile boolean listening;

  private KeepNotices() {}

  /** A trace id. */
  public record KeptId(long hi, long lo) {}

  /** Whether anybody takes what is heard; else it is ignored. */
  public static void listen(boolean on) {
    listening = on;
    while (!on && take() != null) {
      // nobody wants it any more
    }
  }

  /** This node keeps a trace. */
  public static void tell(long hi, long lo) {
    long number = told;
    int at = (int) (number % SIZE);
    HI[at] = hi;
    LO[at] = lo;
    TIMES[at] = Clock.now();
    told = number + 1;
  }

  /**
   * The value of the header that an encoder is to send now; null if there is none. Notices that it
   * gets count as sent.
   */
  public static byte @Nullable [] after(NumberFields encoder) {
    long last = told;
    long next = encoder.deimos$number();
    if (next == last) {
      return null;
    }
    // Half of the circle may be overwritten while this reads.
    next = Math.max(next, last - SIZE / 2);
    byte[] ids = new byte[DIGITS * (int) Math.min(MOST, last - next)];
    int length = 0;
    long now = Clock.now();
    while (next < last && length < ids.length) {
      int at = (int) (next++ % SIZE);
      if (now - TIMES[at] <= OF_USE_NANOS) {
        hex(HI[at], ids, length);
        hex(LO[at], ids, length + 16);
        length += DIGITS;
      }
    }
    encoder.deimos$number(next);
    return length == 0 ? null : java.util.Arrays.copyOf(ids, length);
  }

  private static void hex(long value, byte[] to, int at) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      to[at++] = HEX[(int) (value >>> shift) & 15];
    }
  }

  /** Another node keeps these traces, if that is what the text says. */
  static void heard(String ids) throws WireContext.MalformedException {
    int length = ids.length();
    if (length % DIGITS != 0 || length > MOST * DIGITS) {
      throw new WireContext.MalformedException("a list of kept traces of " + length + " digits");
    }
    if (!listening) {
      return;
    }
    for (int at = 0; at < length; at += DIGITS) {
      KeptId id;
      try {
        id =
            new KeptId(
                Long.parseUnsignedLong(ids, at, at + 16, 16),
                Long.parseUnsignedLong(ids, at + 16, at + DIGITS, 16));
      } catch (NumberFormatException e) {
        throw new WireContext.MalformedException("a kept trace whose id is not hexadecimal");
      }
      if (WAITING.get() >= MAX_HEARD) {
        FORGOTTEN.increment();
      } else {
        WAITING.incrementAndGet();
        HEARD.add(id);
      }
    }
  }

  /** A trace that another node keeps; null if there is none that has not been taken. */
  public static @Nullable KeptId take() {
    KeptId id = HEARD.poll();
    if (id != null) {
      WAITING.decrementAndGet();
    }
    return id;
  }

  /** Ids that came while too many waited. */
  public static long forgotten() {
    return FORGOTTEN.sum();
  }
}
