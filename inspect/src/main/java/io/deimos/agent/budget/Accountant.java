// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps account of what requests take of this process, whichever way they come in: time of its
 * processors, and memory for answers and bodies. Searches have a bound of time, all else takes it
 * in proportion to what is answered. Safe for any thread.
 */
public final class Accountant {
  /** The kinds of requests. */
  public enum Kind {
    /** Answers, but for what is searched for them. */
    REQUESTS,
    /** Searches through much: traces, messages, actors. */
    SEARCHES,
    /** Further parts of streams. */
    STREAMS,
    /** Spans and all else that comes over OTLP. */
    OTLP,
    /** Requests of the page of another process. */
    LINKS;

    /** As the interface has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The kinds of memory: answers, bodies. */
  public static final List<String> MEMORIES = List.of("answers", "bodies");

  private final double share;
  private final CpuDebt debt;
  private final Map<Kind, Account> accounts = new EnumMap<>(Kind.class);
  private final AnswerMemory answers;
  private final AnswerMemory bodies;

  /**
   * @param share of one core that searches may take, above 0
   * @param maxBytes what answers under way may take, and as much again what is sent here
   */
  public Accountant(double share, long maxBytes) {
    this(share, maxBytes, System::nanoTime);
  }

  Accountant(double share, long maxBytes, LongSupplier nanoTime) {
    this.share = share;
    this.debt = new CpuDebt(share, nanoTime);
    this.answers = new AnswerMemory(maxBytes);
    this.bodies = new AnswerMemory(maxBytes);
    for (Kind kind : Kind.values()) {
      accounts.put(kind, new Account(nanoTime));
    }
  }

  /**
   * One whose memory is also bounded by the heap.
   *
   * @param share of one core that searches may take, above 0
   * @param maxBytes what answers under way may take, and as much again what is sent here
   */
  public static Accountant ofHeap(double share, long maxBytes) {
    return new Accountant(share, Math.min(maxBytes, AnswerMemory.maxBytesOfHeap()));
  }

  private Account account(Kind kind) {
    Account account = accounts.get(kind);
    if (account == null) {
      throw new IllegalStateException("each kind has an account: " + kind);
    }
    return account;
  }

  /**
   * Does what a request needs, on the current thread, and counts it.
   *
   * @param unwanted whether nobody waits for the answer any more; asked by this thread
   */
  public <V extends @Nullable Object, E extends Exception> V count(
      Kind kind, BooleanSupplier unwanted, Task<V, E> task) throws E {
    Work work = Work.begin(account(kind), unwanted);
    try {
      return task.run();
    } finally {
      work.close();
    }
  }

  /** The needs of a request. */
  public interface Task<V extends @Nullable Object, E extends Exception> {
    V run() throws E;
  }

  /** Whether searches have taken so much that none may begin; if so, one is refused. */
  public boolean isOver() {
    return debt.isOver();
  }

  /** One search was refused. */
  public void refused() {
    account(Kind.SEARCHES).refused();
  }

  /** After how many seconds the next search may begin. */
  public long secondsToWait() {
    return Math.max(1, debt.secondsToWait());
  }

  /** For how long an answer is good that took so long to search: by then, it is paid for. */
  public long paidAfterNanos(long nanos) {
    return Math.round(nanos * debt.timesItsCost());
  }

  /** The current thread begins to search. */
  public Scan scan() {
    return Scan.of(debt, account(Kind.SEARCHES));
  }

  /** The memory in which answers are made. */
  public AnswerMemory answers() {
    return answers;
  }

  /** The memory of the bodies of requests. */
  public AnswerMemory bodies() {
    return bodies;
  }

  /** The share of one core that searches may take. */
  public double share() {
    return share;
  }

  /** The processor time of the requests of a kind. */
  public Taken taken(Kind kind) {
    return account(kind).read();
  }

  /**
   * The processor time of the requests of one kind.
   *
   * @param requests how many have ended
   * @param minuteNanos what they have taken in the last minute
   * @param nanos what they have taken since the start
   * @param refused how many were refused
   * @param cut how many ended before all was looked at
   * @param cancelled how many ended since nobody waited for the answer
   */
  public record Taken(
      long requests, long minuteNanos, long nanos, long refused, long cut, long cancelled) {}
}
