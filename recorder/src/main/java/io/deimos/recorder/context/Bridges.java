// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import io.deimos.recorder.trace.Trace;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bridge of this process. Set before the first woven class is loaded; read by any thread. */
public final class Bridges {
  private static volatile Bridge current = NoBridge.INSTANCE;

  private Bridges() {}

  public static Bridge current() {
    return current;
  }

  public static void use(Bridge chosen) {
    current = chosen;
  }

  /** The part of a trace's context that goes on in another trace; null for nothing. */
  public static @Nullable Object baggage(Trace of) {
    Object context = of.baseContext();
    return context == null ? null : current.baggage(context);
  }

  /** The bridge of a process without OpenTelemetry. */
  private static final class NoBridge implements Bridge {
    static final Bridge INSTANCE = new NoBridge();

    @Override
    public void capture(Object context, ThreadState into) {
      into.captured(null, 0);
    }

    @Override
    public Object materialise(ThreadState state) {
      return this;
    }

    @Override
    public @Nullable Object baggage(Object context) {
      return context;
    }

    @Override
    public @Nullable Object userSpan(Object context) {
      return null;
    }

    @Override
    public @Nullable String[] headers(Trace trace) {
      return new String[0];
    }

    @Override
    public int sampledFlags(Trace trace) {
      return 3;
    }

    @Override
    public void extract(Map<String, String> headers, ThreadState into) {
      into.captured(null, 0);
    }

    @Override
    public void leaked(@Nullable Object attached) {}

    @Override
    public boolean sample(long traceHi, long traceLo, String messageClass) {
      return true;
    }

    @Override
    public @Nullable String className(Object actor) {
      return actor.getClass().getName();
    }
  }
}
