// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer: waits for the workers, and writes what they have made, as fast as the
 * client reads. On the loop's thread, but for what workers ask.
 */
final class Exchange implements Phase {
  private enum At {
    WAITING,
    WRITING,
    PAUSED
  }

  private final Connection connection;
  private final @Nullable Incoming body;

  /** Whether a body was to come that has not come whole. */
  private final boolean isSending;

  /** True once it is decided who answers: the worker, or the loop whose patience is over. */
  private final AtomicBoolean settled = new AtomicBoolean();

  private At at = At.WAITING;
  private @Nullable Outgoing out;
  private @Nullable Further further;

  /** Whether the client has said that it sends no more, and has most likely gone. */
  private volatile boolean gone;

  private Exchange(Connection connection, @Nullable Incoming body, boolean isSending) {
    this.connection = connection;
    this.body = body;
    this.isSending = isSending;
  }

  /**
   * Has a request answered.
   *
   * @param body takes memory until the answer has been read
   */
  static void begin(
      Connection connection, Request request, @Nullable Incoming body, boolean takesTurns)
      throws IOException {
    Exchange begun = new Exchange(connection, body, false);
    begun.await();
    Answer refusal = connection.loop().workers().answer(begun, request, takesTurns);
    if (refusal != null) {
      begun.write(refusal.outgoing());
    }
  }

  /**
   * Answers a request that is not handled.
   *
   * @param body what has come of its body
   * @param isSending whether a body was to come that has not come whole
   */
  static void refuse(
      Connection connection, @Nullable Incoming body, boolean isSending, Answer refusal)
      throws IOException {
    new Exchange(connection, body, isSending).write(refusal.outgoing());
  }

  Connection connection() {
    return connection;
  }

  /** True for the first of the two who may answer the request. By any thread. */
  boolean settle() {
    return settled.compareAndSet(false, true);
  }

  /** Whether it needs no answer any more. By any thread. */
  boolean isOver() {
    return settled.get() || !connection.channel().isOpen();
  }

  /** Whether nobody waits for the answer any more. By any thread. */
  boolean isUnwanted() {
    return settled.get() || hasGone();
  }

  /** Whether nobody reads the next part. By any thread. */
  boolean hasGone() {
    return gone || !connection.channel().isOpen();
  }

  /** An answer is made, or its next part; null if there is none. */
  void answered(@Nullable Outgoing made) {
    if (!connection.isAt(this)) {
      if (made != null) {
        made.end();
      }
      return;
    }
    try {
      write(made);
    } catch (IOException | RuntimeException e) {
      connection.end(); // the client has gone away
    }
  }

  private void await() {
    at = At.WAITING;
    connection.enter(
        this,
        gone ? 0 : SelectionKey.OP_READ,
        Connection.deadline(connection.loop().bounds().write()));
  }

  private void write(@Nullable Outgoing made) throws IOException {
    out = made;
    at = At.WRITING;
    connection.moved();
    connection.enter(
        this, SelectionKey.OP_WRITE, Connection.deadline(connection.loop().bounds().write()));
    write();
  }

  @Override
  public void ready() throws IOException {
    switch (at) {
      case WAITING -> hear();
      case WRITING -> write();
      case PAUSED -> {
        if (connection.skip() < 0 || hasSaidTooMuch()) {
          connection.end();
        }
      }
    }
  }

  /** A client that waits for its answer has nothing more to say, but may go. */
  private void hear() throws IOException {
    if (connection.skip() < 0) {
      gone = true;
    }
    if (gone || hasSaidTooMuch()) {
      connection.hearNoMore();
    }
  }

  private boolean hasSaidTooMuch() {
    return connection.skippedBytes() > Connection.MAX_SKIPPED_BYTES;
  }

  private void write() throws IOException {
    Outgoing writing = out;
    if (writing == null) {
      connection.end(); // there were no more parts
      return;
    }
    ClientChannel channel = connection.channel();
    boolean whole = writing.writeTo(channel) && channel.flush();
    if (writing.hasMoved()) {
      connection.moved();
    }
    if (whole) {
      written(writing);
    }
  }

  private void written(Outgoing whole) throws IOException {
    Further begun = whole.takeFurther();
    if (begun != null) {
      further = begun;
    }
    forgetAnswer();
    Upgrade next = whole.next();
    if (further != null) {
      at = At.PAUSED;
      connection.enter(this, SelectionKey.OP_READ, further.dueNanos());
    } else if (next != null) {
      Proving.begin(connection, next);
    } else {
      Lingering.begin(connection, isSending);
    }
  }

  @Override
  public void overdue() {
    Further more = further;
    if (at == At.PAUSED && more != null) {
      await();
      connection.loop().workers().goOn(this, more);
    } else if (at == At.WAITING && more == null) {
      late();
    } else {
      connection.end();
    }
  }

  /** An answer that is not made in time is not waited for; what is made of it later is let go. */
  private void late() {
    if (settle()) {
      answered(
          Answer.refusal(
                  503,
                  "the answer took longer than "
                      + connection.loop().bounds().write().toSeconds()
                      + " s, since the process is busy; ask again")
              .outgoing());
    } else {
      await(); // it has just been made, and is next
    }
  }

  @Override
  public boolean isClientsTurn() {
    return at == At.WRITING;
  }

  @Override
  public void end() {
    forgetAnswer();
    Further more = further;
    if (more != null) {
      further = null;
      more.end();
    }
  }

  private void forgetAnswer() {
    if (body != null) {
      body.release();
    }
    Outgoing answer = out;
    if (answer != null) {
      answer.end();
      out = null;
    }
  }
}
