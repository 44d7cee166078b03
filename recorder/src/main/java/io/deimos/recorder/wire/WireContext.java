// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import io.deimos.recorder.context.Bridges;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A trace context as bytes: the W3C headers by name, in the form in which the OpenTelemetry agent
 * puts them beside a message, so that it and we read each other.
 *
 * <pre>
 *   version (1), always 1
 *   number of headers (2), then for each
 *     length of the name (2), name, length of the value (2), value
 * </pre>
 *
 * <p>Numbers are in the buffer's own byte order. The bytes read may be anything at all: every
 * length is held against what is there, and {@link MalformedException} says that it makes no sense.
 */
public final class WireContext {
  /** The most that is written, and about the most that is read. */
  public static final int MAX_BYTES = 4096;

  /** The length of an entry that has nothing but a traceparent. */
  public static final int PLAIN_BYTES = 73;

  private static final byte[][] NO_HEADERS = {};
  private static final byte VERSION = 1;
  private static final int MAX_HEADERS = 100;
  private static final byte[] TRACEPARENT = ascii("traceparent");

  /**
   * An entry of ours alone: how long the message has waited in buffers on its way, in nanoseconds.
   */
  private static final String WAITED = "deimos-waited";

  /**
   * The longest wait that is believed: a day. A sum of waits that a peer made up has no meaning.
   */
  static final long MAX_WAIT_NANOS = 86_400_000_000_000L;

  private static final byte[] KEPT = ascii(KeepNotices.NAME);
  private static final byte[] DIGITS = ascii("0123456789abcdef");
  private static final int VALUE_BYTES = 55;
  private static final int SAMPLED = 1;

  /** The trace id is random (W3C Trace Context, level 2), as all are that begin here. */
  private static final int RANDOM = 2;

  private WireContext() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The bytes on the wire are no context. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    public MalformedException(String why) {
      super(why, null, false, false);
    }
  }

  /**
   * Writes a context at the buffer's position.
   *
   * @param parent the span of the sender
   * @return false if there was nothing to write or no room for it; the position is then unchanged
   */
  public static boolean write(Trace trace, long parent, ByteBuffer to) {
    return write(trace, parent, null, to);
  }

  /**
   * {@link #write(Trace, long, ByteBuffer)} with a notice of kept traces.
   *
   * @param trace null if there is only the notice
   * @param kept the value of that header, see {@link KeepNotices}; null for none
   */
  public static boolean write(
      @Nullable Trace trace, long parent, byte @Nullable [] kept, ByteBuffer to) {
    byte[][] headers = trace == null ? NO_HEADERS : headers(trace);
    if (kept != null) {
      headers = with(headers, KEPT, kept);
    }
    boolean begun = trace != null && trace.hasBegun();
    int count = headers.length / 2 + (begun ? 1 : 0);
    int bytes = 3 + (begun ? PLAIN_BYTES - 3 : 0);
    for (byte[] part : headers) {
      bytes += 2 + part.length;
    }
    if (count == 0 || to.remaining() < bytes) {
      return false;
    }
    to.put(VERSION).putShort((short) count);
    if (trace != null && begun) {
      to.putShort((short) TRACEPARENT.length).put(TRACEPARENT).putShort((short) VALUE_BYTES);
      writeParent(trace, parent, to);
    }
    for (byte[] part : headers) {
      to.putShort((short) part.length).put(part);
    }
    return true;
  }

  /** Last, so that whoever reads it finds what is before it as if it were not there. */
  private static byte[][] with(byte[][] headers, byte[] name, byte[] value) {
    byte[][] more = java.util.Arrays.copyOf(headers, headers.length + 2);
    more[headers.length] = name;
    more[headers.length + 1] = value;
    return more;
  }

  private static void writeParent(Trace trace, long parent, ByteBuffer to) {
    boolean nameless = trace == Trace.UNSAMPLED; // nobody knows its id, but the wire needs one
    to.put((byte) '0').put((byte) '0').put((byte) '-');
    hex(nameless ? random() : trace.hi(), to);
    hex(nameless ? random() : trace.lo(), to);
    to.put((byte) '-');
    hex(parent == 0 ? random() : parent, to);
    to.put((byte) '-').put((byte) '0').put(DIGITS[trace.isSampled() ? flags(trace) | SAMPLED : 0]);
  }

  /** The W3C headers beside the traceparent, as names and values by turns. */
  static byte[][] headers(Trace trace) {
    Object base = trace.baseContext();
    if (base == null && trace.waited == 0) {
      return NO_HEADERS;
    }
    byte[][] known = trace.headers;
    if (known == null) {
      @Nullable String[] own = base == null ? new String[0] : Bridges.current().headers(trace);
      known = headers(withWait(own, trace.waited));
      trace.headers = known;
    }
    return known;
  }

  /** The W3C flags of a sampled trace: those it came with, else that its id is random. */
  private static int flags(Trace trace) {
    return trace.baseContext() == null ? 3 : Bridges.current().sampledFlags(trace) & 3;
  }

  private static long random() {
    return ThreadLocalRandom.current().nextLong() | 1L;
  }

  private static void hex(long value, ByteBuffer to) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      to.put(DIGITS[(int) (value >>> shift) & 15]);
    }
  }

  /**
   * Reads a context and tells {@code into.captured(…)}. A context with more than a traceparent
   * takes the way through the bridge.
   */
  public static void read(ByteBuffer from, int at, int limit, ThreadState into)
      throws MalformedException {
    int end = limit;
    if (end - at < 3 || from.get(at) != VERSION) {
      throw new MalformedException("a version that is not known");
    }
    int count = from.getShort(at + 1);
    if (count < 1 || count > MAX_HEADERS) {
      throw new MalformedException(count + " headers");
    }
    int kept = count <= 2 ? keptAt(from, at + 3, end, count) : -1;
    if (kept >= 0) {
      KeepNotices.heard(text(from, kept + 2 + KEPT.length, end));
      if (count == 1) {
        return;
      }
      end = kept;
      count--;
    }
    int value = count == 1 ? plainValue(from, at + 3, end) : -1;
    if (value < 0 || !readParent(from, value, into)) {
      extract(headers(from, at + 3, end, count), into);
    }
  }

  /**
   * Where the notice of kept traces begins, if it is the only header or the one behind the only
   * one; else -1.
   */
  private static int keptAt(ByteBuffer from, int first, int end, int count) {
    int at = first;
    for (int skipped = 1; skipped < count; skipped++) {
      at = after(from, after(from, at, end), end);
    }
    if (at < 0 || end - at < 2 + KEPT.length || from.getShort(at) != KEPT.length) {
      return -1;
    }
    for (int i = 0; i < KEPT.length; i++) {
      if (from.get(at + 2 + i) != KEPT[i]) {
        return -1;
      }
    }
    return at;
  }

  /** Behind a length and what it is the length of; -1 if that is beyond the end. */
  private static int after(ByteBuffer from, int at, int end) {
    int length = at < 0 || end - at < 2 ? -1 : from.getShort(at);
    return length < 0 || length > end - at - 2 ? -1 : at + 2 + length;
  }

  /**
   * A context that came with more than its identity has the age and size of its trace all the same.
   */
  private static void remember(ThreadState into) {
    Trace trace = into.capturedTrace;
    if (trace == null || !trace.hasBegun() || !trace.isSampled()) {
      return;
    }
    Trace known = received(into, trace.hi(), trace.lo(), true);
    Object base = trace.baseContext();
    into.captured(
        base == null ? known : known.within(base, trace.stated() != null), into.capturedSpan);
  }

  private static void extract(Map<String, String> headers, ThreadState into)
      throws MalformedException {
    String waited = headers.remove(WAITED);
    String kept = headers.remove(KeepNotices.NAME);
    if (kept != null) {
      KeepNotices.heard(kept);
    }
    Bridges.current().extract(headers, into);
    remember(into);
    Trace trace = into.capturedTrace;
    if (waited != null && trace != null && trace.isSampled()) {
      into.captured(trace.waitedFor(nanos(waited)), into.capturedSpan);
    }
  }

  static long nanos(String text) throws MalformedException {
    try {
      return Math.max(0, Math.min(MAX_WAIT_NANOS, Long.parseLong(text)));
    } catch (NumberFormatException e) {
      throw new MalformedException("a wait that is no number");
    }
  }

  /** The headers, names and values by turns, and one more if the message has waited. */
  static @Nullable String[] withWait(@Nullable String[] headers, long waitedNanos) {
    if (waitedNanos == 0) {
      return headers;
    }
    @Nullable String[] more = java.util.Arrays.copyOf(headers, headers.length + 2);
    more[headers.length] = WAITED;
    more[headers.length + 1] = Long.toString(waitedNanos);
    return more;
  }

  /** Where the value of the only header begins, if that is a traceparent; else -1. */
  private static int plainValue(ByteBuffer from, int at, int end) {
    if (end - at != PLAIN_BYTES - 3 || from.getShort(at) != TRACEPARENT.length) {
      return -1;
    }
    for (int i = 0; i < TRACEPARENT.length; i++) {
      if (from.get(at + 2 + i) != TRACEPARENT[i]) {
        return -1;
      }
    }
    int value = at + 2 + TRACEPARENT.length + 2;
    return from.getShort(value - 2) == VALUE_BYTES ? value : -1;
  }

  /** Returns false if the value says what needs a context of OpenTelemetry's to be kept. */
  private static boolean readParent(ByteBuffer from, int at, ThreadState into)
      throws MalformedException {
    if (from.get(at) != '0' || from.get(at + 1) != '0') {
      return false; // a later version of the standard
    }
    expectDash(from, at + 2);
    expectDash(from, at + 35);
    expectDash(from, at + 52);
    long hi = hex(from, at + 3, 16);
    long lo = hex(from, at + 19, 16);
    long span = hex(from, at + 36, 16);
    int flags = (int) hex(from, at + 53, 2);
    if ((hi | lo) == 0 || span == 0) {
      throw new MalformedException("a traceparent without an id");
    }
    boolean sampled = (flags & SAMPLED) != 0;
    if (sampled && flags != (SAMPLED | RANDOM)) {
      return false; // flags that are not those of our own traces
    }
    into.captured(received(into, hi, lo, sampled), span);
    return true;
  }

  private static Trace received(ThreadState into, long hi, long lo, boolean sampled) {
    Trace trace = into.received(hi, lo, sampled);
    if (sampled && !trace.isSampled()) {
      RemoteCounts.countOverLimit();
    }
    return trace;
  }

  private static void expectDash(ByteBuffer from, int at) throws MalformedException {
    if (from.get(at) != '-') {
      throw new MalformedException("a traceparent without its dashes");
    }
  }

  private static long hex(ByteBuffer from, int at, int digits) throws MalformedException {
    long value = 0;
    for (int i = at; i < at + digits; i++) {
      int c = from.get(i);
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) {
        throw new MalformedException("a traceparent that is not hexadecimal");
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private static Map<String, String> headers(ByteBuffer from, int first, int end, int count)
      throws MalformedException {
    if (end - first > 4 * MAX_BYTES) {
      throw new MalformedException((end - first) + " bytes");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    int at = first;
    for (int i = 0; i < count; i++) {
      String name = text(from, at, end);
      at += 2 + from.getShort(at);
      String value = text(from, at, end);
      at += 2 + from.getShort(at);
      headers.put(name, value);
    }
    return headers;
  }

  private static String text(ByteBuffer from, int at, int end) throws MalformedException {
    int length = end - at < 2 ? -1 : from.getShort(at);
    if (length < 0 || length > end - at - 2) {
      throw new MalformedException("a header that is longer than the rest");
    }
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = from.get(at + 2 + i);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * The headers of a trace beside its traceparent, as names and values by turns: what fits into
   * {@link #MAX_BYTES} with it, in the order given.
   *
   * @param all names and values by turns
   */
  static byte[][] headers(@Nullable String[] all) {
    byte[][] encoded = new byte[all.length][];
    int bytes = PLAIN_BYTES;
    int kept = 0;
    for (int i = 0; i + 1 < all.length; i += 2) {
      String name = all[i];
      String value = all[i + 1];
      if (name == null || value == null) {
        continue;
      }
      byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
      byte[] valueBytes = value.getBytes(StandardCharsets.UTF_8);
      int more = 4 + nameBytes.length + valueBytes.length;
      if (bytes + more > MAX_BYTES) {
        RemoteCounts.countCut(name, valueBytes.length);
        continue;
      }
      bytes += more;
      encoded[kept++] = nameBytes;
      encoded[kept++] = valueBytes;
    }
    return java.util.Arrays.copyOf(encoded, kept);
  }
}
