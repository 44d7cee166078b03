// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.MessageClass;
import java.util.ArrayList;
import java.util.List;

/**
 * One message class at one kind of actor, in the eyes of {@link SeriesBudget}: whether it has a
 * series of its own, and how much there was of it lately.
 *
 * <p><b>Threads.</b> All under the budget's lock.
 */
final class Pair {
  /** For how many windows a folded pair must look heavy before it is believed. */
  static final int WINDOWS = 3;

  final ActorKind kind;
  final MessageClass message;
  final int hash;
  volatile boolean own;

  /** Messages lately, if {@link #own}. */
  long score;

  /**
   * The counts from the time when this pair had a series, which it has no more; null for nothing.
   */
  long[] parked = NONE;

  /** Arrays of a series that ended in this window: one more message may still be counted there. */
  final List<long[]> retired = new ArrayList<>(0);

  private static final long[] NONE = {};
  private final long[] heat = new long[WINDOWS];
  private int windows;
  private long before;
  long now;

  Pair(ActorKind kind, MessageClass message, boolean own) {
    this.kind = kind;
    this.message = message;
    this.own = own;
    int h = kind.id() * 0x9E3779B9 + message.id() * 0x85EBCA6B;
    this.hash = h ^ (h >>> 15);
  }

  /** A window is over in which {@link #now} came to what it is; what there was long ago fades. */
  void rate() {
    score = Math.max(now - before, score / 2);
    before = now;
  }

  /** A window is over in which this pair's bucket had so much more than the usual one. */
  void heat(long above) {
    heat[windows++ % WINDOWS] = above;
  }

  /** How many messages a window this pair has at most, in so many windows' judgement. */
  long estimate() {
    if (windows < WINDOWS) {
      return 0;
    }
    long least = heat[0];
    for (long h : heat) {
      least = Math.min(least, h);
    }
    return least;
  }

  void begins(long expected) {
    own = true;
    score = expected;
    before = 0;
    now = 0;
  }

  void ends() {
    own = false;
    windows = 0;
  }

  /** Adds what was counted before the cells there are now. */
  void addPastTo(long[] sums) {
    if (parked.length != 0) {
      MessageCell.add(parked, sums);
    }
    for (long[] counts : retired) {
      MessageCell.add(counts, sums);
    }
  }

  /** Nobody counts in the retired arrays any more. */
  void settle() {
    if (!retired.isEmpty()) {
      long[] sums = new long[MessageCell.LONGS];
      addPastTo(sums);
      parked = sums;
      retired.clear();
    }
  }

  void forgetPast() {
    parked = NONE;
    retired.clear();
  }
}
