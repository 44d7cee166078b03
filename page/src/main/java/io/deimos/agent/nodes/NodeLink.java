// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Wire;
import io.deimos.agent.json.Json;
import io.deimos.agent.otlp.SpanBytes;
import io.deimos.agent.store.TraceKey;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.clock.Clock;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The serving side of the link to one process that has proven who it is. */
final class NodeLink implements Link.Peer {
  private static final int ANSWER_SECONDS = 3;
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
  private static final long GIVEN_UP_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How a request is made: whether its answer may be packed, */
  static final int GZIP = 1;

  /** whether who asks has shown the page's token, */
  static final int TOLD = 2;

  /** and whether it is to change something, which only who has shown it may. */
  static final int CHANGES = 4;

  /** How it is answered, besides {@link #GZIP}: whether the answer is plain text. */
  static final int TEXT = 2;

  private static final int ID_BYTES = Long.BYTES;
  private static final byte[] NOTHING = {};
  private static final int LEAST_STATUS = 200;
  private static final int MAX_STATUS = 599;
  private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Nodes nodes;
  private final TraceStore store;
  private final Link link;
  private volatile @Nullable ProcessStatus card;
  private final LastState last;
  private final Map<Credit.Of, Credit> credits = new EnumMap<>(Credit.Of.class);
  private volatile TroubleBytes.Told trouble = TroubleBytes.Told.NOTHING;
  private final long joinedAtMillis = System.currentTimeMillis();
  private final ClockPairs clock = new ClockPairs();

  /** The last one that was sent; what answers another says nothing of the way. */
  private volatile long stamp;

  private final Object clusterLock = new Object();
  private byte[] cluster = NOTHING;
  private final LongAdder spansReceived = new LongAdder();
  private @Nullable Resource resource;
  private long beatAt = System.nanoTime() - BEAT_NANOS;

  private final Object asking = new Object();
  private long asked;
  private long askedAt;
  private @Nullable CompletableFuture<Reply> answer;

  NodeLink(Nodes nodes, TraceStore store, Wire wire) {
    this.nodes = nodes;
    this.store = store;
    this.last = new LastState(nodes.kept());
    for (Credit.Of of : Credit.Of.values()) {
      credits.put(of, new Credit(of));
    }
    this.link = new Link(wire, this, nodes.reading(), nodes.writing());
  }

  void start() {
    link.offer(FrameType.WELCOME, nodes.welcome().bytes());
    link.start();
  }

  boolean isOf(String id) {
    ProcessStatus known = card;
    return known != null && known.id().equals(id);
  }

  /** Its last card; null before it has sent one. */
  @Nullable Node node(Node.State state, long sinceMillis) {
    ProcessStatus known = card;
    return known == null
        ? null
        : new Node(
            known,
            state,
            state == Node.State.GONE ? sinceMillis : joinedAtMillis,
            spansReceived.sum(),
            trouble.leftOut(),
            last.atMillis(),
            clock.offset());
  }

  @Override
  public void take(FrameType type, byte[] content) throws IOException {
    spend(type, content.length);
    switch (type) {
      case CARD -> card(ProcessStatus.of(content));
      case SPANS -> spans(content);
      case ANSWER -> answered(content);
      case LAST -> last.take(content);
      case TROUBLE -> trouble(content);
      case CLUSTER -> cluster(content);
      case CLOCK -> clock(content);
      default -> {} // only this side sends those
    }
  }

  private void spend(FrameType type, int bytes) throws IOException {
    for (Credit.Of of : Credit.Of.values()) {
      if (of.type == type && !credit(of).spend(bytes)) {
        throw new IOException("it sends more than it may");
      }
    }
  }

  private Credit credit(Credit.Of of) {
    return Objects.requireNonNull(credits.get(of));
  }

  @SuppressWarnings("EnumOrdinal") // the order is the protocol
  private void grant(long now) {
    int links = nodes.links();
    for (Credit.Of of : Credit.Of.values()) {
      long more = credit(of).grant(links, now);
      if (more > 0) {
        byte[] frame =
            ByteBuffer.allocate(1 + Long.BYTES).put((byte) of.type.ordinal()).putLong(more).array();
        if (!link.offer(FrameType.CREDIT, frame)) {
          credit(of).takeBack(more);
        }
      }
    }
  }

  private void card(ProcessStatus said) throws IOException {
    ProcessStatus before = card;
    if (!said.id().matches("[0-9a-f]{16}")
        || (before == null ? nodes.isKnown(said.id()) : !before.id().equals(said.id()))) {
      throw new IOException("no id, or that of another process");
    }
    card = said;
    if (resource == null) {
      resource = Resource.create(Attributes.of(TraceStore.NODE, said.id()));
      nodes.joined();
    }
  }

  private void spans(byte[] content) throws IOException {
    Resource from = resource;
    if (from == null) {
      return;
    }
    if (content.length > Credit.Of.SPANS.leastWindow) {
      throw new IOException("more spans than a frame has");
    }
    try {
      List<SpanData> spans = SpanBytes.read(content, from);
      spansReceived.add(spans.size());
      store.adopt(spans);
    } catch (IllegalArgumentException e) {
      throw new IOException("no spans", e);
    }
  }

  private void trouble(byte[] content) throws IOException {
    ProcessStatus from = card;
    if (from != null) {
      trouble = TroubleBytes.read(content, from.id());
    }
  }

  /** Held as it came, once it has been read: so it takes what it takes on the way. */
  private void cluster(byte[] content) throws IOException {
    ClusterBytes.read(content);
    synchronized (clusterLock) {
      if (nodes.kept().tryTake(content.length - cluster.length)) {
        cluster = content;
      }
    }
  }

  /** Its last words on its clusters; null before it has sent any. */
  @Nullable ClusterCard cluster() {
    byte[] said;
    synchronized (clusterLock) {
      said = cluster;
    }
    try {
      return said.length == 0 ? null : ClusterBytes.read(said);
    } catch (IOException e) {
      throw new UncheckedIOException("it could be read before", e);
    }
  }

  /** Nothing of it is kept any more. */
  void forget() {
    last.forget();
    synchronized (clusterLock) {
      nodes.kept().give(cluster.length);
      cluster = NOTHING;
    }
  }

  private void clock(byte[] content) throws IOException {
    long now = Clock.epochNanos(Clock.now());
    if (content.length != 3 * Long.BYTES) {
      throw new IOException("no stamps");
    }
    ByteBuffer stamps = ByteBuffer.wrap(content);
    long sent = stamps.getLong();
    if (sent == stamp) {
      clock.add(sent, stamps.getLong(), stamps.getLong(), now);
    }
  }

  TroubleBytes.Told trouble() {
    return trouble;
  }

  LastState last() {
    return last;
  }

  @Nullable ProcessStatus card() {
    return card;
  }

  /** Sends on what traces are kept; what there is no room for is counted, since parts may lack. */
  void wanted(List<TraceKey> ids) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES * ids.size());
    ids.forEach(id -> bytes.putLong(id.hi()).putLong(id.lo()));
    if (!link.offer(FrameType.WANTED, bytes.array())) {
      store.countNotAskedFor(ids.size());
    }
  }

  /**
   * Asks the process, which has {@value #ANSWER_SECONDS} seconds to answer. A request that comes
   * while it is at another answer waits for that; if that one is late, nobody waits, so that a
   * process that hangs does not hold the page's threads. Ten seconds after a request it is asked
   * again.
   */
  Reply ask(String target, int how) {
    byte[] text = target.getBytes(StandardCharsets.UTF_8);
    CompletableFuture<Reply> mine = new CompletableFuture<>();
    synchronized (asking) {
      long since = System.nanoTime();
      while (answer != null && System.nanoTime() - askedAt < GIVEN_UP_NANOS) {
        long now = System.nanoTime();
        long left = ANSWER_NANOS - Math.max(now - askedAt, now - since);
        if (left <= 0) {
          return refusal("this process does not answer now; ask again");
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(asking, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return refusal("the page is ending");
        }
      }
      answer = mine;
      askedAt = System.nanoTime();
      asked++;
      boolean isSent =
          link.offer(
              FrameType.ASK,
              ByteBuffer.allocate(ID_BYTES + 1 + text.length)
                  .putLong(asked)
                  .put((byte) how)
                  .put(text)
                  .array());
      if (!isSent) {
        answer = null;
        return refusal("this process is gone, or takes nothing now");
      }
    }
    try {
      return mine.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return refusal("this process did not answer within " + ANSWER_SECONDS + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return refusal("the page is ending");
    }
  }

  static Reply refusal(String said) {
    return refusal(503, said);
  }

  static Reply absence(String said) {
    return refusal(404, said);
  }

  static Reply refusal(int status, String said) {
    return new Reply(
        status,
        false,
        Json.bytes(json -> json.beginObject().name("error").value(said).endObject()));
  }

  private void answered(byte[] content) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    long id = in.readLong();
    int status = in.readUnsignedShort();
    if (status < LEAST_STATUS || status > MAX_STATUS) {
      throw new IOException("no status of an answer");
    }
    int how = in.readUnsignedByte();
    Reply reply = new Reply(status, (how & GZIP) != 0, (how & TEXT) != 0, in.readAllBytes());
    synchronized (asking) {
      CompletableFuture<Reply> waiting = answer;
      if (waiting != null && id == asked) {
        answer = null;
        waiting.complete(reply);
        asking.notifyAll();
      }
    }
  }

  @Override
  public void round() {
    long now = System.nanoTime();
    if (now - beatAt >= BEAT_NANOS) {
      beatAt = now;
      long sent = Clock.epochNanos(Clock.now());
      stamp = sent;
      link.offer(FrameType.CARD, ByteBuffer.allocate(Long.BYTES).putLong(sent).array());
    }
    grant(now);
    nodes.round();
  }

  void close() {
    link.close();
  }

  @Override
  public void ended() {
    synchronized (asking) {
      CompletableFuture<Reply> waiting = answer;
      answer = null;
      if (waiting != null) {
        waiting.complete(refusal("this process is gone"));
      }
      asking.notifyAll();
    }
    nodes.ended(this);
  }
}
