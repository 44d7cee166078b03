// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Wire;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.store.TraceKey;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The joined side of a link: sends this process's card and the spans of the traces that it keeps,
 * and answers what the page asks.
 */
final class Joining implements Link.Peer {
  private static final long CARD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CLUSTER_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int SPANS_AT_ONCE = 1_000;
  private static final int SPANS_OF_A_FRAME = 200;
  private static final int FRAME_BYTES = 64 * 1024;
  private static final int MAX_SPAN_BYTES = Credit.Of.SPANS.leastWindow;
  private static final long MAX_CREDIT = 64 << 20;
  private static final double FIRST_BYTES_OF_A_SPAN = 300;
  private static final double WEIGHT_OF_NEW = 0.1;

  /** Spans as a frame has them. */
  private static final class Encoded {
    final byte[] bytes;
    final int spans;

    Encoded(byte[] bytes, int spans) {
      this.bytes = bytes;
      this.spans = spans;
    }
  }

  private final Supplier<ProcessStatus> self;
  private final TraceStore store;
  private final LocalPage page;
  private final Link link;
  private final CountDownLatch welcomed = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Welcome welcome;
  private long cardAt = System.nanoTime() - CARD_NANOS;
  private final Map<Credit.Of, AtomicLong> credits = new EnumMap<>(Credit.Of.class);
  private final Queue<Encoded> ready = new ArrayDeque<>();
  private double bytesOfASpan = FIRST_BYTES_OF_A_SPAN;
  private List<TroubleGroup> toldTrouble = List.of();
  private Set<String> knownTrouble = Set.of();
  private final LastPace pace = new LastPace(LastState.KEPT);
  private byte[] toldCluster = {};
  private long clusterAt = System.nanoTime() - CLUSTER_NANOS;

  Joining(Wire wire, Supplier<ProcessStatus> self, TraceStore store, LocalPage page) {
    this.self = self;
    this.store = store;
    this.page = page;
    this.link =
        new Link(wire, this, new LinkBudget(Link.MAX_FRAME_BYTES), new LinkBudget(16 << 20));
    for (Credit.Of of : Credit.Of.values()) {
      credits.put(of, new AtomicLong());
    }
  }

  /**
   * Begins.
   *
   * @return what the page says; null if it lets this process not in
   */
  @Nullable Welcome begin(String proof) throws InterruptedException {
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
      case CREDIT -> credited(content);
      case WANTED -> store.keep(ids(content));
      case ASK -> answer(content);
      case CARD -> clock(content);
      default -> {} // only this side sends those, or it is a sign of life
    }
  }

  @SuppressWarnings("EnumOrdinal") // the order is the protocol
  private void credited(byte[] content) throws IOException {
    ByteBuffer said = ByteBuffer.wrap(content);
    if (content.length != 1 + Long.BYTES) {
      throw new IOException("no credit");
    }
    int type = said.get();
    long more = said.getLong();
    for (Credit.Of of : Credit.Of.values()) {
      if (of.type.ordinal() == type && more > 0) {
        credit(of).accumulateAndGet(more, (has, got) -> Math.min(MAX_CREDIT, has + got));
      }
    }
  }

  /** Answers a stamp at once, with when it came and when this goes. */
  private void clock(byte[] content) {
    if (content.length == Long.BYTES) {
      long now = Clock.epochNanos(Clock.now());
      link.offer(
          FrameType.CLOCK,
          ByteBuffer.allocate(3 * Long.BYTES)
              .put(content)
              .putLong(now)
              .putLong(Clock.epochNanos(Clock.now()))
              .array());
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
    int how = asked.get();
    boolean gzip = (how & NodeLink.GZIP) != 0;
    boolean changes = (how & NodeLink.CHANGES) != 0;
    String target = StandardCharsets.UTF_8.decode(asked).toString();
    Reply reply =
        changes || (how & NodeLink.TOLD) != 0
            ? page.answerTold(target, gzip, changes)
            : page.answer(target, gzip);
    if (!offer(id, reply)) {
      boolean unused =
          offer(id, NodeLink.refusal("this answer is too large to be passed on; ask for less"));
    }
  }

  private static int how(Reply reply) {
    return (reply.gzip() ? NodeLink.GZIP : 0) | (reply.text() ? NodeLink.TEXT : 0);
  }

  private boolean offer(long id, Reply reply) {
    return reply.body().length < Link.MAX_FRAME_BYTES - 16
        && link.offer(
            FrameType.ANSWER,
            ByteBuffer.allocate(Long.BYTES + 3 + reply.body().length)
                .putLong(id)
                .putShort((short) reply.status())
                .put((byte) how(reply))
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
      ProcessStatus card = self.get();
      link.offer(FrameType.CARD, card.bytes());
      pace.counted(card.counts().messages(), card.counts().actorsLive());
      trouble();
    }
    if (now - clusterAt >= CLUSTER_NANOS) {
      clusterAt = now;
      cluster();
    }
    last();
    spans();
  }

  /**
   * Sends as much as the page allows; the rest waits where it is, or has to go there. No more is
   * made ready than may be sent now, or trouble would wait behind it.
   */
  private void spans() {
    while (true) {
      for (Encoded next = ready.peek(); next != null; next = ready.peek()) {
        if (!spend(Credit.Of.SPANS, FrameType.SPANS, next.bytes)) {
          return;
        }
        store.countSent(next.spans);
        ready.remove();
      }
      long most = (long) (credit(Credit.Of.SPANS).get() / bytesOfASpan);
      List<SpanData> spans =
          most > 0 ? store.toSend((int) Math.min(SPANS_AT_ONCE, most)) : List.of();
      if (spans.isEmpty()) {
        return;
      }
      encode(spans);
    }
  }

  private AtomicLong credit(Credit.Of of) {
    return Objects.requireNonNull(credits.get(of));
  }

  /** Sends a frame if there is credit for it. */
  private boolean spend(Credit.Of of, FrameType type, byte[] content) {
    return credit(of).get() >= content.length
        && link.offer(type, content)
        && credit(of).addAndGet(-content.length) >= 0;
  }

  private void trouble() {
    List<TroubleGroup> now = page.trouble();
    Set<String> ids = now.stream().map(TroubleGroup::id).collect(Collectors.toSet());
    if (!knownTrouble.containsAll(ids)) {
      pace.worried(System.nanoTime());
    }
    knownTrouble = ids;
    if (!now.equals(toldTrouble)
        && spend(Credit.Of.TROUBLE, FrameType.TROUBLE, TroubleBytes.write(now))) {
      toldTrouble = now;
    }
  }

  /** If there is no credit the next one says more. */
  private void cluster() {
    byte[] now = ClusterBytes.write(page.cluster());
    if (!Arrays.equals(now, toldCluster) && spend(Credit.Of.CLUSTER, FrameType.CLUSTER, now)) {
      toldCluster = now;
    }
  }

  /** Sends what is to be known of this process after its end, as often as that costs little. */
  private void last() {
    if (credit(Credit.Of.LAST).get() < Credit.Of.LAST.leastWindow / 4) {
      return;
    }
    long began = System.nanoTime();
    LastState.Kept kept = pace.next(began);
    if (kept != null) {
      byte[] frame = LastState.frame(kept.target(), page.answer(kept.target(), true));
      pace.made(kept, began, System.nanoTime());
      if (frame != null) {
        boolean unused = spend(Credit.Of.LAST, FrameType.LAST, frame); // the next one says more
      }
    }
  }

  private void encode(List<SpanData> spans) {
    for (int from = 0; from < spans.size(); from += SPANS_OF_A_FRAME) {
      List<SpanData> some = spans.subList(from, Math.min(spans.size(), from + SPANS_OF_A_FRAME));
      byte[] bytes;
      try {
        bytes = SpanBytes.write(some);
      } catch (RuntimeException e) {
        Faults.caught(e); // the others may go
        store.countNotSent(some.size());
        continue;
      }
      if (bytes.length <= FRAME_BYTES || (some.size() == 1 && bytes.length <= MAX_SPAN_BYTES)) {
        bytesOfASpan += WEIGHT_OF_NEW * ((double) bytes.length / some.size() - bytesOfASpan);
        ready.add(new Encoded(bytes, some.size()));
      } else if (some.size() > 1) {
        encode(some.subList(0, some.size() / 2));
        encode(some.subList(some.size() / 2, some.size()));
      } else {
        store.countNotSent(1);
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
