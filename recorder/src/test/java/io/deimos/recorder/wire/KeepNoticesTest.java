// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.wire.KeepNotices.KeptId;
import io.deimos.recorder.wire.WireContext.MalformedException;
import io.deimos.recorder.woven.NumberFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepNoticesTest {
  private static final Trace TRACE =
      new Trace(0x0af7651916cd43ddL, 0x8448eb211c80319cL, true, null);

  private final Encoder encoder = new Encoder();

  /** An encoder of Artery's with the number that the weaver adds. */
  private static final class Encoder implements NumberFields {
    private long number;

    @Override
    public long deimos$number() {
      return number;
    }

    @Override
    public void deimos$number(long next) {
      number = next;
    }
  }

  @BeforeEach
  void listen() {
    KeepNotices.listen(true);
    while (KeepNotices.after(encoder) != null) {
      // of other tests
    }
  }

  @AfterEach
  void stopListening() {
    KeepNotices.listen(false);
  }

  private static List<KeptId> taken() {
    List<KeptId> all = new ArrayList<>();
    for (KeptId id = KeepNotices.take(); id != null; id = KeepNotices.take()) {
      all.add(id);
    }
    return all;
  }

  private static ByteBuffer written(@Nullable Trace trace, byte @Nullable [] kept) {
    ByteBuffer to = ByteBuffer.allocate(2 * WireContext.MAX_BYTES);
    assertThat(WireContext.write(trace, 77, kept, to)).isTrue();
    return to.flip();
  }

  private static ThreadState read(ByteBuffer from) throws MalformedException {
    ThreadState state = ThreadState.currentOrNew();
    state.captured(null, 0);
    WireContext.read(from, 0, from.limit(), state);
    return state;
  }

  @Test
  void noneTold_nothingIsSent() {
    assertThat(KeepNotices.after(encoder)).isNull();
  }

  @Test
  void toldId_goesOnceByEachEncoder() {
    Encoder second = new Encoder();
    KeepNotices.tell(0xabL, 1);
    byte[] first = KeepNotices.after(encoder);
    assertThat(first).isEqualTo("00000000000000ab0000000000000001".getBytes(ISO_8859_1));
    assertThat(KeepNotices.after(encoder)).isNull();
    assertThat(new String(Objects.requireNonNull(KeepNotices.after(second)), ISO_8859_1))
        .endsWith("00000000000000ab0000000000000001");
  }

  @Test
  void manyTold_goInSeveralMessages() {
    for (int i = 1; i <= KeepNotices.MOST + 1; i++) {
      KeepNotices.tell(0, i);
    }
    assertThat(KeepNotices.after(encoder)).hasSize(32 * KeepNotices.MOST);
    assertThat(KeepNotices.after(encoder)).hasSize(32);
    assertThat(KeepNotices.after(encoder)).isNull();
  }

  @Test
  void notice_besideAContext_isReadWithIt() throws MalformedException {
    KeepNotices.tell(5, 6);
    ThreadState state = read(written(TRACE, KeepNotices.after(encoder)));
    Trace read = Objects.requireNonNull(state.capturedTrace);
    assertThat(read.hi()).isEqualTo(TRACE.hi());
    assertThat(read.baseContext()).as("as if it came alone").isNull();
    assertThat(state.capturedSpan).isEqualTo(77);
    assertThat(taken()).containsExactly(new KeptId(5, 6));
  }

  @Test
  void notice_ofItself_isReadAndNoContext() throws MalformedException {
    KeepNotices.tell(-5, 6);
    ThreadState state = read(written(null, KeepNotices.after(encoder)));
    assertThat(state.capturedTrace).isNull();
    assertThat(taken()).containsExactly(new KeptId(-5, 6));
  }

  @Test
  void heard_whileNobodyListens_isIgnored() throws MalformedException {
    KeepNotices.listen(false);
    KeepNotices.heard("0".repeat(32));
    assertThat(taken()).isEmpty();
  }

  @Test
  void heard_whatIsNoListOfIds_isMalformed() {
    for (String bad : List.of("1", "g".repeat(32), "0".repeat(32 * KeepNotices.MOST + 32))) {
      assertThatThrownBy(() -> KeepNotices.heard(bad)).isInstanceOf(MalformedException.class);
    }
  }

  @Test
  void heard_moreThanThereIsRoomFor_isCounted() throws MalformedException {
    long before = KeepNotices.forgotten();
    String most = "0123456789abcdef0123456789abcdef".repeat(KeepNotices.MOST);
    for (int i = 0; i <= KeepNotices.MAX_HEARD / KeepNotices.MOST; i++) {
      KeepNotices.heard(most);
    }
    assertThat(KeepNotices.forgotten() - before).isEqualTo(KeepNotices.MOST);
    assertThat(taken()).hasSize(KeepNotices.MAX_HEARD);
  }
}
