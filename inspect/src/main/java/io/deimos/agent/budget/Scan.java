// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look through much: texts, records, actors. A search asks after each piece whether to go on,
 * and says what was left out if not. It ends when all that searches may take is used up, when it
 * has taken one second of a processor itself, when its time is up, and when nobody waits for it.
 * Belongs to its thread.
 */
public final class Scan implements AutoCloseable {
  /** So many characters, or about as much work, are looked at between two looks at the clocks. */
  private static final int PIECE = 1 << 14;

  private static final long MAX_NANOS = 3_000_000_000L;

  private final @Nullable CpuDebt debt;
  private final @Nullable Account account;
  private final @Nullable Work work;
  private final long begun = System.nanoTime();
  private final List<String> notLookedAt = new ArrayList<>();
  private int left = PIECE;
  private long counted;
  private @Nullable String ended;
  private boolean cancelled;

  private Scan(@Nullable CpuDebt debt, @Nullable Account account) {
    this.debt = debt;
    this.account = account;
    this.work = account == null ? null : Work.beginPart(account);
  }

  static Scan of(CpuDebt debt, Account account) {
    return new Scan(debt, account);
  }

  /** One without an end, for who does not search for a request. */
  public static Scan unbounded() {
    return new Scan(null, null);
  }

  /**
   * Whether to go on.
   *
   * @param characters how many were looked at, or as many as would have taken as long
   */
  public boolean goesOn(int characters) {
    left -= characters;
    if (left <= 0) {
      left = PIECE;
      look();
    }
    return ended == null;
  }

  private void look() {
    Work at = work;
    CpuDebt owes = debt;
    if (at == null || owes == null || ended != null) {
      return;
    }
    long nanos = at.nanos();
    boolean goesOn = owes.add(nanos - counted);
    counted = nanos;
    if (at.isUnwanted()) {
      cancelled = true;
      ended = "nobody waits for the answer any more";
    } else if (!goesOn) {
      ended = "searches have taken what they may of a core (deimos.observer.cpu)";
    } else if (nanos > CpuDebt.MAX_NANOS || System.nanoTime() - begun > MAX_NANOS) {
      ended = "the search took too long; ask for less";
    }
  }

  /** Whether it has ended before all was looked at. */
  public boolean isCut() {
    return ended != null;
  }

  /** Whether it has ended since nobody waits for it. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Something was not looked at, since this has ended. */
  public void leftOut(String what) {
    notLookedAt.add(what + ": " + ended + '.');
  }

  /** The parts that were not looked at, a sentence each. */
  public List<String> notLookedAt() {
    return List.copyOf(notLookedAt);
  }

  /** Its processor time so far, in nanoseconds. */
  public long nanos() {
    return work == null ? 0 : work.nanos();
  }

  @Override
  public void close() {
    Work at = work;
    if (at == null || debt == null || account == null) {
      return;
    }
    debt.add(at.nanos() - counted);
    if (cancelled) {
      account.cancelled();
    } else if (ended != null) {
      account.cut();
    }
    at.close();
  }
}
