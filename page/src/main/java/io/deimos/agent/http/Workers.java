// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.Accountant;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Make the answers, on up to {@value #MAX_THREADS} threads, which come when they are needed and go
 * when they are idle. Requests that {@linkplain HttpHandler.Terms#takesTurns take turns} have one
 * thread more, and {@value #MAX_WAITING} of them wait for it; the next is refused at once, and so
 * is one that had to wait for {@value #TURN_SECONDS} s.
 */
final class Workers {
  private static final int MAX_THREADS = 4;
  private static final int MAX_WAITING = 16;
  private static final int TURN_SECONDS = 5;
  private static final int IDLE_SECONDS = 10;

  private final HttpLoop loop;
  private final HttpHandler handler;
  private final Accountant accountant;
  private final ThreadPoolExecutor each;
  private final ThreadPoolExecutor turns;

  Workers(HttpLoop loop, HttpHandler handler, Accountant accountant, int connections) {
    this.loop = loop;
    this.handler = handler;
    this.accountant = accountant;
    this.each = pool(MAX_THREADS, new LinkedBlockingQueue<>(connections));
    this.turns = pool(1, new ArrayBlockingQueue<>(MAX_WAITING));
  }

  private static ThreadPoolExecutor pool(int threads, BlockingQueue<Runnable> waiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            waiting,
            AgentThread.factory("deimos-page-answer"));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * Has a request answered.
   *
   * @return why it is not; null if it is
   */
  @Nullable Answer answer(Exchange exchange, Request request, boolean takesTurns) {
    if (!takesTurns) {
      each.execute(() -> make(exchange, request, Accountant.Kind.REQUESTS));
      return null;
    }
    long since = System.nanoTime();
    try {
      turns.execute(
          () -> {
            if (isTooLate(since)) {
              done(exchange, busy(request));
            } else {
              make(exchange, request, Accountant.Kind.OTLP);
            }
          });
      return null;
    } catch (RejectedExecutionException e) {
      return busy(request);
    }
  }

  private static boolean isTooLate(long since) {
    return System.nanoTime() - since > TimeUnit.SECONDS.toNanos(TURN_SECONDS);
  }

  private Answer busy(Request request) {
    Request.Malformed full = Request.Malformed.noRoom();
    return handler.refused(request, full.status(), full.said());
  }

  /** Nobody waits any more where the time was up before its turn came. */
  private void make(Exchange exchange, Request request, Accountant.Kind kind) {
    if (exchange.isOver()) {
      return;
    }
    Answer answer;
    try {
      answer = accountant.count(kind, exchange::isUnwanted, () -> handler.handle(request));
    } catch (Throwable t) {
      answer = failed(t);
    }
    done(exchange, answer);
  }

  private void done(Exchange exchange, Answer answer) {
    Outgoing made = answer.outgoing();
    if (exchange.settle()) {
      loop.execute(() -> exchange.answered(made));
    } else {
      made.end(); // its time was up, and the client has been told so
    }
  }

  /** If all are busy, a later connection brings it about. */
  void refresh(Certificates certificates) {
    try {
      each.execute(certificates::refresh);
    } catch (RejectedExecutionException e) {
      // or there is none, and nobody who would see them
    }
  }

  static Answer failed(Throwable failure) {
    Faults.caught(failure);
    return Answer.refusal(500, "Deimos failed while it made this answer: " + failure);
  }

  /** Has the next part of an answer made. */
  void goOn(Exchange exchange, Further further) {
    each.execute(
        () -> {
          Outgoing part = null;
          try {
            part =
                accountant
                    .count(
                        Accountant.Kind.STREAMS,
                        exchange::hasGone,
                        () -> Optional.ofNullable(further.next()))
                    .orElse(null);
          } catch (Throwable t) {
            Faults.caught(t);
          }
          Outgoing next = part;
          loop.execute(() -> exchange.answered(next));
        });
  }

  /**
   * Has a call of HTTP/2 wait for its turn.
   *
   * @param then takes what it leads to, on the loop's thread
   */
  void turn(
      ClientChannel channel, Supplier<Runnable> task, Consumer<Runnable> then, Runnable busy) {
    long since = System.nanoTime();
    try {
      turns.execute(
          () -> {
            if (isTooLate(since)) {
              loop.execute(() -> then.accept(busy));
            } else if (channel.isOpen()) {
              Runnable made =
                  accountant.count(Accountant.Kind.OTLP, () -> !channel.isOpen(), task::get);
              loop.execute(() -> then.accept(made));
            }
          });
    } catch (RejectedExecutionException e) {
      busy.run();
    }
  }

  void close() {
    each.shutdownNow();
    turns.shutdownNow();
  }
}
