// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Hook;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.wire.RemoteCounts;
import io.deimos.recorder.wire.RemoteMessages;
import io.deimos.recorder.wire.WireContext;
import io.deimos.recorder.wire.WireContext.MalformedException;
import io.deimos.recorder.woven.ContextFields;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where classic remoting sends and receives. It has no place for metadata, so
 * the context is one more field of its outermost protobuf message: the number is the OpenTelemetry
 * agent's, and who does not know it skips it, as protobuf says.
 *
 * <p><b>Threads.</b> {@link #sending} and {@link #appendix} on the writer's, {@link #received} on
 * the reader's.
 */
public final class ClassicHooks {
  private static final Hook SENDING = Hook.named("EndpointWriter.writeSend");
  private static final Hook RECEIVED = Hook.named("PekkoPduProtobufCodec$.decodeMessage");

  private static final int FIELD = 1000;
  private static final int BYTES = 2;
  private static final int LONGEST_NUMBER = 10;

  private ClassicHooks() {}

  /**
   * A message is about to be written: until {@link RemoteHooks#delivered} its sender's context is
   * this thread's.
   */
  public static @Nullable Frame sending(@Nullable Object send, @Nullable Object message) {
    ContextFields fields = send instanceof ContextFields f ? f : null;
    boolean carried =
        fields != null
            && fields.deimos$trace() != null
            && message != null
            && RemoteMessages.carriesContext(message);
    ThreadState s = carried ? ThreadState.currentOrNew() : ThreadState.current();
    if (s == null || (!carried && s.isWithoutContext())) {
      return null;
    }
    SENDING.fires();
    return s.enter(
        carried && fields != null ? fields.deimos$trace() : null,
        carried && fields != null ? fields.deimos$parent() : 0);
  }

  /** The field for what is being written on this thread, or null. */
  public static byte @Nullable [] appendix() {
    ThreadState s = ThreadState.current();
    Trace trace = s == null || !s.isBusy() ? null : s.trace();
    if (s == null || trace == null) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(WireContext.MAX_BYTES);
    if (!WireContext.write(trace, s.spanId(), bytes)) {
      return null;
    }
    ByteBuffer field = ByteBuffer.allocate(bytes.position() + LONGEST_NUMBER);
    writeNumber(FIELD << 3 | BYTES, field);
    writeNumber(bytes.position(), field);
    field.put(bytes.flip());
    return Arrays.copyOf(field.array(), field.position());
  }

  private static void writeNumber(int number, ByteBuffer to) {
    int left = number;
    while (left > 0x7f) {
      to.put((byte) (left | 0x80));
      left >>>= 7;
    }
    to.put((byte) left);
  }

  /**
   * A message has been read.
   *
   * @param raw all of it, from position to limit, in network byte order; not changed
   * @param message what carries its context on, or null
   */
  public static void received(ByteBuffer raw, @Nullable Object message) {
    ThreadState s = ThreadState.currentOrNew();
    RECEIVED.fires();
    if (!(message instanceof ContextFields fields)) {
      return;
    }
    s.captured(null, 0);
    try {
      find(raw, s);
    } catch (MalformedException e) {
      s.captured(null, 0);
      RemoteCounts.countUnreadable(String.valueOf(e.getMessage()));
    }
    if (s.capturedTrace != null) {
      fields.deimos$context(s.capturedTrace, s.capturedSpan);
    }
    s.forgetCaptured();
  }

  private static void find(ByteBuffer raw, ThreadState s) throws MalformedException {
    ByteBuffer in = raw.duplicate();
    while (in.hasRemaining()) {
      int tag = readNumber(in);
      if ((tag & 7) != BYTES) {
        return; // classic remoting has no other fields there
      }
      int length = readNumber(in);
      if (length < 0 || length > in.remaining()) {
        throw new MalformedException("a field that is longer than the message");
      }
      int at = in.position();
      if (tag >>> 3 == FIELD) {
        WireContext.read(in, at, at + length, s);
        return;
      }
      in.position(at + length);
    }
  }

  private static int readNumber(ByteBuffer in) throws MalformedException {
    int value = 0;
    for (int shift = 0; shift < 35 && in.hasRemaining(); shift += 7) {
      int b = in.get();
      value |= (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new MalformedException("a field without an end");
  }
}
