// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.wire.RemoteCounts;
import io.deimos.recorder.wire.RemoteMessages;
import io.deimos.recorder.wire.WireContext;
import io.deimos.recorder.woven.ContextFields;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contexts in Artery's metadata: what is written is read, and anything else does no harm. */
class RemoteHooksTest {
  private static final int START = 28;
  private static final Trace TRACE =
      new Trace(0x0af7651916cd43ddL, 0x8448eb211c80319cL, true, null);
  private static final long PARENT = 0xb7ad6b7169203331L;

  private final ByteBuffer buffer = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

  /** An envelope of Artery's, in or out, with the fields that the weaver adds. */
  private static final class Envelope implements ContextFields {
    private @Nullable Trace trace;
    private long parent;

    Trace found() {
      return Objects.requireNonNull(trace, "a trace");
    }

    @Override
    public @Nullable Trace deimos$trace() {
      return trace;
    }

    @Override
    public long deimos$parent() {
      return parent;
    }

    @Override
    public void deimos$context(@Nullable Trace newTrace, long newParent) {
      trace = newTrace;
      parent = newParent;
    }
  }

  private static Envelope out(@Nullable Trace trace, long parent) {
    Envelope envelope = new Envelope();
    envelope.deimos$context(trace, parent);
    return envelope;
  }

  private void write(Envelope envelope) {
    buffer.clear().position(START);
    RemoteHooks.write(null, envelope, buffer, START);
    buffer.flip();
  }

  private Envelope read() {
    Envelope in = new Envelope();
    RemoteHooks.read(in, buffer, START);
    return in;
  }

  @Test
  void write_sampledTrace_isReadAgain() {
    write(out(TRACE, PARENT));
    Envelope in = read();
    assertThat(in.found().hi()).isEqualTo(TRACE.hi());
    assertThat(in.found().lo()).isEqualTo(TRACE.lo());
    assertThat(in.found().isSampled()).isTrue();
    assertThat(in.parent).isEqualTo(PARENT);
  }

  @Test
  void write_sampledTrace_isTheAgentsEntryWithATraceparent() {
    write(out(TRACE, PARENT));
    assertThat(buffer.limit()).isEqualTo(START + 8 + WireContext.PLAIN_BYTES);
    assertThat(buffer.getInt(START)).isEqualTo(4 + WireContext.PLAIN_BYTES);
    assertThat(buffer.getInt(START + 4)).isEqualTo(9 << 26 | WireContext.PLAIN_BYTES);
    byte[] text = new byte[WireContext.PLAIN_BYTES];
    buffer.position(START + 8).get(text);
    assertThat(new String(text, StandardCharsets.ISO_8859_1))
        .contains("traceparent")
        .endsWith("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03");
  }

  @Test
  void write_unsampledTraceOfNobody_tellsTheDecisionUnderAnIdOfItsOwn() {
    write(out(Trace.UNSAMPLED, 0));
    Envelope in = read();
    assertThat(in.found().isSampled()).isFalse();
    assertThat(in.found().hi()).isNotEqualTo(Trace.UNSAMPLED.hi());
    assertThat(in.parent).isNotZero();
  }

  @Test
  void write_noTrace_writesNothing() {
    write(out(null, 0));
    assertThat(buffer.limit()).isEqualTo(START);
  }

  @Test
  void write_noRoom_writesNothing() {
    buffer.clear().limit(START + 80).position(START);
    RemoteHooks.write(null, out(TRACE, PARENT), buffer, START);
    assertThat(buffer.position()).isEqualTo(START);
  }

  @Test
  void write_besideOtherEntries_keepsThemAndTheOrder() {
    buffer.clear().position(START);
    buffer.putInt(10);
    buffer.putInt(2 << 26 | 1).put((byte) 7);
    buffer.putInt(20 << 26 | 1).put((byte) 8);
    RemoteHooks.write(null, out(TRACE, PARENT), buffer, START);
    buffer.flip();
    assertThat(buffer.getInt(START)).isEqualTo(10 + 4 + WireContext.PLAIN_BYTES);
    assertThat(buffer.getInt(START + 4) >>> 26).isEqualTo(2);
    assertThat(buffer.getInt(START + 9) >>> 26).isEqualTo(9);
    assertThat(buffer.getInt(START + 13 + WireContext.PLAIN_BYTES) >>> 26).isEqualTo(20);
    assertThat(buffer.get(START + 17 + WireContext.PLAIN_BYTES)).isEqualTo((byte) 8);
    assertThat(read().parent).isEqualTo(PARENT);
  }

  @Test
  void write_entryOfAnotherAgentThere_leavesIt() {
    buffer.clear().position(START);
    buffer.putInt(5).putInt(9 << 26 | 1).put((byte) 1);
    RemoteHooks.write(null, out(TRACE, PARENT), buffer, START);
    assertThat(buffer.position()).isEqualTo(START + 9);
    assertThat(buffer.getInt(START)).isEqualTo(5);
  }

  @Test
  void read_sameTraceAgain_isTheSameObject() {
    write(out(TRACE, PARENT));
    assertThat(read().trace).isSameAs(read().trace);
  }

  @Test
  void read_onlyEntriesOfOthers_isNoTrace() {
    buffer.clear().position(START);
    buffer.putInt(5).putInt(8 << 26 | 1).put((byte) 7).flip();
    long before = RemoteCounts.unreadable();
    assertThat(read().trace).isNull();
    assertThat(RemoteCounts.unreadable()).isEqualTo(before);
  }

  @Test
  void read_wrongTraceparent_isCountedAndNoTrace() {
    write(out(TRACE, PARENT));
    buffer.put(buffer.limit() - 10, (byte) 'x');
    long before = RemoteCounts.unreadable();
    assertThat(read().trace).isNull();
    assertThat(RemoteCounts.unreadable()).isEqualTo(before + 1);
  }

  @Test
  void read_anyBytes_neverFails() {
    Random random = new Random(42);
    byte[] bytes = new byte[buffer.capacity()];
    for (int i = 0; i < 20_000; i++) {
      write(out(TRACE, PARENT));
      if (i % 2 == 0) {
        random.nextBytes(bytes);
        buffer.clear().put(bytes).position(0).limit(START + random.nextInt(200));
        buffer.order(ByteOrder.LITTLE_ENDIAN);
        if (buffer.limit() > START + 8) {
          int length = buffer.limit() - START - 8;
          buffer.putInt(START, length + 4);
          buffer.putInt(START + 4, (random.nextBoolean() ? 8 : 9) << 26 | length);
        }
      } else {
        for (int flips = random.nextInt(4); flips >= 0; flips--) {
          int at = START + random.nextInt(buffer.limit() - START);
          buffer.put(at, (byte) random.nextInt());
        }
      }
      int position = buffer.position();
      read();
      assertThat(buffer.position()).as("seed 42, round %s", i).isEqualTo(position);
    }
  }

  @Test
  void appendix_ofAClassicMessage_isReadAgain() {
    ThreadState s = ThreadState.currentOrNew();
    s.enter(TRACE, PARENT);
    byte[] field = Objects.requireNonNull(ClassicHooks.appendix());
    s.leave(s.at);
    Envelope in = new Envelope();
    ByteBuffer raw = ByteBuffer.allocate(field.length + 4);
    raw.put(new byte[] {2 << 3 | 2, 2, 1, 1}).put(field).flip();
    ClassicHooks.received(raw, in);
    assertThat(in.found().lo()).isEqualTo(TRACE.lo());
    assertThat(in.parent).isEqualTo(PARENT);
  }

  @Test
  void appendix_outsideOfAll_isNone() {
    assertThat(ClassicHooks.appendix()).isNull();
  }

  @Test
  void leaving_inATrace_takesItAlong_butNotForPekkosOwn() {
    ThreadState s = ThreadState.currentOrNew();
    s.enter(TRACE, PARENT);
    Envelope users = new Envelope();
    RemoteHooks.leaving(users, "message");
    s.leave(s.at);
    assertThat(users.trace).isSameAs(TRACE);
    RemoteHooks.leaving(users, "message");
    assertThat(users.trace).isNull();
    assertThat(RemoteMessages.carries("org.apache.pekko.cluster.ClusterHeartbeatSender$Heartbeat"))
        .isFalse();
    assertThat(RemoteMessages.carries("org.apache.pekko.cluster.GossipEnvelope")).isFalse();
    assertThat(RemoteMessages.carries("org.apache.pekko.remote.RemoteWatcher$Heartbeat$"))
        .isFalse();
    assertThat(RemoteMessages.carries("org.apache.pekko.cluster.sharding.typed.ShardingEnvelope"))
        .isTrue();
    assertThat(
            RemoteMessages.carries(
                "org.apache.pekko.actor.typed.delivery.ConsumerController$SequencedMessage"))
        .isTrue();
    assertThat(RemoteMessages.carries("com.example.Order")).isTrue();
  }

  @Test
  void remoteOff_nothingGoesWithMessagesOrComesWithThem() {
    write(out(TRACE, PARENT));
    Envelope leaving = out(TRACE, PARENT);
    ThreadState s = ThreadState.currentOrNew();
    s.enter(TRACE, PARENT);
    Parts.rule(
        new Rules() {
          @Override
          public boolean remote() {
            return false;
          }
        });
    try {
      RemoteHooks.leaving(leaving, "message");
      assertThat(leaving.trace).isNull();
      assertThat(read().trace).isNull();
    } finally {
      Parts.rule(Rules.NONE);
      s.leave(s.at);
    }
    assertThat(read().trace).isNotNull();
  }

  @Test
  void arrived_withAndWithoutATrace_leavesTheThreadAsItWas() {
    ThreadState s = ThreadState.currentOrNew();
    s.enter(new Trace(1, 2, true, null), 3);
    Frame arrived =
        Objects.requireNonNull(RemoteHooks.arrived(RemoteHooks.ARRIVED, out(TRACE, PARENT)));
    assertThat(s.trace()).isSameAs(TRACE);
    assertThat(s.spanId()).isEqualTo(PARENT);
    assertThat(arrived).isSameAs(s.at);
    RemoteHooks.delivered(arrived);
    Frame without = Objects.requireNonNull(RemoteHooks.arrived(RemoteHooks.ARRIVED, out(null, 0)));
    assertThat(without).isSameAs(s.at);
    assertThat(s.trace()).isNull();
    RemoteHooks.delivered(without);
    assertThat(s.spanId()).isEqualTo(3);
    s.leave(s.at);
    assertThat(RemoteHooks.arrived(RemoteHooks.ARRIVED, out(null, 0))).isNull();
  }
}
