// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A buffer of encoded spans with room in front for what a request begins with.
 *
 * <p><b>Threads.</b> Filled and sealed by the drainer, then read by the sender's threads, which the
 * hand-over orders; back to the drainer through {@link BatchPool}.
 */
final class Batch implements MessageWriter {
  /** Small, so that a sender that copies can use the same few blocks again and again. */
  private static final int CHUNK_BYTES = 8192;

  final byte[] bytes;
  final boolean pooled;
  private final int headBytes;
  private int start;
  private int end;
  private int spans;
  private long sinceNanos;

  /**
   * @param headBytes room in front
   * @param pooled whether it goes back to the pool
   */
  Batch(int headBytes, int bodyBytes, boolean pooled) {
    this.headBytes = headBytes;
    this.pooled = pooled;
    bytes = new byte[headBytes + bodyBytes];
    clear();
  }

  void clear() {
    start = headBytes;
    end = headBytes;
    spans = 0;
  }

  int left() {
    return bytes.length - end;
  }

  int spans() {
    return spans;
  }

  /** Where the next span's bytes go. */
  int end() {
    return end;
  }

  /** When the first span came in. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** A span has been written up to {@code newEnd}. */
  void added(int newEnd, long nowNanos) {
    end = newEnd;
    if (spans++ == 0) {
      sinceNanos = nowNanos;
    }
  }

  int bodyBytes() {
    return end - headBytes;
  }

  /** Where the body begins; what stands before it ends there. */
  int bodyStart() {
    return headBytes;
  }

  void startAt(int index) {
    start = index;
  }

  @Override
  public void writeMessage(OutputStream to) throws IOException {
    for (int at = start; at < end; at += CHUNK_BYTES) {
      to.write(bytes, at, Math.min(CHUNK_BYTES, end - at));
    }
  }

  @Override
  public int getContentLength() {
    return end - start;
  }
}
