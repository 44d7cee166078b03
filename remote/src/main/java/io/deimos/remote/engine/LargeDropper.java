// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.netty.buffer.ByteBuf;

/** Stands where large messages arrive although none are configured here. */
final class LargeDropper implements FrameReceiver {
  private final FrameCutter cutter;

  LargeDropper(InboundConnection connection, Refusals refusals) {
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
