// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.nodes.LocalPage.Reply;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.store.TraceKey;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.base.Faults;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The joined side of a link: sends this process's card and the spans of the traces that it keeps,
 * and answers what the page asks.
 */
final class Joining implements Link.Peer {
  private static final long CARD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int SPANS_AT_ONCE = 1_000;

  private final Supplier<NodeCard> self;
  private final TraceStore store;
  private final LocalPage page;
  private final Link link;
  private final CountDownLatch welcomed = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Welcome welcome;
  private long cardAt = System.nanoTime() - CARD_NANOS;

  Joining(SocketChannel channel, Supplier<NodeCard> self, TraceStore store, LocalPage page) {
    this.self = self;
    this.store = store;
    this.page = page;
    this.link = new Link(channel, this);
  }

  /**
   * Begins.
   *
   * @return what the page says; null if it lets this process not in
   */
  @Nullable Welcome begin(String proof) throws InterruptedException {
    link.trust();
    link.offer(FrameType.HELLO, proof.getBytes(StandardCharsets.US_ASCII));
    link.start();
    boolean unused = welcomed.await(Link.SILENCE_MILLIS, TimeUnit.MILLISECONDS);
    return welcome;
  }

  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  void close() {
    link.close();
  }

  @Override
  public void take(FrameType type, byte[] content) throws IOException {
    switch (type) {
      case WELCOME -> {
        Welcome said = Welcome.of(content);
        TraceKey.share(said.traceKey());
        store.sends(true);
        welcome = said;
        welcomed.countDown();
      }
      case WANTED -> store.keep(ids(content));
      case ASK -> answer(content);
      default -> {} // only this side sends those, or it is a sign of life
    }
  }

  private static List<TraceKey> ids(byte[] content) {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    List<TraceKey> ids = new ArrayList<>();
    while (bytes.remaining() >= 2 * Long.BYTES) {
      ids.add(new TraceKey(bytes.getLong(), bytes.getLong()));
    }
    return ids;
  }

  private void answer(byte[] content) throws IOException {
    if (content.length <= Long.BYTES) {
      throw new IOException("no request");
    }
    ByteBuffer asked = ByteBuffer.wrap(content);
    long id = asked.getLong();
    boolean gzip = asked.get() != 0;
    String target = StandardCharsets.UTF_8.decode(asked).toString();
    Reply reply = page.answer(target, gzip);
    if (!offer(id, reply)) {
      boolean unused =
          offer(id, NodeLink.refusal("this answer is too large to be passed on; ask for less"));
    }
  }

  private boolean offer(long id, Reply reply) {
    return reply.body().length < Link.MOST_FRAME_BYTES - 16
        && link.offer(
            FrameType.ANSWER,
            ByteBuffer.allocate(Long.BYTES + 3 + reply.body().length)
                .putLong(id)
                .putShort((short) reply.status())
                .put((byte) (reply.gzip() ? 1 : 0))
                .put(reply.body())
                .array());
  }

  @Override
  public void round() {
    if (welcome == null) {
      return;
    }
    long now = System.nanoTime();
    if (now - cardAt >= CARD_NANOS) {
      cardAt = now;
      link.offer(FrameType.CARD, self.get().bytes());
    }
    while (link.hasRoom()) {
      List<SpanData> spans = store.toSend(SPANS_AT_ONCE);
      if (spans.isEmpty()) {
        return;
      }
      send(spans);
    }
  }

  private void send(List<SpanData> spans) {
    for (int from = 0; from < spans.size(); from += SPANS_AT_ONCE) {
      List<SpanData> some = spans.subList(from, Math.min(spans.size(), from + SPANS_AT_ONCE));
      byte[] bytes;
      try {
        bytes = SpanBytes.write(some);
      } catch (RuntimeException e) {
        Faults.caught(e); // the others may go
        store.countNotSent(some.size());
        continue;
      }
      if (bytes.length > Link.MOST_FRAME_BYTES / 4 && some.size() > 1) {
        send(some.subList(0, some.size() / 2));
        send(some.subList(some.size() / 2, some.size()));
      } else if (bytes.length > Link.MOST_FRAME_BYTES || !link.offer(FrameType.SPANS, bytes)) {
        store.countNotSent(some.size());
      }
    }
  }

  @Override
  public void ended() {
    store.sends(false);
    welcomed.countDown();
    ended.countDown();
  }
}
