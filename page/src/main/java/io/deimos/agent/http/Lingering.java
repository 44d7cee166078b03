// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;

/**
 * Waits for the client to close. Closing while it still sends would take back what it has not read
 * yet.
 */
final class Lingering implements Phase {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /**
   * The rest of a refused body is read: clients that send first and read then are to get the
   * answer.
   */
  private static final int MAX_DRAINED_BYTES = 16 << 20;

  private static final int BUFFER_BYTES = 16 * 1024;

  private final Connection connection;
  private final int mostBytes;
  private final ByteBuffer buffer;

  private Lingering(Connection connection, boolean isSending) {
    this.connection = connection;
    this.mostBytes = isSending ? MAX_DRAINED_BYTES : Connection.MAX_SKIPPED_BYTES;
    this.buffer = ByteBuffer.allocate(isSending ? BUFFER_BYTES : 1024);
  }

  /**
   * Says that nothing more will be sent.
   *
   * @param isSending whether a body was to come that has not come whole
   */
  static void begin(Connection connection, boolean isSending) throws IOException {
    connection.channel().shutdownOutput();
    connection.enter(
        new Lingering(connection, isSending),
        SelectionKey.OP_READ,
        Connection.deadline(isSending ? connection.loop().bounds().read() : PATIENCE));
  }

  @Override
  public void ready() throws IOException {
    int read = connection.skip(connection.channel().socket(), buffer);
    if (read < 0 || connection.skippedBytes() > mostBytes) {
      connection.end();
    }
  }

  @Override
  public void overdue() {
    connection.end();
  }

  @Override
  public boolean isClientsTurn() {
    return false;
  }

  @Override
  public void end() {}
}
