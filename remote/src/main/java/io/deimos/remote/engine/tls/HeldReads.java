// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Holds back what came behind a TLS handshake until its session is verified, and then is removed.
 * The connection is not read meanwhile, so that is little.
 */
final class HeldReads extends ChannelInboundHandlerAdapter {
  private final Deque<Object> held = new ArrayDeque<>();

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    context.channel().config().setAutoRead(false);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    held.add(message);
  }

  /** Also at the end of the connection, when whoever comes next throws them away. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (context.channel().isOpen()) {
      context.channel().config().setAutoRead(true);
    }
    while (!held.isEmpty()) {
      context.fireChannelRead(held.remove());
    }
  }
}
