// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.http.Certificates;
import io.deimos.agent.nodes.PageTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the page of a process is.
 *
 * @param port the page's, in [0, 65535]; 0 for any free one
 * @param join the page that this process joins, and serves none; null to serve one
 * @param alone how a page of its own is served; null in an application
 */
public record PagePlace(int port, @Nullable PageTarget join, @Nullable Alone alone) {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** On this port of this machine, or on the page of who has it. */
  public static PagePlace on(int port) {
    return new PagePlace(port, null, null);
  }

  InetSocketAddress address() {
    return address(port);
  }

  private InetSocketAddress address(int of) {
    try {
      return new InetSocketAddress(
          alone == null ? InetAddress.getByAddress(LOOPBACK) : alone.listen, of);
    } catch (IOException e) {
      throw new UncheckedIOException("four bytes are an address", e);
    }
  }

  @Nullable Certificates tls() {
    return alone == null ? null : alone.tls;
  }

  String scheme() {
    return tls() == null ? "http" : "https";
  }

  /** Whether the page's token is one that the user has given. */
  public boolean hasSharedToken() {
    return !sharedToken().isEmpty();
  }

  /** The token by which processes of other machines join; empty if there is none. */
  String sharedToken() {
    return alone == null ? "" : alone.token;
  }

  /** The page's address, as a browser needs it, once it has this port. */
  String url(int bound) {
    return scheme() + "://" + name() + ":" + bound;
  }

  private String name() {
    InetAddress listen = address().getAddress();
    String name = listen.getHostAddress();
    return listen instanceof Inet6Address ? "[" + name.replaceFirst("%.*", "") + "]" : name;
  }

  Callers callers(List<Integer> ports) {
    return address().getAddress().isLoopbackAddress()
        ? Callers.local(scheme(), name(), ports)
        : Callers.anywhere();
  }

  /** Where OTLP is taken beside the page's own port; null for nowhere. */
  @Nullable InetSocketAddress otlpAddress() {
    return alone == null || alone.otlpPort == 0 ? null : address(alone.otlpPort);
  }

  /** Where OTLP over gRPC is taken beside the page's own port; null for nowhere. */
  @Nullable InetSocketAddress grpcAddress() {
    return alone == null || alone.grpcPort == 0 ? null : address(alone.grpcPort);
  }

  /**
   * A process that is nothing but a page.
   *
   * @param listen the address
   * @param otlpPort where OTLP is taken in addition to the page's port; 0 for nowhere
   * @param grpcPort likewise, for clients that prefer gRPC
   * @param tls how connections are encrypted; null if they are not
   * @param token the one that processes of other machines join by; empty if there is none
   */
  public record Alone(
      InetAddress listen, int otlpPort, int grpcPort, @Nullable Certificates tls, String token) {
    /** For this machine alone. */
    public static Alone local(InetAddress listen, int otlpPort) {
      return new Alone(listen, otlpPort, 0, null, "");
    }
  }
}
