// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.budget.Scan;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Pieces;
import io.deimos.agent.http.Request;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers what has to be searched for, within what all searches may take. A request that comes
 * while more is owed gets the last answer to the same request, if it is still here; others are
 * refused. An answer that took long to make stands until it is paid for. Safe for any thread; none
 * waits for another.
 *
 * <p><b>Bounds.</b> At most {@value #MAX_KEPT} answers are kept, packed or not as they were asked
 * for, and an eighth of what answers may take. The one that was made first goes first.
 */
final class Searches {
  private static final int MAX_KEPT = 16;
  private static final int SHARE_OF_ANSWERS = 8;

  /** A search that takes no longer may be asked again at once. */
  private static final long SHORT_NANOS = 20_000_000;

  private final Accountant accountant;
  private final Map<String, Kept> kept = new LinkedHashMap<>();
  private long bytes;

  Searches(Accountant accountant) {
    this.accountant = accountant;
  }

  /** The last answer to a request, and until when it stands. */
  private record Kept(Pieces pieces, boolean isPacked, long madeAt, long paidAt) {}

  /**
   * Answers a request.
   *
   * @param stands whether an answer stands until it is paid for; else each request is searched for
   *     while there is a budget
   * @param call makes the call for a scan
   */
  void answer(
      Request request,
      Answer answer,
      boolean stands,
      Function<Scan, Call> call,
      Endpoints.Responder responder)
      throws IOException {
    String key = request.path() + '?' + request.query() + (answer.takesGzip() ? "#gzip" : "#");
    boolean isOver = accountant.isOver();
    if (given(key, answer, isOver, stands)) {
      return;
    }
    if (isOver) {
      long seconds = accountant.secondsToWait();
      accountant.refused();
      answer.header("Retry-After", Long.toString(seconds));
      answer.error(
          503,
          "searches have taken more than "
              + accountant.share()
              + " of a core (deimos.observer.cpu); ask again in "
              + seconds
              + " s");
      return;
    }
    try (Scan scan = accountant.scan()) {
      responder.answer(call.apply(scan), answer);
      if (!scan.isCancelled()) {
        keep(key, answer, Math.max(0, scan.nanos() - SHORT_NANOS));
      }
    }
  }

  private boolean given(String key, Answer answer, boolean isOver, boolean stands)
      throws AnswerMemory.ExceededException {
    long now = System.nanoTime();
    synchronized (kept) {
      Kept known = kept.get(key);
      if (known == null || !(isOver || (stands && now - known.paidAt < 0))) {
        return false;
      }
      answer.again(known.pieces.sharedBy(accountant.answers()), known.isPacked, now - known.madeAt);
      return true;
    }
  }

  private void keep(String key, Answer answer, long nanos) {
    Pieces pieces = answer.kept(accountant.answers());
    if (pieces == null) {
      return;
    }
    long now = System.nanoTime();
    synchronized (kept) {
      forget(kept.remove(key));
      kept.put(
          key, new Kept(pieces, answer.isPacked(), now, now + accountant.paidAfterNanos(nanos)));
      bytes += pieces.length();
      long room = accountant.answers().bound() / SHARE_OF_ANSWERS;
      for (Iterator<Kept> eldest = kept.values().iterator();
          kept.size() > MAX_KEPT || bytes > room; ) {
        Kept gone = eldest.next();
        eldest.remove();
        forget(gone);
      }
    }
  }

  private void forget(@Nullable Kept gone) {
    if (gone != null) {
      bytes -= gone.pieces.length();
      gone.pieces.release();
    }
  }
}
