// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Wire;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two processes, with frames both ways. One thread reads, another writes;
 * {@link #offer} waits for nobody. The queue is bounded in bytes, by kind, and so is the reading of
 * a second: a peer that sends more has to wait, and one from which nothing has come for {@value
 * #SILENCE_MILLIS} ms counts as gone. Small and urgent frames go first, spans last.
 */
public final class Link implements AutoCloseable {
  static final int MAX_FRAME_BYTES = 8 << 20;
  static final int SILENCE_MILLIS = 6_000;

  /** The head of each frame: its length and its type. */
  static final int HEAD_BYTES = 5;

  /** A frame of this size or more takes from the budget while it is read. */
  private static final int LARGE_BYTES = 8 * 1024;

  private static final long MAX_READ_PER_SECOND = 8 << 20;
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int BUFFER_BYTES = 32 * 1024;

  /** Within this time a frame has to come whose beginning has: others wait for its room. */
  private static final long FRAME_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Wire wire;
  private final Peer peer;
  private final Object lock = new Object();
  private final LinkBudget reading;
  private final LinkBudget writing;
  private final Lane[] lanes = {
    new Lane(MAX_FRAME_BYTES + (1 << 20)), // an answer, and what is small
    new Lane(1 << 18),
    new Lane(1 << 20),
    new Lane(1 << 21)
  };
  private boolean closed;
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

  /** Frames of the same urgency. */
  private static final class Lane {
    final int mostBytes;
    final Queue<Frame> frames = new ArrayDeque<>();
    int bytes;

    Lane(int mostBytes) {
      this.mostBytes = mostBytes;
    }
  }

  private Lane lane(FrameType type) {
    return switch (type) {
      case TROUBLE, CLUSTER -> lanes[1];
      case LAST -> lanes[2];
      case SPANS -> lanes[3];
      default -> lanes[0];
    };
  }

  /** The user of a link. */
  interface Peer {
    /** A frame has come. Called by the thread that reads. */
    void take(FrameType type, byte[] content) throws IOException;

    /** Called some times a second by the thread that writes. */
    void round();

    /** The connection has ended. Called once. */
    void ended();
  }

  /**
   * @param reading what frames take while they are read, of all links
   * @param writing what frames take that wait to be sent, of all links
   */
  Link(Wire wire, Peer peer, LinkBudget reading, LinkBudget writing) {
    this.reading = reading;
    this.writing = writing;
    this.wire = wire;
    this.peer = peer;
  }

  void start() {
    AgentThread.start("deimos-link", this::readAll);
    AgentThread.start("deimos-link-out", this::writeAll);
  }

  /**
   * Sends a frame when there is time.
   *
   * @return false if too much is waiting already; then it is not sent
   */
  boolean offer(FrameType type, byte[] content) {
    synchronized (lock) {
      Lane lane = lane(type);
      if (closed
          || lane.bytes + content.length > lane.mostBytes
          || !writing.tryTake(content.length)) {
        return false;
      }
      lane.frames.add(new Frame(type, content));
      lane.bytes += content.length;
      lock.notifyAll();
      return true;
    }
  }

  /** On the thread that reads, until the connection ends. */
  void readAll() {
    try {
      wire.patience(SILENCE_MILLIS);
      DataInputStream in = new DataInputStream(new BufferedInputStream(wire.in(), BUFFER_BYTES));
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
    if (length < 0 || length > MAX_FRAME_BYTES || type >= FrameType.ALL.length) {
      throw new IOException("no frame of a link");
    }
    int large = length >= LARGE_BYTES ? length : 0;
    reading.take(large, SILENCE_MILLIS);
    try {
      byte[] content = content(in, length);
      peer.take(FrameType.ALL[type], content);
    } finally {
      reading.give(large);
    }
    slow(HEAD_BYTES + length);
  }

  private static byte[] content(DataInputStream in, int length) throws IOException {
    byte[] content = new byte[length];
    long began = System.nanoTime();
    for (int has = 0; has < length; ) {
      int some = in.read(content, has, length - has);
      if (some < 0 || System.nanoTime() - began > FRAME_NANOS) {
        throw new IOException("half a frame");
      }
      has += some;
    }
    return content;
  }

  /** A peer that sends too much waits, since nobody reads. */
  private void slow(int bytes) {
    read += bytes;
    long took = System.nanoTime() - readSince;
    long due = read * TimeUnit.SECONDS.toNanos(1) / MAX_READ_PER_SECOND;
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
        new DataOutputStream(new BufferedOutputStream(wire.out(), BUFFER_BYTES))) {
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
      for (Lane lane : lanes) {
        Frame frame = lane.frames.poll();
        if (frame != null) {
          lane.bytes -= frame.content.length;
          writing.give(frame.content.length);
          return frame;
        }
      }
      return null;
    }
  }

  /** Until there is something to write, or the time is up. */
  private void await(long untilNanos) {
    synchronized (lock) {
      for (long left = untilNanos - System.nanoTime();
          left > 0 && isIdle() && !closed;
          left = untilNanos - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        } catch (InterruptedException e) {
          closed = true; // nobody interrupts a thread of the agent but to end it
        }
      }
    }
  }

  private boolean isIdle() {
    for (Lane lane : lanes) {
      if (!lane.frames.isEmpty()) {
        return false;
      }
    }
    return true;
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
      for (Lane lane : lanes) {
        lane.frames.clear();
        writing.give(lane.bytes);
        lane.bytes = 0;
      }
      lock.notifyAll();
    }
    try {
      wire.close();
    } catch (IOException e) {
      // There is nothing left to do with it.
    }
  }
}
