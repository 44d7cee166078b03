// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.count.Refusals;
import io.deimos.remote.engine.wire.EnvelopeEncoder;
import io.deimos.remote.engine.wire.FrameCutter;
import io.netty.buffer.ByteBuf;

/** Stands where large messages arrive although none are configured here. */
public final class LargeDropper implements FrameReceiver {
  private final FrameCutter cutter;

  public LargeDropper(InboundConnection connection, Refusals refusals) {
    cutter =
        new FrameCutter(
            connection,
            frame -> {
              connection.peerIs(frame.getLong(EnvelopeEncoder.UID));
              refusals.refused(
                  Refusal.LARGE_NOT_CONFIGURED,
                  "Dropping large message, missing large-message-destinations configuration.");
            });
  }

  @Override
  public void data(ByteBuf bytes) {
    try {
      cutter.cut(bytes);
    } finally {
      bytes.release();
    }
  }

  @Override
  public void ended() {
    // nothing is kept
  }
}
