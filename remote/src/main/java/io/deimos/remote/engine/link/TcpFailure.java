// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.netty.channel.AbstractChannel;
import java.net.ConnectException;
import javax.net.ssl.SSLException;
import org.apache.pekko.stream.StreamTcpException;

/**
 * Failures as Pekko's own TCP reports them: alerts read their texts, and an association judges by
 * their classes.
 */
final class TcpFailure {
  private TcpFailure() {}

  /** A connection did not come about, as this command failed. */
  static Throwable of(String command, Throwable cause) {
    if (cause instanceof SSLException) {
      return cause;
    }
    Throwable plain = plain(cause);
    return failure(
        "Tcp command [%s] failed because of %s: %s"
            .formatted(command, plain.getClass().getName(), plain.getMessage()),
        plain);
  }

  /** A connection broke. */
  static Throwable of(Throwable cause) {
    if (cause instanceof SSLException) {
      return cause;
    }
    Throwable plain = plain(cause);
    String message = plain.getMessage();
    return failure(
        "The connection closed with error: " + (message == null ? plain : message), plain);
  }

  private static StreamTcpException failure(String text, Throwable cause) {
    StreamTcpException failure = new StreamTcpException(text);
    failure.initCause(cause);
    return failure;
  }

  /** Without what Netty adds, whose classes nobody knows here. */
  private static Throwable plain(Throwable cause) {
    Throwable inner = cause.getCause();
    Throwable plain =
        inner != null && cause.getClass().getEnclosingClass() == AbstractChannel.class
            ? inner
            : cause;
    return plain instanceof ConnectException && plain.getClass() != ConnectException.class
        ? new ConnectException(plain.getMessage())
        : plain;
  }
}
