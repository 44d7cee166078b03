// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.grpc.GrpcConnection;
import io.deimos.agent.grpc.GrpcService;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request: its head, and its body if the handler takes one. A client that begins with the
 * preface of HTTP/2 speaks gRPC, if the handler takes that.
 */
final class Reading implements Phase {
  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final int FIRST_HEAD_BYTES = 1024;
  private static final String HTTP2_HEAD =
      GrpcConnection.PREFACE.substring(0, GrpcConnection.PREFACE.indexOf('\r'));
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Connection connection;
  private final HttpLoop loop;
  private ByteBuffer buffer = ByteBuffer.allocate(FIRST_HEAD_BYTES);
  private int searched;

  /** Whether a body is to come that has not come whole. */
  private boolean isSending;

  private @Nullable Request head;
  private @Nullable Incoming body;
  private HttpHandler.Terms terms = HttpHandler.Terms.WITHOUT_BODY;

  Reading(Connection connection) {
    this.connection = connection;
    this.loop = connection.loop();
  }

  @Override
  public void ready() throws IOException {
    while (read() && connection.channel().hasMore()) {}
  }

  /** Returns whether something has come, and more may. */
  private boolean read() throws IOException {
    int read = connection.channel().read(buffer);
    if (read < 0) {
      connection.end();
      return false;
    }
    try {
      if (head != null && body != null) {
        body(head, body);
      } else {
        head();
      }
    } catch (Request.Malformed e) {
      refuse(
          head == null
              ? Answer.refusal(e.status(), e.said())
              : loop.handler().refused(head, e.status(), e.said()));
    } catch (RuntimeException | Error e) {
      if (e instanceof CancelledKeyException || connection.http2() != null) {
        throw e; // the client has gone away, or understands no answer of HTTP/1.1
      }
      refuse(Workers.failed(e));
    }
    return read > 0 && connection.isAt(this);
  }

  private void head() throws IOException, Request.Malformed {
    int length = headLength();
    if (length == HTTP2_HEAD.length() && text(length).equals(HTTP2_HEAD)) {
      preface();
    } else if (length >= 0) {
      request(Request.head(text(length)), length + END.length);
    } else if (buffer.position() == MAX_HEAD_BYTES) {
      refuse(Answer.refusal(431, "a request has at most " + MAX_HEAD_BYTES + " bytes"));
    } else if (!buffer.hasRemaining()) {
      buffer =
          ByteBuffer.allocate(Math.min(MAX_HEAD_BYTES, 2 * buffer.capacity())).put(buffer.flip());
    }
  }

  /** How many bytes come before the empty line; negative while there is none. */
  private int headLength() {
    byte[] bytes = buffer.array();
    for (; searched + END.length <= buffer.position(); searched++) {
      if (Arrays.equals(bytes, searched, searched + END.length, END, 0, END.length)) {
        return searched;
      }
    }
    return -1;
  }

  /** The first of what has come. */
  private String text(int length) {
    return new String(buffer.array(), 0, length, StandardCharsets.ISO_8859_1);
  }

  private void preface() throws Request.Malformed {
    int length = GrpcConnection.PREFACE.length();
    GrpcService service =
        loop.handler().grpc(loop.accountant().bodies(), Http2.turnsOf(connection));
    if (service == null) {
      throw new Request.Malformed(505, "only HTTP/1.1 is spoken here");
    }
    if (buffer.position() < length) {
      return; // its rest is to come
    }
    if (!text(length).equals(GrpcConnection.PREFACE)) {
      throw new Request.Malformed(400, "this is no preface of HTTP/2");
    }
    if (loop.makesRoomForHttp2(service)) {
      connection.begin(new Http2(connection, buffer.flip().position(length), service));
    } else {
      connection.end();
    }
  }

  private void request(Request come, int bodyAt) throws IOException, Request.Malformed {
    head = come;
    isSending = true;
    long bodyLength = come.bodyLength();
    isSending = bodyLength != 0;
    terms = loop.handler().terms(come, isSending);
    if (!isSending) {
      Exchange.begin(connection, come, null, terms.takesTurns());
      return;
    }
    Answer refusal = terms.refusal();
    if (refusal != null) {
      refuse(refusal);
      return;
    }
    if (terms.maxBodyBytes() == 0) {
      throw new Request.Malformed(413, "requests with a body are not taken");
    }
    Incoming coming = new Incoming(bodyLength, terms.maxBodyBytes(), loop.accountant().bodies());
    body = coming;
    connection.postpone(Connection.deadline(loop.bounds().write()));
    if ("100-continue".equalsIgnoreCase(come.only("expect"))) {
      connection.channel().write(ByteBuffer.wrap(CONTINUE));
    }
    buffer.flip().position(bodyAt);
    buffer.compact();
    body(come, coming);
  }

  private void body(Request of, Incoming coming) throws IOException, Request.Malformed {
    buffer.flip();
    boolean whole = coming.take(buffer);
    buffer.clear();
    if (whole) {
      isSending = false;
      Exchange.begin(connection, of.with(coming.body()), coming, terms.takesTurns());
    } else if (buffer.capacity() < MAX_HEAD_BYTES) {
      buffer = ByteBuffer.allocate(MAX_HEAD_BYTES);
    }
  }

  private void refuse(Answer refusal) throws IOException {
    Exchange.refuse(connection, body, isSending, refusal);
  }

  @Override
  public void overdue() {
    connection.end();
  }

  @Override
  public boolean isClientsTurn() {
    return true;
  }

  @Override
  public void end() {
    if (body != null) {
      body.release();
    }
  }
}
