// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.message.BasicHttpResponse;
import org.apache.hc.core5.http.nio.AsyncServerExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.ResponseChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * One call: a message that comes behind a prefix of five bytes, and an answer of the same form with
 * the status behind it. One that is refused half-way is answered at once; what still comes of its
 * message is read and let go, so that clients that send first and read then get the answer.
 */
final class CallStream implements AsyncServerExchangeHandler, GrpcReply {
  private static final int PREFIX_BYTES = 5;

  /** How much more than the longest message is read of what is let go. */
  private static final int LET_GO = 4;

  private final GrpcService service;
  private final GrpcBounds bounds;
  private final CallsOpen open;
  private final ByteBuffer prefix = ByteBuffer.allocate(PREFIX_BYTES);
  private final List<ByteBuffer> out = new ArrayList<>();
  private @Nullable ResponseChannel response;
  private @Nullable HttpContext context;
  private @Nullable GrpcCall call;
  private long deadlineNanos;
  private long left;
  private long received;
  private long granted;
  private boolean answered;
  private boolean whole;

  /** Where a connection keeps its calls. */
  interface CallsOpen {
    void began(CallStream call);

    void ended(CallStream call);
  }

  CallStream(GrpcService service, GrpcBounds bounds, CallsOpen open) {
    this.service = service;
    this.bounds = bounds;
    this.open = open;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Its time is up; true if its connection must end. */
  boolean overdue() {
    if (answered) {
      return true; // its client neither takes the answer nor ends what it sends
    }
    refuse(
        GrpcRefusal.of(
            GrpcCode.DEADLINE_EXCEEDED,
            "a message must be whole within " + bounds.call().toSeconds() + " s"));
    return false;
  }

  @Override
  public void handleRequest(
      HttpRequest request,
      @Nullable EntityDetails entity,
      ResponseChannel channel,
      HttpContext given)
      throws HttpException, IOException {
    response = channel;
    context = given;
    deadlineNanos = System.nanoTime() + bounds.call().toNanos();
    open.began(this);
    GrpcHead head = head(request);
    if (!isGrpc(head)) {
      service.refused("HTTP/2 with something else than gRPC");
      answered = true;
      channel.sendResponse(new BasicHttpResponse(415), null, given);
      return;
    }
    try {
      checkCoding(head);
      if (entity == null) {
        throw GrpcRefusal.of(GrpcCode.INVALID_ARGUMENT, "a call has one message");
      }
      call = service.begin(head);
    } catch (GrpcRefusal e) {
      refuse(e);
    }
  }

  private static GrpcHead head(HttpRequest request) {
    Map<String, List<String>> headers = new HashMap<>();
    for (Header header : request.getHeaders()) {
      headers
          .computeIfAbsent(header.getName().toLowerCase(Locale.ROOT), any -> new ArrayList<>())
          .add(Objects.toString(header.getValue(), ""));
    }
    String path = Objects.toString(request.getPath(), "");
    return new GrpcHead(path, Objects.toString(request.getAuthority(), ""), headers);
  }

  private static boolean isGrpc(GrpcHead head) {
    List<String> types = head.headers().getOrDefault("content-type", List.of());
    return types.size() == 1 && types.get(0).matches("application/grpc(\\+proto)?( *;.*)?");
  }

  private static void checkCoding(GrpcHead head) throws GrpcRefusal {
    for (String coding : head.headers().getOrDefault("grpc-encoding", List.of())) {
      if (!coding.equals("gzip") && !coding.equals("identity")) {
        throw GrpcRefusal.of(GrpcCode.UNIMPLEMENTED, "only gzip is unpacked here");
      }
    }
  }

  @Override
  public void consume(ByteBuffer some) {
    received += some.remaining();
    if (!answered) {
      try {
        take(some);
      } catch (GrpcRefusal e) {
        refuse(e);
      }
    }
    some.position(some.limit());
  }

  private void take(ByteBuffer some) throws GrpcRefusal {
    while (prefix.hasRemaining() && some.hasRemaining()) {
      prefix.put(some.get());
      if (!prefix.hasRemaining()) {
        begin();
      }
    }
    if (some.remaining() > left) {
      throw GrpcRefusal.of(GrpcCode.INVALID_ARGUMENT, "a call has one message");
    }
    GrpcCall taking = call;
    if (some.hasRemaining() && taking != null) {
      left -= some.remaining();
      taking.take(some);
    }
  }

  private void begin() throws GrpcRefusal {
    left = prefix.getInt(1) & 0xffffffffL;
    if (left > service.mostBytes()) {
      throw GrpcRefusal.of(
          GrpcCode.RESOURCE_EXHAUSTED,
          "a message has at most " + service.mostBytes() + " bytes here");
    }
    if ((prefix.get(0) & ~1) != 0) {
      throw GrpcRefusal.of(GrpcCode.INVALID_ARGUMENT, "this is no message of gRPC");
    }
  }

  @Override
  public void streamEnd(@Nullable List<? extends Header> trailers) {
    GrpcCall taken = call;
    if (answered || whole || taken == null) {
      return;
    }
    whole = true;
    deadlineNanos = System.nanoTime() + bounds.call().toNanos();
    try {
      if (prefix.hasRemaining() || left > 0) {
        throw GrpcRefusal.of(GrpcCode.INVALID_ARGUMENT, "the message ends before its end");
      }
      taken.whole(prefix.get(0) == 1, this);
    } catch (GrpcRefusal e) {
      refuse(e);
    }
  }

  @Override
  public void answer(byte[] message) {
    if (!answered) {
      out.add(ByteBuffer.allocate(PREFIX_BYTES).putInt(1, message.length));
      out.add(ByteBuffer.wrap(message));
      send(List.of(), new BasicEntityDetails(PREFIX_BYTES + message.length, null));
    }
  }

  @Override
  public void refuse(GrpcRefusal why) {
    if (!answered) {
      service.refused(why.code() + ": " + why.said());
      send(Trailers.of(why), null);
    }
  }

  private void send(List<Header> status, @Nullable EntityDetails entity) {
    answered = true;
    deadlineNanos = System.nanoTime() + bounds.call().toNanos();
    endCall();
    HttpResponse head = new BasicHttpResponse(200);
    head.addHeader("content-type", "application/grpc");
    head.addHeader("grpc-accept-encoding", "identity,gzip");
    status.forEach(head::addHeader);
    try {
      Objects.requireNonNull(response).sendResponse(head, entity, context);
    } catch (HttpException | IOException e) {
      deadlineNanos = System.nanoTime(); // the client has gone away, or its connection is broken
    }
  }

  @Override
  public int available() {
    return out.stream().mapToInt(ByteBuffer::remaining).sum();
  }

  @Override
  public void produce(DataStreamChannel channel) throws IOException {
    if (out.isEmpty()) {
      return;
    }
    for (ByteBuffer some : out) {
      if (some.hasRemaining()) {
        channel.write(some);
      }
      if (some.hasRemaining()) {
        return;
      }
    }
    out.clear();
    channel.endStream(Trailers.ok());
  }

  @Override
  public void updateCapacity(CapacityChannel channel) throws IOException {
    long most = (answered ? LET_GO : 1) * (long) service.mostBytes() + PREFIX_BYTES;
    int more = (int) (Math.min(received, most) - granted);
    if (more > 0) {
      granted += more;
      channel.update(more);
    }
  }

  @Override
  public void failed(Exception cause) {
    releaseResources();
  }

  @Override
  public void releaseResources() {
    answered = true;
    endCall();
    open.ended(this);
  }

  private void endCall() {
    GrpcCall taken = call;
    if (taken != null) {
      taken.end();
      call = null;
    }
  }
}
