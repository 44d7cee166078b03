// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;

/**
 * Samples of the JVM's flight recorder: by CPU time where the JVM can do that (JDK 25 on Linux),
 * else of threads that run Java code; and beside them what {@link WaitEvents} has. A recording of
 * its own, beside those of the application: it turns on these events alone, and leaves off what the
 * application has not turned on itself.
 *
 * <p>Samples come on a thread of the flight recorder, about a second late.
 */
final class FlightRecorderSource implements SampleSource {
  private static final String CPU_TIME = "jdk.CPUTimeSample";
  private static final String EXECUTION = "jdk.ExecutionSample";
  private static final Duration PERIOD = Duration.ofNanos(Seen.PERIOD_NANOS);
  private static final int MARKS = 3;

  private final RecordingStream stream = new RecordingStream();
  private final String event;
  private final Target target;
  private final FlightStacks stacks = new FlightStacks();
  private final WaitEvents waits;

  private FlightRecorderSource(String event, Target target) {
    this.event = event;
    this.target = target;
    this.waits = new WaitEvents(stream, stacks, target);
  }

  static SampleSource open(Target target) throws UnavailableException {
    if (!FlightRecorder.isAvailable()) {
      throw new UnavailableException(
          "the JVM's flight recorder is off. Start without -XX:-FlightRecorder");
    }
    try {
      List<EventType> types = FlightRecorder.getFlightRecorder().getEventTypes();
      FlightRecorderSource source = new FlightRecorderSource(event(types), target);
      source.start(types);
      return source;
    } catch (IllegalStateException | SecurityException e) {
      throw new UnavailableException(
          "the JVM's flight recorder does not start ("
              + e.getMessage()
              + "). It needs a temporary directory that it can write to");
    }
  }

  private static String event(List<EventType> types) {
    boolean linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    return linux && types.stream().anyMatch(type -> type.getName().equals(CPU_TIME))
        ? CPU_TIME
        : EXECUTION;
  }

  private void start(List<EventType> types) {
    // An event of the application's is on in each recording that does not turn it off.
    types.forEach(type -> stream.disable(type.getName()));
    if (event.equals(CPU_TIME)) {
      stream.enable(event).with("throttle", PERIOD.toMillis() + "ms").withStackTrace();
    } else {
      stream.enable(event).withPeriod(PERIOD).withStackTrace();
    }
    stream.enable(ClockMark.class);
    stream.setOrdered(false);
    stream.onEvent(event, this::sample);
    stream.onEvent(ClockMark.NAME, this::mark);
    stream.onError(Faults::caught);
    stream.startAsync();
  }

  private void sample(RecordedEvent sampled) {
    RecordedThread thread =
        sampled.getThread(event.equals(CPU_TIME) ? "eventThread" : "sampledThread");
    RecordedStackTrace stack = sampled.getStackTrace();
    List<String> frames = stacks.frames(stack);
    if (thread == null || stack == null || frames.isEmpty()) {
      target.failed();
      return;
    }
    long time = WaitEvents.nanos(sampled.getStartTime());
    target.seen(Seen.running(thread.getJavaThreadId(), time), frames, stack.isTruncated());
  }

  private void mark(RecordedEvent mark) {
    target.clocks(WaitEvents.nanos(mark.getStartTime()), mark.getLong("reading"));
  }

  @Override
  public String event() {
    return event;
  }

  @Override
  public long waitNanos() {
    return waits.waitNanos();
  }

  @Override
  public void limit(ProfileLimits to) {
    waits.limit(to);
  }

  @Override
  public void compareClocks() {
    for (int i = 0; i < MARKS; i++) {
      ClockMark mark = new ClockMark();
      mark.reading = Clock.now();
      mark.commit();
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
