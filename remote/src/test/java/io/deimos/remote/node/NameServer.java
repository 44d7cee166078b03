// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** A name server that knows every name, as 127.0.0.1, and may keep that to itself. */
final class NameServer implements AutoCloseable {
  private static final int HEADER_BYTES = 12;
  private static final int MAX_BYTES = 512;
  private static final short ANSWERS = (short) 0x8180;
  private static final short TYPE_A = 1;
  private static final short NAME_OF_THE_REQUEST = (short) 0xC00C;

  private final DatagramSocket socket;
  final AtomicInteger asked = new AtomicInteger();
  volatile boolean silent;

  NameServer() throws IOException {
    socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "name-server");
    thread.setDaemon(true);
    thread.start();
  }

  /** Settings by which Pekko asks it. */
  String settings() {
    return """
        pekko.io.dns {
          resolver = async-dns
          async-dns {
            nameservers = ["127.0.0.1:%d"]
            search-domains = []
            ndots = 1
            resolve-timeout = 1 h
          }
        }
        """
        .formatted(socket.getLocalPort());
  }

  private void serve() {
    byte[] bytes = new byte[MAX_BYTES];
    while (!socket.isClosed()) {
      try {
        DatagramPacket request = new DatagramPacket(bytes, bytes.length);
        socket.receive(request);
        asked.incrementAndGet();
        if (!silent) {
          byte[] answer = answer(Arrays.copyOf(bytes, request.getLength()));
          socket.send(new DatagramPacket(answer, answer.length, request.getSocketAddress()));
        }
      } catch (IOException e) {
        // closed
      }
    }
  }

  private static byte[] answer(byte[] request) {
    int end = HEADER_BYTES;
    while (request[end] != 0) {
      end += request[end] + 1;
    }
    end += 1 + 2 * Short.BYTES; // type and class
    boolean known = ByteBuffer.wrap(request).getShort(end - 2 * Short.BYTES) == TYPE_A;
    ByteBuffer answer = ByteBuffer.allocate(MAX_BYTES).put(request, 0, end);
    answer.putShort(2, ANSWERS).putShort(6, (short) (known ? 1 : 0)).putInt(8, 0);
    if (known) {
      answer.putShort(NAME_OF_THE_REQUEST).putShort(TYPE_A).putShort((short) 1).putInt(60);
      answer.putShort((short) 4).put(new byte[] {127, 0, 0, 1});
    }
    byte[] written = new byte[answer.position()];
    answer.flip().get(written);
    return written;
  }

  @Override
  public void close() {
    socket.close();
  }
}
