// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.SocketWire;
import io.deimos.agent.http.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A page that may be joined: where it is, how its address is written, and how it is known that it
 * is the right one.
 *
 * @param url as a browser needs it
 * @param token what the page knows, too; empty where both can read a file of the other's
 * @param tls by what its certificate is checked; null without TLS
 */
public record PageTarget(
    String url, String host, int port, String token, @Nullable SSLContext tls) {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** The page of another process on this machine. */
  public static PageTarget local(int port) {
    return new PageTarget("http://127.0.0.1:" + port, "127.0.0.1", port, "", null);
  }

  /**
   * The page at an address that has been checked.
   *
   * @param tls by what its certificate is checked, if the address begins with https
   */
  public static PageTarget of(URI address, String token, @Nullable SSLContext tls) {
    String host = address.getHost();
    return new PageTarget(
        address.getScheme() + "://" + host + ":" + address.getPort(),
        host.replaceAll("[\\[\\]]", ""),
        address.getPort(),
        token,
        tls);
  }

  /** As the Host header has it. */
  String authority() {
    return url.substring(url.indexOf("//") + 2);
  }

  @Override
  public String toString() {
    return url; // without the token
  }

  Wire dial(int patienceMillis) throws IOException {
    Socket socket = new Socket();
    try {
      InetAddress address =
          host.equals("127.0.0.1")
              ? InetAddress.getByAddress(LOOPBACK)
              : InetAddress.getByName(host);
      socket.connect(new InetSocketAddress(address, port), patienceMillis);
      socket.setSoTimeout(patienceMillis);
      socket.setTcpNoDelay(true);
      return tls == null ? Wire.of(socket) : encrypted(socket, tls);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** With a certificate that is trusted and made for this host. */
  private Wire encrypted(Socket plain, SSLContext context) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return new SocketWire(socket, plain);
  }
}
