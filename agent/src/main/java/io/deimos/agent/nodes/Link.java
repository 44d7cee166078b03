// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two processes, with frames both ways. One thread reads, another writes;
 * {@link #offer} waits for nobody. What is queued is bounded in bytes, and so is what is read in a
 * second: a peer that sends more has to wait, and one from which nothing has come for {@value
 * #SILENCE_MILLIS} ms counts as gone.
 */
final class Link implements AutoCloseable {
  static final int MOST_FRAME_BYTES = 8 << 20;
  static final int SILENCE_MILLIS = 6_000;

  /** As long as nobody knows who is on the other side. */
  private static final int MOST_UNPROVEN_BYTES = 1024;

  /** Of each frame: its length and its type. */
  private static final int HEAD_BYTES = 5;

  private static final int MOST_QUEUED_BYTES = 12 << 20;
  private static final long MOST_READ_PER_SECOND = 8 << 20;
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int BUFFER_BYTES = 32 * 1024;

  private final SocketChannel channel;
  private final Peer peer;
  private final Object lock = new Object();
  private final Queue<Frame> queue = new ArrayDeque<>();
  private int queuedBytes;
  private boolean closed;
  private volatile int mostFrameBytes = MOST_UNPROVEN_BYTES;
  private long readSince = System.nanoTime();
  private long read;

  private static final class Frame {
    final FrameType type;
    final byte[] content;

    Frame(FrameType type, byte[] content) {
      this.type = type;
      this.content = content;
    }
  }

  /** Who uses a link. */
  interface Peer {
    /** A frame has come. Called by the thread that reads. */
    void take(FrameType type, byte[] content) throws IOException;

    /** Called some times a second by the thread that writes. */
    void round();

    /** The connection has ended. Called once. */
    void ended();
  }

  /**
   * @param channel connected, and blocking
   */
  Link(SocketChannel channel, Peer peer) {
    this.channel = channel;
    this.peer = peer;
  }

  void start() {
    AgentThread.start("deimos-link", this::readAll);
    AgentThread.start("deimos-link-out", this::writeAll);
  }

  /** The other side is who it should be. */
  void trust() {
    mostFrameBytes = MOST_FRAME_BYTES;
  }

  /**
   * Sends a frame when there is time.
   *
   * @return false if too much is waiting already; then it is not sent
   */
  boolean offer(FrameType type, byte[] content) {
    synchronized (lock) {
      if (closed || queuedBytes + content.length > MOST_QUEUED_BYTES) {
        return false;
      }
      queue.add(new Frame(type, content));
      queuedBytes += content.length;
      lock.notifyAll();
      return true;
    }
  }

  /** Whether less than a quarter of what may wait does. */
  boolean hasRoom() {
    synchronized (lock) {
      return !closed && queuedBytes < MOST_QUEUED_BYTES / 4;
    }
  }

  /** On the thread that reads, until the connection ends. */
  void readAll() {
    try {
      channel.socket().setSoTimeout(SILENCE_MILLIS);
      DataInputStream in =
          new DataInputStream(
              new BufferedInputStream(channel.socket().getInputStream(), BUFFER_BYTES));
      while (true) {
        read(in);
      }
    } catch (IOException e) {
      // It has ended, is silent, or does not speak as we do.
    } catch (Throwable t) {
      Faults.caught(t);
    } finally {
      close();
      peer.ended();
    }
  }

  private void read(DataInputStream in) throws IOException {
    int length = in.readInt();
    int type = in.readUnsignedByte();
    if (length < 0 || length > mostFrameBytes || type >= FrameType.ALL.length) {
      throw new IOException("no frame of a link");
    }
    byte[] content = in.readNBytes(length);
    if (content.length < length) {
      throw new IOException("half a frame");
    }
    peer.take(FrameType.ALL[type], content);
    slow(HEAD_BYTES + length);
  }

  /** Whoever sends too much waits, since nobody reads. */
  private void slow(int bytes) {
    read += bytes;
    long took = System.nanoTime() - readSince;
    long due = read * TimeUnit.SECONDS.toNanos(1) / MOST_READ_PER_SECOND;
    if (due > took + ROUND_NANOS) {
      LockSupport.parkNanos(this, due - took);
    }
    if (took > TimeUnit.SECONDS.toNanos(1)) {
      readSince = System.nanoTime();
      read = 0;
    }
  }

  private void writeAll() {
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(channel.socket().getOutputStream(), BUFFER_BYTES))) {
      long next = System.nanoTime();
      while (true) {
        long now = System.nanoTime();
        if (now - next >= 0) {
          next = now + ROUND_NANOS;
          peer.round();
        }
        Frame frame = poll();
        if (frame != null) {
          write(out, frame);
        } else {
          out.flush();
          await(next);
        }
        if (isClosed()) {
          return;
        }
      }
    } catch (IOException e) {
      // The reader says that it has ended.
    } catch (Throwable t) {
      Faults.caught(t);
    } finally {
      close();
    }
  }

  @SuppressWarnings("EnumOrdinal") // the order is the protocol
  private static void write(DataOutputStream out, Frame frame) throws IOException {
    out.writeInt(frame.content.length);
    out.writeByte(frame.type.ordinal());
    out.write(frame.content);
  }

  private @Nullable Frame poll() {
    synchronized (lock) {
      Frame frame = queue.poll();
      if (frame != null) {
        queuedBytes -= frame.content.length;
      }
      return frame;
    }
  }

  /** Until there is something to write, or the time is up. */
  private void await(long untilNanos) {
    synchronized (lock) {
      for (long left = untilNanos - System.nanoTime();
          left > 0 && queue.isEmpty() && !closed;
          left = untilNanos - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        } catch (InterruptedException e) {
          closed = true; // nobody interrupts a thread of the agent but to end it
        }
      }
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      queue.clear();
      queuedBytes = 0;
      lock.notifyAll();
    }
    try {
      channel.close();
    } catch (IOException e) {
      // There is nothing left to do with it.
    }
  }
}
