// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http2.frame.FrameFlag;
import org.apache.hc.core5.http2.frame.FrameType;
import org.apache.hc.core5.http2.frame.RawFrame;
import org.apache.hc.core5.http2.impl.nio.H2StreamListener;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what goes in and out, frame by frame. Frames that bring nothing cost their sender next
 * to nothing and us a little each: of those, and of calls that are broken off, a client may send so
 * many in {@value #PERIOD_SECONDS} s, far more than any exporter does.
 */
final class FrameWatch implements H2StreamListener {
  static final int MAX_RESETS = 200;
  static final int MAX_LEAN = 5_000;
  private static final int PERIOD_SECONDS = 10;
  private static final int HEAD_BYTES = 9;
  private static final int LEAN_BYTES = 256;

  private final LongSupplier received;
  private boolean begun;
  private boolean headersOpen;
  private long framed;
  private long periodNanos = System.nanoTime();
  private int lean;
  private int resets;

  /**
   * @param received how many bytes have come in all
   */
  FrameWatch(LongSupplier received) {
    this.received = received;
  }

  /** Whether the client's settings have come, which it begins with. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether something is whose rest has not come. */
  boolean isPartial() {
    return headersOpen || received.getAsLong() > framed;
  }

  /** How many frames have come whole; it changes with each. */
  long framed() {
    return framed;
  }

  /** Why the connection must end; null if it need not. */
  @Nullable String tooMuch() {
    if (resets > MAX_RESETS) {
      return "more than " + MAX_RESETS + " calls broken off in " + PERIOD_SECONDS + " s";
    }
    return lean > MAX_LEAN
        ? "more than " + MAX_LEAN + " frames with nothing in them in " + PERIOD_SECONDS + " s"
        : null;
  }

  @Override
  public void onFrameInput(HttpConnection connection, int streamId, RawFrame frame) {
    framed += HEAD_BYTES + frame.getLength();
    if (framed > received.getAsLong()) {
      // The library reads a length above 8 MB as negative, goes back, and reads the frame again.
      throw new Broken("a frame of a length that there cannot be");
    }
    if (!begun) {
      if (!frame.isType(FrameType.SETTINGS) || frame.isFlagSet(FrameFlag.ACK)) {
        throw new Broken("its first frame is not its settings");
      }
      begun = true;
    }
    if (frame.isType(FrameType.HEADERS) || frame.isType(FrameType.CONTINUATION)) {
      headersOpen = !frame.isFlagSet(FrameFlag.END_HEADERS);
    }
    if (!frame.isType(FrameType.DATA)
        || (frame.getLength() < LEAN_BYTES && !frame.isFlagSet(FrameFlag.END_STREAM))) {
      count(frame);
    }
  }

  private void count(RawFrame frame) {
    long now = System.nanoTime();
    if (now - periodNanos > TimeUnit.SECONDS.toNanos(PERIOD_SECONDS)) {
      periodNanos = now;
      lean = 0;
      resets = 0;
    }
    lean++;
    if (frame.isType(FrameType.RST_STREAM)) {
      resets++;
    }
    String why = tooMuch();
    if (why != null) {
      throw new Broken(why);
    }
  }

  @Override
  public void onFrameOutput(HttpConnection connection, int streamId, RawFrame frame) {
    if (frame.isType(FrameType.RST_STREAM)) {
      resets++;
    }
  }

  @Override
  public void onHeaderInput(
      HttpConnection connection, int streamId, List<? extends Header> headers) {}

  @Override
  public void onHeaderOutput(
      HttpConnection connection, int streamId, List<? extends Header> headers) {}

  @Override
  public void onInputFlowControl(
      HttpConnection connection, int streamId, int delta, int actualSize) {}

  @Override
  public void onOutputFlowControl(
      HttpConnection connection, int streamId, int delta, int actualSize) {}

  /** No client of OTLP does this. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Broken(String said) {
      super(said, null, false, false);
    }

    String said() {
      return String.valueOf(getMessage());
    }
  }
}
