// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.wire.WireContext.MalformedException;
import java.nio.ByteBuffer;

/**
 * The context that Kamon puts beside a message: read, never written.
 *
 * <p>Kamon's bytes are Colfer's: a structure is fields in rising order, each an index and its
 * value, ended by 0x7f; numbers of elements and bytes are in base 128, the lowest seven bits first.
 *
 * <pre>
 *   context  0 tags: 0 texts, 1 numbers, 2 booleans, each a list of pairs    1 entries: a list
 *   entry    0 name   1 bytes
 *   span     0 trace id   1 span id   2 parent id   3 decision: 1 sampled, 2 not, 3 unknown
 * </pre>
 */
public final class KamonContext {
  private static final int END = 0x7f;
  private static final int TAG_KINDS = 3;
  private static final int NOT_SAMPLED = 2;
  private static final byte[] SPAN = {'s', 'p', 'a', 'n'};

  private final ByteBuffer from;
  private final int end;
  private int at;

  private KamonContext(ByteBuffer from, int at, int end) {
    this.from = from;
    this.at = at;
    this.end = end;
  }

  /** Reads a context and tells {@code into.captured(…)} if there is a span in it. */
  public static void read(ByteBuffer from, int at, int end, ThreadState into)
      throws MalformedException {
    new KamonContext(from, at, end).context(into);
  }

  private void context(ThreadState into) throws MalformedException {
    int field = next();
    if (field == 0) {
      skipTags();
      field = next();
    }
    if (field == 1) {
      for (int left = number(); left > 0; left--) {
        entry(into);
      }
    }
  }

  private void skipTags() throws MalformedException {
    for (int field = next(); field != END; field = next()) {
      if (field >= TAG_KINDS) {
        throw new MalformedException("Kamon's tags of kind " + field);
      }
      for (int left = number(); left > 0; left--) {
        skipTag(field);
      }
    }
  }

  private void skipTag(int kind) throws MalformedException {
    int field = next();
    if (field == 0) {
      skip(number());
      field = next();
    }
    if (field != END) {
      if (kind == 0) {
        skip(number());
      } else if (kind == 1) {
        number();
      }
      field = next();
    }
    expectEnd(field);
  }

  private void entry(ThreadState into) throws MalformedException {
    boolean span = false;
    int field = next();
    if (field == 0) {
      int length = number();
      span = length == SPAN.length && at + length <= end;
      for (int i = 0; span && i < length; i++) {
        span = from.get(at + i) == SPAN[i];
      }
      skip(length);
      field = next();
    }
    if (field == 1) {
      int length = number();
      int value = at;
      skip(length);
      if (span) {
        new KamonContext(from, value, at).span(into);
      }
      field = next();
    }
    expectEnd(field);
  }

  private void span(ThreadState into) throws MalformedException {
    long hi = 0;
    long lo = 0;
    long id = 0;
    int decision = 1;
    for (int field = next(); field != END; field = next()) {
      if (field == 3) {
        decision = next();
        continue;
      }
      int length = number();
      int value = at;
      skip(length);
      if (length > 16 || field > 3) {
        throw new MalformedException("Kamon's span of another form");
      }
      if (field == 0) {
        hi = length > 8 ? big(value, value + length - 8) : 0;
        lo = big(Math.max(value, value + length - 8), value + length);
      } else if (field == 1) {
        id = big(value, value + length);
      }
    }
    if ((hi | lo) != 0 && id != 0) {
      into.captured(into.received(hi, lo, decision != NOT_SAMPLED), id);
    }
  }

  private long big(int first, int past) {
    long value = 0;
    for (int i = first; i < past; i++) {
      value = value << 8 | (from.get(i) & 0xff);
    }
    return value;
  }

  private int next() throws MalformedException {
    if (at >= end) {
      throw new MalformedException("Kamon's context ends too early");
    }
    return from.get(at++) & 0xff;
  }

  private int number() throws MalformedException {
    long value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
      int b = next();
      value |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return (int) Math.min(value, Integer.MAX_VALUE);
      }
    }
    next(); // the ninth byte of a number is whole
    return Integer.MAX_VALUE;
  }

  private void skip(int bytes) throws MalformedException {
    if (bytes > end - at) {
      throw new MalformedException("Kamon's context is longer than the rest");
    }
    at += bytes;
  }

  private static void expectEnd(int field) throws MalformedException {
    if (field != END) {
      throw new MalformedException("Kamon's context of another form");
    }
  }
}
