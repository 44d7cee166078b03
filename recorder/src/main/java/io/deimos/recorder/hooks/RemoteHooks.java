// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.wire.KeepNotices;
import io.deimos.recorder.wire.RemoteCounts;
import io.deimos.recorder.wire.RemoteMessages;
import io.deimos.recorder.wire.WireContext;
import io.deimos.recorder.wire.WireContext.MalformedException;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.NumberFields;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where messages leave this process, and where they come in. The sender's
 * context goes beside the message, in the place that Artery has for such things.
 *
 * <p><b>Threads.</b> {@link #leaving} on the sender's thread, {@link #write} on the encoder's;
 * {@link #read} on the decoder's, {@link #arrived} on the one that delivers. Artery's own queues
 * order the envelope's fields.
 *
 * <p><b>Record.</b> Artery's metadata, in the buffer's byte order (little endian):
 *
 * <pre>
 *   length of all entries (4)
 *   for each, by rising key: key &lt;&lt; 26 | length (4), bytes
 *     9  the W3C headers, see {@link WireContext}
 * </pre>
 *
 * <p><b>Full.</b> A context for which the frame has no room is left out. A message without one
 * costs a comparison and allocates nothing.
 */
public final class RemoteHooks {
  public static final Hook ARRIVED = Hook.named("artery.MessageDispatcher.dispatch");
  public static final Hook ARRIVED_CLASSIC = Hook.named("DefaultMessageDispatcher.dispatch");

  private static final Hook WRAPPED = Hook.named("ShardingEnvelope.<init>");
  private static final Hook DELIVERED = Hook.named("ConsumerControllerImpl.deliver");
  private static final Hook UNCONFIRMED =
      Hook.named("WorkPullingProducerControllerImpl$Unconfirmed.msg");
  private static final Hook GIVEN_UP =
      Hook.named("RemoteActorRefProvider$RemoteDeadLetterActorRef.bang");

  /** The key under which the OpenTelemetry agent has the W3C headers, and so have we. */
  static final int KEY = 9;

  private static final int KEY_SHIFT = 26;
  private static final int LENGTH_MASK = (1 << KEY_SHIFT) - 1;

  private RemoteHooks() {}

  /** A message gets its outbound envelope, on the sender's thread. */
  public static void leaving(ContextFields envelope, @Nullable Object message) {
    if (!Parts.remote) {
      ContextHooks.forget(envelope);
      return;
    }
    ContextFields own = message == null ? null : RemoteMessages.own(message);
    if (own != null) {
      copied(own, envelope);
      return;
    }
    ThreadState s = ThreadState.current();
    if (s != null && s.hasContext() && message != null) {
      s.captureForMessage();
      if (s.capturedTrace != null && RemoteMessages.carriesContext(message)) {
        envelope.deimos$context(s.capturedTrace, s.capturedSpan);
        return;
      }
    }
    ContextHooks.forget(envelope);
  }

  /**
   * A message is about to be sent by way of others. A message with a context of its own is sent in
   * that, and so is the next one that the actor at work here sends, if it has no span.
   */
  public static void wrapped(@Nullable Object message) {
    WRAPPED.fires();
    ContextFields own = message == null ? null : RemoteMessages.own(message);
    if (own != null) {
      goOnIn(own);
    }
  }

  /**
   * A message of reliable delivery is about to be handed to its consumer. Sent again on this node,
   * it came in another context than its own; from another node, it came in its own and has none.
   */
  public static void delivered(@Nullable Object message) {
    DELIVERED.fires();
    ContextFields own = message == null ? null : RemoteMessages.own(message);
    if (own != null && own.deimos$trace() != null) {
      goOnIn(own);
    }
  }

  /** A message that a worker that has left did not confirm is about to be sent to another. */
  public static void unconfirmed(ContextFields work) {
    UNCONFIRMED.fires();
    goOnIn(work);
  }

  /** Also in none: what was sent before this one is in another. */
  private static void goOnIn(ContextFields own) {
    ThreadState s = ThreadState.current();
    if (s != null
        && s.actor() != null
        && s.attached() == null
        && s.at.record.work == OpenRecord.NOTHING
        && s.spanId() != own.deimos$parent()) {
      s.at.goOnIn(own.deimos$trace(), own.deimos$parent());
    }
  }

  /** An envelope is copied. */
  public static void copied(ContextFields from, @Nullable Object to) {
    if (to instanceof ContextFields copy) {
      copy.deimos$context(from.deimos$trace(), from.deimos$parent());
    }
  }

  /**
   * Artery has written the metadata of a message.
   *
   * @param encoder has the number of the first notice of a kept trace that it has not sent; null if
   *     it sends none
   * @param start where they begin in the buffer, which now stands behind them; in the same place if
   *     there are none
   */
  public static void write(
      @Nullable Object encoder, @Nullable Object envelope, ByteBuffer buffer, int start) {
    if (!(envelope instanceof ContextFields fields)) {
      return;
    }
    Trace trace = fields.deimos$trace();
    byte[] kept =
        encoder instanceof NumberFields sent && buffer.remaining() > 2 * WireContext.MAX_BYTES
            ? KeepNotices.after(sent)
            : null;
    if (trace == null && kept == null) {
      return;
    }
    int end = buffer.position();
    int lead = end == start ? 8 : 4;
    if (buffer.remaining() < lead + WireContext.PLAIN_BYTES) {
      return;
    }
    buffer.position(end + lead);
    if (!WireContext.write(trace, fields.deimos$parent(), kept, buffer)) {
      buffer.position(end);
      return;
    }
    int length = buffer.position() - end - lead;
    buffer.putInt(end + lead - 4, KEY << KEY_SHIFT | length);
    buffer.putInt(start, buffer.position() - start - 4);
    if (end != start) {
      sort(buffer, start + 4, end, buffer.position());
    }
  }

  /** Entries stand by rising key: moves the last one before those that have a greater one. */
  private static void sort(ByteBuffer buffer, int first, int last, int end) {
    int at = first;
    while (at < last && buffer.getInt(at) >>> KEY_SHIFT < KEY) {
      at += 4 + (buffer.getInt(at) & LENGTH_MASK);
    }
    if (at >= last) {
      return;
    }
    if (buffer.getInt(at) >>> KEY_SHIFT == KEY) { // somebody else has written it already
      buffer.putInt(first - 4, last - first);
      buffer.position(last);
      return;
    }
    byte[] greater = new byte[last - at];
    byte[] ours = new byte[end - last];
    buffer.position(at);
    buffer.get(greater).get(ours).position(at);
    buffer.put(ours).put(greater);
  }

  /**
   * A message with metadata has been decoded.
   *
   * @param buffer the whole envelope; its position stays
   * @param start where its metadata begin
   */
  public static void read(@Nullable Object envelope, ByteBuffer buffer, int start) {
    if (!(envelope instanceof ContextFields fields) || !Parts.remote) {
      return;
    }
    ThreadState s = ThreadState.currentOrNew();
    s.captured(null, 0);
    try {
      find(buffer, start, s);
    } catch (MalformedException e) {
      s.captured(null, 0);
      RemoteCounts.countUnreadable(String.valueOf(e.getMessage()));
    }
    if (s.capturedTrace != null) {
      fields.deimos$context(s.capturedTrace, s.capturedSpan);
    }
    s.forgetCaptured();
  }

  private static void find(ByteBuffer buffer, int start, ThreadState s) throws MalformedException {
    int limit = buffer.limit();
    int length = limit - start < 4 ? -1 : buffer.getInt(start);
    if (length < 0 || length > limit - start - 4) {
      throw new MalformedException("metadata that are longer than the message");
    }
    int end = start + 4 + length;
    for (int at = start + 4; at < end; ) {
      int entry = end - at < 4 ? -1 : buffer.getInt(at);
      int next = at + 4 + (entry & LENGTH_MASK);
      if (next > end) {
        throw new MalformedException("metadata of which one is longer than all");
      }
      if (entry >>> KEY_SHIFT == KEY) {
        WireContext.read(buffer, at + 4, next, s);
        return;
      }
      at = next;
    }
  }

  /**
   * A message from another node is about to be delivered: until {@link #delivered} its sender's
   * context is this thread's.
   */
  public static @Nullable Frame arrived(Hook hook, @Nullable Object envelope) {
    return inContextOf(envelope instanceof ContextFields fields ? fields : null, hook);
  }

  /**
   * A message that cannot leave this node is about to become a dead letter, wherever that is found
   * out: until {@link #delivered} its sender's context is this thread's.
   */
  public static @Nullable Frame givenUp(@Nullable Object envelope) {
    return envelope instanceof ContextFields fields ? inContextOf(fields, GIVEN_UP) : null;
  }

  private static @Nullable Frame inContextOf(@Nullable ContextFields fields, Hook hook) {
    Trace trace = fields == null ? null : fields.deimos$trace();
    ThreadState s = trace == null ? ThreadState.current() : ThreadState.currentOrNew();
    if (s == null || (trace == null && s.isWithoutContext())) {
      return null;
    }
    hook.fires();
    return s.enter(trace, trace == null || fields == null ? 0 : fields.deimos$parent());
  }

  /** Ends {@link #arrived} and {@link #givenUp}. */
  public static void delivered(Frame frame) {
    frame.thread().leave(frame);
  }
}
