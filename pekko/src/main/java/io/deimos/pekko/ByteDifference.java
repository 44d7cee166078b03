// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps from some bytes to others: parts to copy, and between them bytes to put there. A woven
 * class is for the most part the class that it was.
 *
 * <p><b>Form.</b> Again and again three numbers and bytes: how many bytes to put there, these
 * bytes, how many to copy then, and from where, seen from the end of the last copied part. Numbers
 * have seven bits a byte, the lowest first; of the last the lowest bit is the sign.
 */
final class ByteDifference {
  /** Shorter parts are not worth their numbers. */
  private static final int LEAST = 8;

  /** Looks at no more than so many of the places where a part may be. */
  private static final int MAX_PLACES = 200;

  private ByteDifference() {}

  /** The difference from {@code from} to {@code to}. */
  static byte[] of(byte[] from, byte[] to) {
    Map<Long, List<Integer>> places = new HashMap<>();
    for (int i = 0; i + LEAST <= from.length; i++) {
      places.computeIfAbsent(word(from, i), word -> new ArrayList<>()).add(i);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int copied = 0; // where in from the last copied part ended
    int put = 0; // up to where in to all is written
    int at = 0;
    while (at < to.length) {
      int place = -1;
      int length = 0;
      if (at + LEAST <= to.length) {
        int natural = copied + at - put;
        List<Integer> some = new ArrayList<>(places.getOrDefault(word(to, at), List.of()));
        if (natural < from.length) {
          some.add(0, natural);
        }
        for (int candidate : some.subList(0, Math.min(some.size(), MAX_PLACES))) {
          int equal = equal(from, candidate, to, at);
          if (equal > length) {
            place = candidate;
            length = equal;
          }
        }
      }
      if (length < LEAST) {
        at++;
        continue;
      }
      piece(out, to, put, at, length, place - copied);
      at += length;
      put = at;
      copied = place + length;
    }
    piece(out, to, put, at, 0, 0);
    return out.toByteArray();
  }

  private static void piece(
      ByteArrayOutputStream out, byte[] to, int start, int end, int copied, int step) {
    number(out, end - start);
    out.write(to, start, end - start);
    number(out, copied);
    number(out, step < 0 ? (-step << 1) | 1 : step << 1);
  }

  private static void number(ByteArrayOutputStream out, int number) {
    int rest = number;
    while (rest > 0x7f) {
      out.write((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  private static long word(byte[] bytes, int at) {
    long word = 0;
    for (int i = 0; i < LEAST; i++) {
      word = (word << 8) | (bytes[at + i] & 0xff);
    }
    return word;
  }

  private static int equal(byte[] some, int i, byte[] others, int j) {
    int n = 0;
    while (i + n < some.length && j + n < others.length && some[i + n] == others[j + n]) {
      n++;
    }
    return n;
  }

  /**
   * The bytes of which {@link #of} told the difference.
   *
   * @param all has the difference, from {@code start} on
   * @param length how many bytes there will be
   * @throws IndexOutOfBoundsException if it is not a difference from these bytes
   */
  static byte[] apply(byte[] from, byte[] all, int start, int length) {
    return new Reading(from, all, start, length).read();
  }

  private static final class Reading {
    private final byte[] from;
    private final byte[] all;
    private final byte[] made;
    private int at;

    Reading(byte[] from, byte[] all, int start, int length) {
      this.from = from;
      this.all = all;
      at = start;
      made = new byte[length];
    }

    byte[] read() {
      int written = 0;
      int copied = 0;
      while (written < made.length) {
        int put = number();
        System.arraycopy(all, at, made, written, put);
        at += put;
        written += put;
        int length = number();
        int step = number();
        copied += (step & 1) == 0 ? step >>> 1 : -(step >>> 1);
        System.arraycopy(from, copied, made, written, length);
        written += length;
        copied += length;
      }
      return made;
    }

    private int number() {
      int number = 0;
      for (int shift = 0; ; shift += 7) {
        byte next = all[at++];
        number |= (next & 0x7f) << shift;
        if (next >= 0) {
          return number;
        }
      }
    }
  }
}
