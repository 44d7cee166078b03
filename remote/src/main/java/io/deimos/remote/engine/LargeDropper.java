// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.netty.buffer.ByteBuf;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.remote.artery.ArterySettings;

/** Stands where large messages arrive although none are configured here. */
final class LargeDropper implements FrameReceiver {
  private final FrameCutter cutter;

  LargeDropper(LoggingAdapter log, ArterySettings settings) {
    cutter =
        new FrameCutter(
            FrameCutter.longest(settings),
            frame ->
                log.warning(
                    "Dropping large message, missing large-message-destinations configuration."));
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
