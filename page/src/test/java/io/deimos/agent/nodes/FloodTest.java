// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.http.Upgrade;
import io.deimos.agent.http.Wire;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A process that sends more than it may loses its connection, and the others notice nothing. */
class FloodTest {
  private static final String NUMBER = "0".repeat(64);
  private static final String QUIET = "00000000000000aa";
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final int MANY = 100_000;

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);

  @Test
  void link_thatSendsMoreThanItMay_endsAndTheOtherGoesOn() throws Exception {
    Nodes nodes = new Nodes("0", () -> card("0000000000000000"), store, 1, true, "");
    try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Peer quiet = new Peer(nodes, port, QUIET);
        Peer flooding = new Peer(nodes, port, "00000000000000bb")) {
      await(() -> nodes.all().size() == 3);
      quiet.beat();
      byte[] spans = SpanBytes.write(spans(200));
      int sent = 0;
      try {
        for (; sent < MANY; sent++) {
          flooding.send(FrameType.SPANS, spans);
        }
      } catch (SocketException e) {
        // The page has had enough.
      }
      assertThat(sent).isLessThan(MANY);
      await(() -> nodes.all().get(2).state() == Node.State.GONE);
      assertThat(nodes.reading().taken()).isZero();

      quiet.awaitCredit(Credit.Of.SPANS);
      quiet.send(FrameType.SPANS, SpanBytes.write(spans(1)));
      await(() -> nodes.all().get(1).spansReceived() == 1);
      assertThat(nodes.all().get(1).card().id()).isEqualTo(QUIET);
    } finally {
      nodes.close();
    }
  }

  /** A process that joins, and then says what it is told to say. */
  private static final class Peer implements AutoCloseable {
    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;
    private final String id;
    private final ScheduledExecutorService each = Executors.newSingleThreadScheduledExecutor();

    @SuppressWarnings("EnumOrdinal") // the order is the protocol
    Peer(Nodes nodes, ServerSocket port, String id) throws IOException {
      this.id = id;
      socket = new Socket(port.getInetAddress(), port.getLocalPort());
      Upgrade opening = nodes.open(NUMBER);
      String file = Objects.requireNonNull(opening.says().get(Handshake.FILE));
      String theirs = Objects.requireNonNull(opening.says().get(Handshake.NUMBER));
      LinkSecret secret = LinkSecret.read(file, LinkSecret.make());
      out = new DataOutputStream(socket.getOutputStream());
      in = new DataInputStream(socket.getInputStream());
      String proof = secret.proof("joins", 1, NUMBER, theirs);
      ByteBuffer hello = ByteBuffer.allocate(opening.proofBytes());
      hello.putInt(proof.length()).put((byte) FrameType.HELLO.ordinal());
      hello.put(proof.getBytes(StandardCharsets.US_ASCII));
      assertThat(opening.isProof(hello.array())).isTrue();
      opening.take(Wire.of(port.accept()));
      sayCard();
    }

    /** Says that it lives, as a process does, however long the flood of the other takes. */
    void beat() {
      ScheduledFuture<?> unused =
          each.scheduleWithFixedDelay(this::sayCard, 1, 1, TimeUnit.SECONDS);
    }

    private void sayCard() {
      try {
        send(FrameType.CARD, card(id).bytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @SuppressWarnings("EnumOrdinal") // the order is the protocol
    synchronized void send(FrameType type, byte[] content) throws IOException {
      out.writeInt(content.length);
      out.writeByte(type.ordinal());
      out.write(content);
      out.flush();
    }

    @SuppressWarnings("EnumOrdinal") // the order is the protocol
    void awaitCredit(Credit.Of of) throws IOException {
      while (true) {
        int length = in.readInt();
        int type = in.readUnsignedByte();
        byte[] content = in.readNBytes(length);
        if (type == FrameType.CREDIT.ordinal() && content[0] == of.type.ordinal()) {
          return;
        }
      }
    }

    @Override
    public void close() throws IOException {
      each.shutdownNow();
      socket.close();
    }
  }

  private static ProcessStatus card(String id) {
    return ProcessStatus.sender(id, "shop", "17", 1, "");
  }

  private static List<SpanData> spans(int count) {
    List<SpanData> spans = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      spans.add(
          TestSpanData.builder()
              .setHasEnded(true)
              .setName("span")
              .setKind(SpanKind.SERVER)
              .setStatus(StatusData.unset())
              .setSpanContext(
                  SpanContext.create(
                      "%032x".formatted(i),
                      "%016x".formatted(i),
                      TraceFlags.getSampled(),
                      TraceState.getDefault()))
              .setStartEpochNanos(i)
              .setEndEpochNanos(2L * i)
              .build());
    }
    return spans;
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!Objects.requireNonNull(condition.call())) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(20_000_000);
    }
  }
}
