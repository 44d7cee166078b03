// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * The flight recorder's events of threads that wait, of allocation, and of pauses of the collector.
 *
 * <p><b>Too many.</b> A wait shorter than the threshold costs its thread nothing, so the threshold
 * doubles each second in which more waits come than the limit, and halves after some with few.
 * Those beyond the limit are counted, and not read.
 */
final class WaitEvents {
  private static final String ENTER = "jdk.JavaMonitorEnter";
  private static final String WAIT = "jdk.JavaMonitorWait";
  private static final String PARK = "jdk.ThreadPark";
  private static final String SLEEP = "jdk.ThreadSleep";
  private static final String ALLOCATION = "jdk.ObjectAllocationSample";
  private static final String PAUSE = "jdk.GCPhasePause";
  private static final List<String> WAITS =
      List.of(
          ENTER,
          WAIT,
          PARK,
          SLEEP,
          "jdk.SocketRead",
          "jdk.SocketWrite",
          "jdk.FileRead",
          "jdk.FileWrite",
          "jdk.FileForce");

  private static final String LOCKS = "java.util.concurrent.locks.";
  private static final String CONDITION = "ConditionObject";
  private static final int MAX_CHARS = 300;
  private static final int MAX_TIMES = 1024;
  private static final int CALM_SECONDS = 10;

  private final RecordingStream stream;
  private final FlightStacks stacks;
  private final SampleSource.Target target;
  private final AtomicInteger came = new AtomicInteger();
  private volatile long waitNanos;
  private volatile int limit;
  private int times = 1;
  private int calm;
  private int allocations;

  WaitEvents(RecordingStream stream, FlightStacks stacks, SampleSource.Target target) {
    this.stream = stream;
    this.stacks = stacks;
    this.target = target;
    WAITS.forEach(name -> stream.onEvent(name, this::waited));
    stream.onEvent(ALLOCATION, this::allocated);
    stream.onEvent(PAUSE, this::paused);
  }

  /** How long a wait has to be now; 0 if none is looked for. */
  long waitNanos() {
    return waitNanos;
  }

  /** Holds to the limits, once a second. */
  void limit(ProfileLimits to) {
    limit = to.waitsPerSecond();
    int last = came.getAndSet(0);
    calm = last > limit / 4 ? 0 : calm + 1;
    if (last > limit) {
      times = Math.min(MAX_TIMES, times * 2);
    } else if (calm >= CALM_SECONDS) {
      times = Math.max(1, times / 2);
      calm = 0;
    }
    long wanted = to.waitNanos() * times;
    if (wanted != waitNanos) {
      enable(wanted);
    }
    if (allocations != to.allocationsPerSecond()) {
      allocations = to.allocationsPerSecond();
      if (allocations == 0) {
        stream.disable(ALLOCATION);
      } else {
        stream.enable(ALLOCATION).with("throttle", allocations + "/s").withStackTrace();
      }
    }
  }

  private void enable(long threshold) {
    waitNanos = threshold;
    for (String name : WAITS) {
      if (threshold == 0) {
        stream.disable(name);
      } else {
        stream.enable(name).withThreshold(Duration.ofNanos(threshold)).withStackTrace();
      }
    }
    if (threshold == 0) {
      stream.disable(PAUSE);
    } else {
      stream.enable(PAUSE).withoutThreshold();
    }
  }

  private void waited(RecordedEvent event) {
    long nanos = event.getDuration().toNanos();
    long least = waitNanos;
    if (least == 0 || nanos < least) {
      return; // another recording's
    }
    if (came.incrementAndGet() > limit) {
      target.leftOut();
      return;
    }
    RecordedThread owner = null;
    Part part = Part.IO;
    String on;
    switch (event.getEventType().getName()) {
      case ENTER -> {
        part = Part.LOCK;
        owner = event.getThread("previousOwner");
        on = "lock of " + name(event.getClass("monitorClass"));
      }
      case WAIT -> {
        part = Part.PARK;
        on = "notification by " + name(event.getClass("monitorClass"));
      }
      case PARK -> {
        String name = name(event.getClass("parkedClass"));
        part = name.startsWith(LOCKS) && !name.endsWith(CONDITION) ? Part.LOCK : Part.PARK;
        on = (part == Part.LOCK ? "lock of " : "parked for ") + name;
      }
      case SLEEP -> {
        part = Part.SLEEP;
        on = "sleep";
      }
      default -> on = place(event);
    }
    seen(event, part, nanos, on, owner);
  }

  private void seen(
      RecordedEvent event, Part part, long weight, String on, @Nullable RecordedThread owner) {
    RecordedThread thread = event.getThread();
    RecordedStackTrace stack = event.getStackTrace();
    List<String> frames = stacks.frames(stack);
    if (thread == null || stack == null || frames.isEmpty()) {
      target.failed();
      return;
    }
    target.seen(
        new Seen(
            part,
            thread.getJavaThreadId(),
            nanos(event.getEndTime()),
            weight,
            on.length() > MAX_CHARS ? on.substring(0, MAX_CHARS) + "…" : on,
            owner == null ? 0 : owner.getJavaThreadId(),
            owner == null ? "" : String.valueOf(owner.getJavaName())),
        frames,
        stack.isTruncated());
  }

  /** As <i>read 127.0.0.1:5432</i>, <i>read db.internal (10.0.0.7:5432)</i> or a file's path. */
  private static String place(RecordedEvent event) {
    String does =
        event
            .getEventType()
            .getName()
            .replaceFirst("jdk\\.(Socket|File)", "")
            .toLowerCase(Locale.ROOT);
    if (event.hasField("path")) {
      return does + " " + event.getString("path");
    }
    String host = event.getString("host");
    String address = event.getString("address") + ":" + event.getInt("port");
    return does + " " + (host == null || host.isEmpty() ? address : host + " (" + address + ")");
  }

  private static String name(@Nullable RecordedClass of) {
    return of == null ? "an unknown object" : of.getName();
  }

  private void allocated(RecordedEvent event) {
    seen(
        event, Part.ALLOCATION, event.getLong("weight"), name(event.getClass("objectClass")), null);
  }

  private void paused(RecordedEvent event) {
    target.paused(nanos(event.getStartTime()), nanos(event.getEndTime()));
  }

  static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }
}
