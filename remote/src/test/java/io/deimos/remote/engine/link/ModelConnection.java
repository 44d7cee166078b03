// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.net.DirectSocket;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * A connection of the {@link LinkModel}'s: what a connector of Netty's does and says, without Netty
 * and a network. All that was put into its socket stays here to be looked at.
 */
final class ModelConnection implements Connection, DirectSocket {
  private enum Stage {
    NEW,
    CONNECTING,
    OPEN,
    /** Its header is in the socket. */
    READY,
    OVER
  }

  private record Pending(ByteBuf bytes, GenericFutureListener<Future<Void>> whenWritten) {}

  /** Has a task run on the event loop; false if that is dead. */
  interface OnLoop {
    boolean run(Runnable task);
  }

  /** How much the socket takes of the next frame that a sender writes. */
  enum Takes {
    ALL,
    PART,
    NOTHING,
    FAILS
  }

  final List<Byte> socket = new ArrayList<>();
  Takes takes = Takes.ALL;

  private final int number;
  private final Listener listener;
  private final OnLoop loop;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private int flushed;
  private boolean finishing;
  private Stage stage = Stage.NEW;
  private ByteBuffer head = ByteBuffer.allocate(0);

  ModelConnection(int number, Listener listener, OnLoop loop) {
    this.number = number;
    this.listener = listener;
    this.loop = loop;
  }

  boolean isReady() {
    return stage == Stage.READY;
  }

  boolean isOver() {
    return stage == Stage.OVER;
  }

  /** All that the network may do next; losses only if there are some left. */
  void steps(String name, boolean loses, Runnable lost, Map<String, Runnable> steps) {
    String mine = name + " connection " + number + " ";
    switch (stage) {
      case CONNECTING ->
          steps.put(
              mine + "opens",
              () -> {
                stage = Stage.OPEN;
                listener.opened(this);
              });
      case OPEN ->
          steps.put(
              mine + "has its header",
              () -> {
                stage = Stage.READY;
                listener.headerWritten(this, this);
              });
      case READY -> {
        if (flushed > 0) {
          steps.put(mine + "writes", this::writeOne);
        } else if (finishing) {
          steps.put(mine + "has finished", () -> end("finished"));
        }
      }
      default -> {}
    }
    if (loses && stage != Stage.NEW && stage != Stage.OVER) {
      steps.put(
          "may " + mine + "end",
          () -> {
            lost.run();
            end("lost");
          });
    }
  }

  private void writeOne() {
    Pending one = pending.remove();
    flushed--;
    while (one.bytes.isReadable()) {
      socket.add(one.bytes.readByte());
    }
    one.bytes.release();
    tell(one, true);
  }

  private static void tell(Pending one, boolean well) {
    ImmediateEventExecutor here = ImmediateEventExecutor.INSTANCE;
    Future<Void> future =
        well ? here.newSucceededFuture(null) : here.newFailedFuture(new IOException("model"));
    try {
      one.whenWritten.operationComplete(future);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** On its loop, or as that dies. */
  void end(String reason) {
    if (stage == Stage.OVER) {
      return;
    }
    stage = Stage.OVER;
    List<Pending> lost = List.copyOf(pending);
    pending.clear();
    flushed = 0;
    for (Pending one : lost) {
      one.bytes.release();
      tell(one, false);
    }
    listener.lost(this, new IOException(reason));
  }

  private void endSoon(String reason) {
    if (!loop.run(() -> end(reason))) {
      listener.lost(this, new IOException("the loop is dead"));
    }
  }

  @Override
  public void start() {
    stage = Stage.CONNECTING;
  }

  @Override
  public void write(ByteBuf bytes, GenericFutureListener<Future<Void>> whenWritten) {
    Pending one = new Pending(bytes, whenWritten);
    if (stage == Stage.OVER) {
      bytes.release();
      tell(one, false);
    } else {
      pending.add(one);
    }
  }

  @Override
  public void flush() {
    flushed = pending.size();
  }

  @Override
  public void finish() {
    finishing = true;
    flush();
  }

  @Override
  public void abort() {
    endSoon("aborted");
  }

  @Override
  public void close() {
    endSoon("closed");
  }

  @Override
  public void fail(Throwable reason) {
    endSoon("failed");
  }

  @Override
  public void writeNow(ByteBuffer frame) throws IOException {
    head = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(0, frame.remaining());
    if (stage == Stage.OVER) {
      throw new IOException("closed");
    }
    int room =
        switch (takes) {
          case ALL -> Integer.MAX_VALUE;
          case NOTHING -> 0;
          case PART, FAILS -> Integer.BYTES + 1;
        };
    for (ByteBuffer part : List.of(head, frame)) {
      for (; room > 0 && part.hasRemaining(); room--) {
        socket.add(part.get());
      }
    }
    if (takes == Takes.FAILS) {
      throw new IOException("model");
    }
  }

  @Override
  public ByteBuffer unwrittenHead() {
    return head;
  }

  @Override
  public String toString() {
    return number
        + stage.name()
        + pending.stream().map(Pending::bytes).toList()
        + flushed
        + finishing
        + socket;
  }
}
