// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ConnectionOrderTest {
  private static final long UID = 4711;

  private final ConnectionOrder order = new ConnectionOrder();

  /** A connection that has messages to deliver until it is done. */
  private static final class Busy implements ConnectionOrder.Earlier {
    private boolean done;

    @Override
    public boolean isOver() {
      return done;
    }

    @Override
    public boolean isBehind() {
      return !done;
    }
  }

  private static InetAddress address(int last) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
  }

  @Test
  void connection_fromTheSameAddress_waitsForTheOneBefore() throws UnknownHostException {
    Busy before = new Busy();
    order.begin(UID, address(1), before);
    ConnectionOrder.Turn turn = order.begin(UID, address(1), new Busy());
    assertThat(turn.hasCome()).isFalse();
    before.done = true;
    assertThat(turn.hasCome()).isTrue();
    assertThat(turn.wasGivenUp()).isFalse();
  }

  @Test
  void connection_fromAnotherAddressThatClaimsTheSameUid_isNotWaitedFor()
      throws UnknownHostException {
    order.begin(UID, address(1), new Busy());
    assertThat(order.begin(UID, address(2), new Busy()).hasCome()).isTrue();
  }

  @Test
  void connection_thatIsOver_isForgotten() throws UnknownHostException {
    Busy before = new Busy();
    order.begin(UID, address(1), before);
    order.over(UID, address(1), before);
    assertThat(order.begin(UID, address(1), new Busy()).before()).isEmpty();
  }
}
