// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.http.Reply;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.util.ByteArrayBuffer;

/** A client that sends the frames of HTTP/2 that it is told to, whatever they are. */
final class Http2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int ACK = 1;

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;
  private final HPackEncoder encoder = new HPackEncoder(0, StandardCharsets.US_ASCII);
  private final HPackDecoder decoder = new HPackDecoder(4096, StandardCharsets.US_ASCII);
  private final String authority;
  private int stream = -1;

  /** One frame that has come; headers are read. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Frame(int type, int flags, int stream, byte[] payload, Map<String, String> headers) {
    /** The error of a frame that says one. */
    int error() {
      return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }
  }

  /** The reply to one call: */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Reply(Map<String, String> headers, byte[] message) {
    int status() {
      return Integer.parseInt(headers.getOrDefault("grpc-status", "-1"));
    }
  }

  private Http2(int port) throws IOException {
    authority = "127.0.0.1:" + port;
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    out = socket.getOutputStream();
    in = new DataInputStream(socket.getInputStream());
  }

  /** One that has said nothing yet. */
  static Http2 silent(int port) throws IOException {
    return new Http2(port);
  }

  /** One that has begun as it should. */
  static Http2 to(int port) throws IOException {
    Http2 client = new Http2(port);
    client.raw(PREFACE);
    client.frame(SETTINGS, 0, 0, new byte[0]);
    return client;
  }

  void raw(String latin) throws IOException {
    out.write(latin.getBytes(StandardCharsets.ISO_8859_1));
  }

  void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    out.write(bytes(type, flags, stream, payload.length, payload));
  }

  /** A frame that says a length of its own. */
  static byte[] bytes(int type, int flags, int stream, int length, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt((length << 8) | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /** Begins a call of OTLP; returns its stream. */
  int call(String path, String... headers) throws IOException {
    return request(
        "POST",
        path,
        0,
        with(List.of("content-type", "application/grpc", "te", "trailers"), headers));
  }

  private static String[] with(List<String> first, String... more) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  int request(String method, String path, int flags, String... headers) throws IOException {
    List<Header> all = new ArrayList<>();
    all.add(new BasicHeader(":method", method));
    all.add(new BasicHeader(":scheme", "http"));
    all.add(new BasicHeader(":path", path));
    String called = authority;
    for (int i = 0; i < headers.length; i += 2) {
      if (headers[i].equals(":authority")) {
        called = headers[i + 1];
      }
    }
    all.add(new BasicHeader(":authority", called));
    for (int i = 0; i < headers.length; i += 2) {
      if (!headers[i].equals(":authority")) {
        all.add(new BasicHeader(headers[i], headers[i + 1]));
      }
    }
    ByteArrayBuffer block = new ByteArrayBuffer(256);
    try {
      encoder.encodeHeaders(block, all, false);
    } catch (java.nio.charset.CharacterCodingException e) {
      throw new IOException(e);
    }
    stream += 2;
    frame(HEADERS, END_HEADERS | flags, stream, block.toByteArray());
    return stream;
  }

  /** Sends a message, in frames as large as there may be. */
  void message(int stream, int packed, byte[] message) throws IOException {
    ByteBuffer all =
        ByteBuffer.allocate(5 + message.length)
            .put((byte) packed)
            .putInt(message.length)
            .put(message)
            .flip();
    while (all.hasRemaining()) {
      byte[] part = new byte[Math.min(16_384, all.remaining())];
      all.get(part);
      frame(DATA, all.hasRemaining() ? 0 : END_STREAM, stream, part);
    }
  }

  /** Makes a whole call and waits for its answer. */
  Reply answer(String path, int packed, byte[] message, String... headers) throws IOException {
    int called = call(path, headers);
    message(called, packed, message);
    return reply(called);
  }

  /** Waits until the answer to a call has ended. */
  Reply reply(int called) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    while (true) {
      Frame frame = next();
      if (frame.stream == called) {
        headers.putAll(frame.headers);
        if (frame.type == DATA) {
          data.writeBytes(frame.payload);
        }
        if (frame.type == RST_STREAM) {
          throw new IOException("call broken off: " + frame.error());
        }
        if ((frame.flags & END_STREAM) != 0) {
          byte[] all = data.toByteArray();
          byte[] message =
              all.length < 5 ? new byte[0] : java.util.Arrays.copyOfRange(all, 5, all.length);
          return new Reply(headers, message);
        }
      } else if (frame.type == GOAWAY) {
        throw new IOException("connection ended: " + frame.error());
      }
    }
  }

  /** The next frame; settings are acknowledged. */
  Frame next() throws IOException {
    int lengthAndType = in.readInt();
    int flags = in.readByte();
    int of = in.readInt();
    byte[] payload = new byte[lengthAndType >>> 8];
    in.readFully(payload);
    int type = lengthAndType & 0xff;
    Map<String, String> headers = new HashMap<>();
    if (type == SETTINGS && (flags & ACK) == 0) {
      frame(SETTINGS, ACK, 0, new byte[0]);
    } else if (type == HEADERS) {
      try {
        for (Header header : decoder.decodeHeaders(ByteBuffer.wrap(payload))) {
          headers.put(header.getName(), header.getValue());
        }
      } catch (org.apache.hc.core5.http2.hpack.HPackException e) {
        throw new IOException(e);
      }
    }
    return new Frame(type, flags, of, payload, headers);
  }

  /** All frames until the other side has closed. */
  List<Frame> untilTheEnd() throws IOException {
    List<Frame> all = new ArrayList<>();
    try {
      while (true) {
        all.add(next());
      }
    } catch (EOFException | SocketException e) {
      return all;
    }
  }

  InputStream in() {
    return in;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
