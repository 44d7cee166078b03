// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.Faults;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells a {@link RecordListener} of each record of a lane before the record goes on. The record
 * itself has no thread; its lane has one, as long as that lives. Records of virtual threads, whose
 * lanes are lent, go on unheard. The drainer's alone, which uses it again for the next lane.
 */
public final class HeardRecords implements SpanSink {
  private @Nullable RecordListener listener;
  private @Nullable SpanSink next;
  private long threadId;

  /** Where a lane's records go now: to the sink, past the listener if there is one to be told. */
  public SpanSink of(Lane lane, @Nullable RecordListener told, SpanSink sink) {
    WeakReference<Thread> owner = told == null ? null : lane.owner;
    Thread thread = owner == null ? null : owner.get();
    if (thread == null || lane.virtual) {
      return sink;
    }
    threadId = thread.getId();
    listener = told;
    next = sink;
    return this;
  }

  @Override
  public void accept(SpanView span) {
    RecordListener told = listener;
    SpanSink sink = next;
    if (told == null || sink == null) {
      return;
    }
    try {
      told.heard(span, threadId);
    } catch (Throwable t) {
      Faults.caught(t); // the record goes on
    }
    sink.accept(span);
  }
}
