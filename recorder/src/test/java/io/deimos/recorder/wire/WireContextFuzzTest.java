// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** Bytes of peers beside a message may be anything: */
class WireContextFuzzTest {
  private static final byte[] AROUND = {1, 2, 3};

  @FuzzTest
  void read_anyBytes_isAContextOrMalformed(byte[] bytes) {
    ThreadState into = ThreadState.currentOrNew();
    into.captured(null, 0);
    ByteBuffer buffer = within(bytes);
    try {
      WireContext.read(buffer, AROUND.length, AROUND.length + bytes.length, into);
    } catch (WireContext.MalformedException e) {
      return;
    }
    Trace trace = into.capturedTrace;
    if (trace != null && trace.hasBegun() && trace.isSampled()) {
      assertReadsAsWritten(trace, into.capturedSpan, into);
    }
  }

  private static void assertReadsAsWritten(Trace trace, long span, ThreadState into) {
    ByteBuffer again = ByteBuffer.allocate(WireContext.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(WireContext.write(trace, span, again)).isTrue();
    try {
      WireContext.read(again, 0, again.position(), into);
    } catch (WireContext.MalformedException e) {
      throw new AssertionError("what was written cannot be read", e);
    }
    Trace read = Objects.requireNonNull(into.capturedTrace);
    assertThat(read.hi()).isEqualTo(trace.hi());
    assertThat(read.lo()).isEqualTo(trace.lo());
    assertThat(into.capturedSpan).isEqualTo(span);
  }

  /** As part of a larger buffer, beyond which nothing may be read. */
  private static ByteBuffer within(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(AROUND.length + bytes.length);
    buffer.put(AROUND).put(bytes);
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }
}
