// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.engine.link.LinkState.Phase;
import org.junit.jupiter.api.Test;

/** Each transition of a link's life. */
class LinkStateTest {
  private static final long NOW_NANOS = 1_000_000;
  private static final long BACKOFF_NANOS = 100;
  private static final int RESTARTS = 3;

  private final LinkState idle = LinkState.initial(NOW_NANOS);
  private final LinkState connecting = idle.connecting();
  private final LinkState open = connecting.opened();
  private final LinkState pausing = open.lost(NOW_NANOS, RESTARTS);
  private final LinkState closed = open.closed();

  @Test
  void initial_always_isIdleAndAlive() {
    assertThat(idle.phase()).isEqualTo(Phase.IDLE);
    assertThat(idle.isAlive()).isTrue();
  }

  @Test
  void connecting_idle_isConnecting() {
    assertThat(connecting.phase()).isEqualTo(Phase.CONNECTING);
  }

  @Test
  void connecting_notIdle_changesNothing() {
    assertThat(connecting.connecting()).isEqualTo(connecting);
    assertThat(open.connecting()).isEqualTo(open);
    assertThat(pausing.connecting()).isEqualTo(pausing);
    assertThat(closed.connecting()).isEqualTo(closed);
  }

  @Test
  void opened_connecting_isOpen() {
    assertThat(open.phase()).isEqualTo(Phase.OPEN);
  }

  /** The end of a connection may be seen before its beginning. */
  @Test
  void opened_afterTheEnd_changesNothing() {
    LinkState lost = connecting.lost(NOW_NANOS, RESTARTS);
    assertThat(lost.opened()).isEqualTo(lost);
    LinkState next = lost.pauseOver(NOW_NANOS, BACKOFF_NANOS);
    assertThat(next.opened()).isEqualTo(next);
    assertThat(next.connecting().opened().phase()).isEqualTo(Phase.OPEN);
  }

  @Test
  void opened_closed_changesNothing() {
    assertThat(closed.opened()).isEqualTo(closed);
  }

  @Test
  void lost_idleConnectingOrOpen_isPausing() {
    assertThat(idle.lost(NOW_NANOS, RESTARTS).phase()).isEqualTo(Phase.PAUSING);
    assertThat(connecting.lost(NOW_NANOS, RESTARTS).phase()).isEqualTo(Phase.PAUSING);
    assertThat(pausing.phase()).isEqualTo(Phase.PAUSING);
    assertThat(pausing.isAlive()).isFalse();
  }

  @Test
  void lost_twice_countsOnce() {
    assertThat(pausing.lost(NOW_NANOS, RESTARTS)).isEqualTo(pausing);
  }

  @Test
  void lost_closed_changesNothing() {
    assertThat(closed.lost(NOW_NANOS, RESTARTS)).isEqualTo(closed);
  }

  @Test
  void lost_moreOftenInARowThanAllowed_isClosed() {
    LinkState state = idle;
    for (int i = 0; i < RESTARTS; i++) {
      state = state.connecting().lost(NOW_NANOS, RESTARTS);
      assertThat(state.phase()).isEqualTo(Phase.PAUSING);
      state = state.pauseOver(NOW_NANOS, BACKOFF_NANOS);
    }
    assertThat(state.lost(NOW_NANOS, RESTARTS).phase()).isEqualTo(Phase.CLOSED);
  }

  @Test
  void lost_longAfterTheLastRestart_isTheFirstAgain() {
    LinkState state = idle;
    for (int i = 0; i < 3 * RESTARTS; i++) {
      long nowNanos = NOW_NANOS + i * (BACKOFF_NANOS + 1);
      state = state.connecting().lost(nowNanos, RESTARTS);
      assertThat(state.phase()).isEqualTo(Phase.PAUSING);
      assertThat(state.restarts()).isEqualTo(1);
      state = state.pauseOver(nowNanos, BACKOFF_NANOS);
    }
  }

  @Test
  void lost_withoutALimit_isNeverClosed() {
    LinkState state = idle;
    for (int i = 0; i < 1000; i++) {
      state = state.connecting().lost(NOW_NANOS, Integer.MAX_VALUE);
      assertThat(state.phase()).isEqualTo(Phase.PAUSING);
      state = state.pauseOver(NOW_NANOS, BACKOFF_NANOS);
    }
  }

  @Test
  void pauseOver_pausing_isIdle() {
    LinkState next = pausing.pauseOver(NOW_NANOS, BACKOFF_NANOS);
    assertThat(next.phase()).isEqualTo(Phase.IDLE);
    assertThat(next.isAlive()).isTrue();
  }

  @Test
  void pauseOver_closedMeanwhile_changesNothing() {
    LinkState gone = pausing.closed();
    assertThat(gone.pauseOver(NOW_NANOS, BACKOFF_NANOS)).isEqualTo(gone);
  }

  @Test
  void pauseNanos_lossesInARow_doublesUpToFiveTimes() {
    long[] expected = {100, 200, 400, 500, 500};
    LinkState state = idle;
    for (int i = 0; i < expected.length; i++) {
      state = state.lost(NOW_NANOS, Integer.MAX_VALUE);
      assertThat(state.pauseNanos(BACKOFF_NANOS, 0)).isEqualTo(expected[i]);
      state = state.pauseOver(NOW_NANOS, BACKOFF_NANOS);
    }
    assertThat(pausing.pauseNanos(BACKOFF_NANOS, 0.1)).isEqualTo(110);
  }

  @Test
  void closed_always_isNotAlive() {
    assertThat(closed.isAlive()).isFalse();
    assertThat(idle.closed().phase()).isEqualTo(Phase.CLOSED);
  }
}
