// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.wire.ConnectionHeader;
import io.deimos.remote.engine.wire.FrameCutter;
import java.util.Set;

/** Shared by accepted connections: how much is believed of them, and where their frames go. */
public final class InboundShare {
  final TransportEngine engine;
  final Receivers receivers;
  public final InboundHandshakes handshakes;
  public final Strangers<InboundConnection> strangers;
  final Set<Integer> acceptedMagics;

  /** The longest frame of a known peer, which may have other settings. */
  final int longestFrame;

  /** The longest frame of a stranger, and the longest of one that is about large messages. */
  final int frame;

  final int largeFrame;

  /** Finds where the frames of a connection go, by the number of its stream. */
  public interface Receivers {
    FrameReceiver of(InboundConnection connection, int streamId);
  }

  public InboundShare(TransportEngine engine, Receivers receivers) {
    this.engine = engine;
    this.receivers = receivers;
    handshakes = new InboundHandshakes(engine);
    strangers = new Strangers<>(engine.settings.strangers().max());
    acceptedMagics = ConnectionHeader.accepted(engine.artery());
    longestFrame = FrameCutter.longest(engine.artery());
    frame = engine.artery().Advanced().MaximumFrameSize();
    largeFrame = engine.artery().Advanced().MaximumLargeFrameSize();
  }
}
