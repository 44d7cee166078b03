// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/** Reads the proof of a client that wants another protocol, and nothing beyond it. */
final class Proving implements Phase {
  private final Connection connection;
  private final Upgrade wanted;
  private final ByteBuffer said;

  private Proving(Connection connection, Upgrade wanted) {
    this.connection = connection;
    this.wanted = wanted;
    this.said = ByteBuffer.allocate(wanted.proofBytes());
  }

  static void begin(Connection connection, Upgrade wanted) {
    connection.enter(
        new Proving(connection, wanted),
        SelectionKey.OP_READ,
        Connection.deadline(connection.loop().bounds().read()));
    connection.moved();
    connection.ready();
  }

  @Override
  public void ready() throws IOException {
    ClientChannel channel = connection.channel();
    do {
      int read = channel.read(said);
      if (!said.hasRemaining() && wanted.isProof(said.array())) {
        connection.handOver(wanted);
        return;
      }
      if (!said.hasRemaining() || read < 0) {
        connection.end();
        return;
      }
      if (read == 0) {
        return;
      }
    } while (channel.hasMore());
  }

  @Override
  public void overdue() {
    connection.end();
  }

  @Override
  public boolean isClientsTurn() {
    return true;
  }

  @Override
  public void end() {}
}
