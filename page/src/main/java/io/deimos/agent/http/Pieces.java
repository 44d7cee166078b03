// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.AnswerMemory;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A body as it is made or comes: a list of pieces, each asked for before it is filled. So a body
 * that is too large ends where it is, and none is ever copied to grow. One thread writes; another
 * may take the whole afterwards, and a third give it back meanwhile.
 */
public final class Pieces extends OutputStream {
  private static final int LEAST_BYTES = 2 * 1024;
  private static final int MAX_BYTES = 64 * 1024;

  private final AnswerMemory memory;
  private final List<byte[]> full = new ArrayList<>();
  private byte[] last = {};
  private int used;
  private long length;
  private long taken;

  public Pieces(AnswerMemory memory) {
    this.memory = memory;
  }

  @Override
  public void write(int b) throws AnswerMemory.ExceededException {
    if (used == last.length) {
      grow();
    }
    last[used++] = (byte) b;
    length++;
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws AnswerMemory.ExceededException {
    for (int done = 0; done < count; ) {
      if (used == last.length) {
        grow();
      }
      int part = Math.min(last.length - used, count - done);
      System.arraycopy(bytes, from + done, last, used, part);
      used += part;
      length += part;
      done += part;
    }
  }

  private void grow() throws AnswerMemory.ExceededException {
    int bytes = (int) Math.max(LEAST_BYTES, Math.min(MAX_BYTES, length));
    memory.take(taken, bytes);
    taken += bytes;
    if (length > 0) {
      full.add(last);
    }
    last = new byte[bytes];
    used = 0;
  }

  public long length() {
    return length;
  }

  /** All of it, to be read from the beginning. */
  public List<ByteBuffer> buffers() {
    List<ByteBuffer> buffers = new ArrayList<>();
    full.forEach(piece -> buffers.add(ByteBuffer.wrap(piece)));
    buffers.add(ByteBuffer.wrap(last, 0, used));
    return buffers;
  }

  /**
   * All of it in one piece, of memory that is not counted, so for one body at a time. Empty once it
   * is given back.
   */
  public synchronized byte[] bytes() {
    ByteBuffer whole = ByteBuffer.allocate((int) length);
    buffers().forEach(whole::put);
    return whole.array();
  }

  /** All of it, to be read from the beginning. Empty once it is given back. */
  public synchronized InputStream read() {
    List<InputStream> parts = new ArrayList<>();
    full.forEach(piece -> parts.add(new ByteArrayInputStream(piece)));
    parts.add(new ByteArrayInputStream(last, 0, used));
    return new SequenceInputStream(Collections.enumeration(parts));
  }

  /**
   * The same bytes, which nobody may add to any more.
   *
   * @param other what they are taken from as well, as long as a reader needs them
   */
  public Pieces sharedBy(AnswerMemory other) throws AnswerMemory.ExceededException {
    Pieces shared = new Pieces(other);
    other.take(0, (int) length);
    shared.taken = length;
    shared.full.addAll(full);
    shared.last = last;
    shared.used = used;
    shared.length = length;
    return shared;
  }

  /**
   * Gives the memory back, and keeps none of it, whoever still has these pieces. That it is whole,
   * and so closed, is no reason for it.
   */
  public synchronized void release() {
    memory.giveBack(taken);
    taken = 0;
    full.clear();
    last = new byte[0];
    used = 0;
    length = 0;
  }
}
