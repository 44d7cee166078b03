// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.net;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.function.Consumer;

/**
 * One of the ways in which event loops wait for sockets and move their bytes.
 *
 * @param name as the setting and the log call it
 * @param handlers makes what each event loop waits with
 * @param socket connections
 * @param server listening sockets
 */
public record SocketIo(
    String name,
    IoHandlerFactory handlers,
    Class<? extends SocketChannel> socket,
    Class<? extends ServerSocketChannel> server) {

  /**
   * The way that {@code deimos.remote.io} asks for; where the machine does not have it, Java's own,
   * and one warning says why.
   */
  public static SocketIo of(String wanted, Consumer<String> warn) {
    return switch (wanted) {
      case "epoll" ->
          Epoll.isAvailable() ? epoll() : instead(wanted, Epoll.unavailabilityCause(), warn);
      case "io_uring" ->
          IoUring.isAvailable() ? ioUring() : instead(wanted, IoUring.unavailabilityCause(), warn);
      default -> nio();
    };
  }

  private static SocketIo instead(String wanted, Throwable cause, Consumer<String> warn) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    warn.accept(
        "deimos.remote.io = "
            + wanted
            + " is not to be had here ("
            + root.getMessage()
            + "); nio is used. auto asks for nothing special");
    return nio();
  }

  private static SocketIo nio() {
    return new SocketIo(
        "nio", NioIoHandler.newFactory(), WritableSocket.class, NioServerSocketChannel.class);
  }

  private static SocketIo epoll() {
    return new SocketIo(
        "epoll",
        EpollIoHandler.newFactory(),
        EpollSocketChannel.class,
        EpollServerSocketChannel.class);
  }

  private static SocketIo ioUring() {
    return new SocketIo(
        "io_uring",
        IoUringIoHandler.newFactory(),
        IoUringSocketChannel.class,
        IoUringServerSocketChannel.class);
  }
}
