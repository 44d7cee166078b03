// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;

/**
 * Whatever comes behind the preface of HTTP/2: it is read to its end or refused, what it takes is
 * given back, and what is sent is bounded.
 */
class GrpcConnectionFuzzTest {
  private static final int MAX_BYTES = 1 << 20;

  /** The client's settings, which it must begin with, come first every other time. */
  @FuzzTest
  void ready_anyBytes_endsAndGivesBackWhatItTook(byte[] bytes) {
    run(bytes);
    run(
        ByteBuffer.allocate(9 + bytes.length)
            .put(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0})
            .put(bytes)
            .array());
  }

  private static void run(byte[] bytes) {
    Counting service = new Counting();
    Given channel = new Given(bytes);
    GrpcConnection connection =
        new GrpcConnection(
            channel,
            ByteBuffer.allocate(0),
            service,
            new GrpcBounds(
                16, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1)));
    connection.begin();
    for (int i = 0; i < 100 && !connection.isOver(); i++) {
      connection.ready();
      connection.look();
    }
    connection.close();
    assertThat(service.open).isZero();
    assertThat(channel.written).isLessThan(MAX_BYTES);
  }

  /** Takes what comes, and answers it with nothing. */
  private static final class Counting implements GrpcService {
    private int open;

    @Override
    public GrpcCall begin(GrpcHead head) {
      open++;
      return new GrpcCall() {
        private boolean ended;

        @Override
        public void take(ByteBuffer some) {
          some.position(some.limit());
        }

        @Override
        public void whole(boolean packed, GrpcReply reply) {
          reply.answer(new byte[0]);
        }

        @Override
        public void end() {
          open -= ended ? 0 : 1;
          ended = true;
        }
      };
    }

    @Override
    public int mostBytes() {
      return MAX_BYTES;
    }

    @Override
    public void refused(String why) {
      assertThat(why).isNotEmpty();
    }
  }

  private static final class Given implements ByteChannel {
    private final ByteBuffer bytes;
    private long written;

    Given(byte[] bytes) {
      this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int read(ByteBuffer to) {
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int some = Math.min(bytes.remaining(), to.remaining());
      to.put(bytes.slice().limit(some));
      bytes.position(bytes.position() + some);
      return some;
    }

    @Override
    public int write(ByteBuffer from) {
      int some = from.remaining();
      from.position(from.limit());
      written += some;
      return some;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
