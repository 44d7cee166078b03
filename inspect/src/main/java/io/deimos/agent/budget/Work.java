// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work of one thread for one request, from its beginning until it is closed. Work that begins
 * within other work counts for its own kind only. Belongs to its thread.
 */
final class Work {
  private static final ThreadLocal<@Nullable Work> CURRENT = new ThreadLocal<>();

  private final Account account;
  private final BooleanSupplier unwanted;
  private final @Nullable Work outer;
  private final long begun = ThreadTime.nanos();
  private long ofInner;

  private Work(Account account, BooleanSupplier unwanted, @Nullable Work outer) {
    this.account = account;
    this.unwanted = unwanted;
    this.outer = outer;
  }

  /**
   * Begins.
   *
   * @param unwanted whether nobody waits for the answer any more
   */
  static Work begin(Account account, BooleanSupplier unwanted) {
    Work work = new Work(account, unwanted, CURRENT.get());
    CURRENT.set(work);
    return work;
  }

  /** Begins a part of what this thread is at; for whoever waits for that. */
  static Work beginPart(Account account) {
    Work now = CURRENT.get();
    return begin(account, now == null ? () -> false : now.unwanted);
  }

  boolean isUnwanted() {
    return unwanted.getAsBoolean();
  }

  /** The thread's processor time since this began, in nanoseconds. */
  long nanos() {
    return ThreadTime.nanos() - begun;
  }

  void close() {
    long nanos = nanos();
    account.add(Math.max(0, nanos - ofInner));
    if (outer == null) {
      CURRENT.remove();
    } else {
      outer.ofInner += nanos;
      CURRENT.set(outer);
    }
  }
}
