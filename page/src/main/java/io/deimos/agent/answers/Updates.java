// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Further;
import io.deimos.agent.http.Outgoing;
import io.deimos.agent.http.Pieces;
import io.deimos.agent.http.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The answers to several requests, again and again, as one stream of server-sent events.
 *
 * <p><b>Threads.</b> One at a time makes the next part; any may end it.
 *
 * <p><b>Bounds.</b> A part counts as memory of answers; nothing is kept between two. After {@value
 * #MINUTES} minutes the stream ends, and its client begins another.
 */
final class Updates implements Further {
  private static final long MINUTES = 10;
  private static final int BUFFER_BYTES = 8192;

  private final List<Asked> all = new ArrayList<>();
  private final Answerer answerer;
  private final AnswerMemory memory;
  private final Runnable whenOver;
  private final long endNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
  private final Parts to = new Parts();
  private final OutputStream out;
  private boolean busy;
  private boolean over;
  private boolean released;

  /**
   * @param packs whether the client takes gzip
   * @param whenOver called once, when the stream has ended
   */
  Updates(
      List<Polled> polled, Answerer answerer, AnswerMemory memory, boolean packs, Runnable whenOver)
      throws IOException {
    this.answerer = answerer;
    this.memory = memory;
    this.whenOver = whenOver;
    long now = System.nanoTime();
    polled.forEach(one -> all.add(new Asked(one, now)));
    to.part = new Pieces(memory);
    out = packs ? new GZIPOutputStream(to, BUFFER_BYTES, true) : to;
  }

  @Override
  public long dueNanos() {
    long now = System.nanoTime();
    long least = endNanos - now;
    for (Asked asked : all) {
      least = Math.min(least, asked.dueNanos - now);
    }
    return now + least;
  }

  @Override
  public @Nullable Outgoing next() throws IOException {
    if (!begin()) {
      return null;
    }
    Pieces part = Objects.requireNonNull(to.part);
    try {
      write();
      out.flush();
      to.part = new Pieces(memory);
      return new Outgoing(part.buffers(), part::release, null);
    } catch (AnswerMemory.ExceededException e) {
      part.release();
      return null; // the client begins anew, when others have read theirs
    } catch (Throwable t) {
      part.release();
      throw t;
    } finally {
      done();
    }
  }

  private void write() throws IOException {
    long now = System.nanoTime();
    for (int i = 0; i < all.size(); i++) {
      Asked asked = all.get(i);
      if (asked.dueNanos - now <= 0) {
        Reply reply = answerer.answer(asked.polled.target());
        write(i, reply.status(), reply.body());
        long every = TimeUnit.MILLISECONDS.toNanos(asked.polled.everyMillis());
        long next = asked.dueNanos + every;
        long then = System.nanoTime();
        asked.dueNanos = next - then > 0 ? next : then + every; // a slow client misses some
      }
    }
  }

  private void write(int number, int status, byte[] body) throws IOException {
    text("event: value\ndata: {\"ask\":" + number + ",\"status\":" + status + ",\"value\":");
    out.write(body);
    text("}\n\n");
  }

  private void text(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private synchronized boolean begin() {
    if (!over && System.nanoTime() - endNanos >= 0) {
      end();
    }
    busy = !over;
    return busy;
  }

  private synchronized void done() {
    busy = false;
    if (over) {
      release();
    }
  }

  @Override
  public synchronized void end() {
    over = true;
    if (!busy) {
      release();
    }
  }

  private void release() {
    if (released) {
      return;
    }
    released = true;
    Pieces part = to.part;
    if (part != null) {
      part.release();
      to.part = null;
    }
    try {
      out.close(); // gives back what packing takes outside of the heap
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written any more", e);
    } finally {
      whenOver.run();
    }
  }

  /**
   * A request that is answered again and again.
   *
   * @param target path and query
   * @param everyMillis how often
   */
  record Polled(String target, int everyMillis) {}

  /** Answers one request, in JSON that is not packed. */
  interface Answerer {
    /** Throws nothing. */
    Reply answer(String target);
  }

  private static final class Asked {
    private final Polled polled;
    private long dueNanos;

    Asked(Polled polled, long dueNanos) {
      this.polled = polled;
      this.dueNanos = dueNanos;
    }
  }

  /** Writes to the part that is being made; to nowhere after the end. */
  private static final class Parts extends OutputStream {
    private @Nullable Pieces part;

    @Override
    public void write(int b) throws IOException {
      if (part != null) {
        part.write(b);
      }
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      if (part != null) {
        part.write(bytes, from, count);
      }
    }
  }
}
