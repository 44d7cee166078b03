// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.grpc.GrpcCode;
import io.deimos.agent.grpc.GrpcConnection;
import io.deimos.agent.grpc.GrpcRefusal;
import io.deimos.agent.grpc.GrpcReply;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.function.Function;

/** A connection of gRPC, which has many calls, until either side ends it. */
final class Http2 implements Phase {
  private final Connection connection;
  private final GrpcConnection grpc;

  /**
   * @param before what has come behind the preface already
   */
  Http2(Connection connection, ByteBuffer before, GrpcService service) {
    this.connection = connection;
    this.grpc =
        new GrpcConnection(
            connection.channel(), before, service, connection.loop().bounds().grpc());
  }

  void begin() {
    grpc.begin();
    settle();
  }

  @Override
  public void ready() {
    grpc.ready();
    settle();
  }

  @Override
  public void overdue() {
    grpc.look();
    settle();
  }

  /** The next thing to wait for. */
  private void settle() {
    try {
      boolean flushed = connection.channel().flush();
      if (grpc.isOver()) {
        Lingering.begin(connection, false);
        grpc.close();
        return;
      }
      if (grpc.hasMore()) {
        connection.loop().serveAgain(connection);
      }
      connection.enter(
          this,
          (grpc.wantsToRead() ? SelectionKey.OP_READ : 0)
              | (grpc.wantsToWrite() || !flushed ? SelectionKey.OP_WRITE : 0),
          grpc.deadlineNanos());
    } catch (IOException | RuntimeException e) {
      connection.end(); // the client has gone away
    }
  }

  boolean isIdle() {
    return grpc.isIdle();
  }

  /** When the last call or frame was. */
  long lastNanos() {
    return grpc.lastNanos();
  }

  /** Tells the client to take another connection. */
  void leave() {
    grpc.leave();
  }

  @Override
  public boolean isClientsTurn() {
    return false;
  }

  @Override
  public void end() {
    grpc.close();
  }

  /** Has long work of a connection wait for its turn. */
  static GrpcTurns turnsOf(Connection connection) {
    return (task, reply, busy) ->
        connection
            .loop()
            .workers()
            .turn(
                connection.channel(),
                () -> made(task, reply),
                then -> told(connection, then),
                busy);
  }

  private static Runnable made(Function<GrpcReply, Runnable> task, GrpcReply reply) {
    try {
      return task.apply(reply);
    } catch (Throwable t) {
      Faults.caught(t);
      return () -> reply.refuse(GrpcRefusal.of(GrpcCode.INTERNAL, "Deimos failed: " + t));
    }
  }

  private static void told(Connection connection, Runnable answer) {
    Http2 spoken = connection.http2();
    if (spoken != null && connection.isAt(spoken)) {
      answer.run();
      spoken.ready();
    }
  }
}
