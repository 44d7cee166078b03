// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.context.TraceSampling;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Projected;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run of a projection, which tells us what happens to it, by the methods of Pekko's {@code
 * Telemetry}. Each call goes on to the user's own, with what that returns and throws.
 *
 * <p><b>Threads.</b> An envelope is read by the stream's, and processed by any. One handler's calls
 * come one after the other; a flow has several envelopes at once.
 *
 * <p><b>Full.</b> Beyond {@value #MAX_READY} envelopes that were read and never processed (a flow
 * may filter them) the oldest are forgotten.
 */
final class Projection implements InvocationHandler {
  private static final int MAX_READY = 1_000;

  private static final boolean TRACING = RecorderConfig.current().tracing();
  private static final boolean METRICS = RecorderConfig.current().metrics();

  /** How many runs there are of each projection; those that have stopped stay, as zero. */
  private static final Map<List<String>, AtomicInteger> RUNNING = new ConcurrentHashMap<>();

  private static final MessageCell DECIDED =
      new MessageCell(
          Operation.class,
          ActorKinds.of("", "projection", true),
          MessageClasses.of("io.deimos.Operation"),
          0);

  private final Object telemetry;
  private final String system;
  private final String name;
  private final String key;
  private final @Nullable Trace startedIn;
  private final Queue<ReadEnvelope> ready = new ConcurrentLinkedQueue<>();
  private final AtomicInteger readies = new AtomicInteger();
  private final AtomicReference<@Nullable Handling> handling = new AtomicReference<>();
  private final AtomicInteger running = new AtomicInteger();

  Projection(Object telemetry, String system, String name, String key) {
    this.telemetry = telemetry;
    this.system = system;
    this.name = name;
    this.key = key;
    ThreadState s = ThreadState.current();
    Trace around = null;
    if (s != null && s.hasContext()) {
      s.captureCurrent();
      around = s.capturedTrace;
    }
    startedIn = around;
  }

  /** It is known to be told of from now on. */
  void runs() {
    if (!METRICS) {
      return;
    }
    Metric.PROJECTION_STARTS.tally().add(1, system, name, key);
    for (Metric zero :
        List.of(
            Metric.PROJECTION_ENVELOPES, Metric.PROJECTION_OFFSETS, Metric.PROJECTION_COMMITTED)) {
      zero.tally().add(0, system, name, key);
    }
    AtomicInteger runs = count();
    if (runs != null && running.compareAndSet(0, 1)) {
      runs.incrementAndGet();
    }
  }

  private @Nullable AtomicInteger count() {
    List<String> id = List.of(system, name, key);
    AtomicInteger known = RUNNING.get(id);
    return known != null || RUNNING.size() >= RecorderConfig.current().series().max()
        ? known
        : RUNNING.computeIfAbsent(id, i -> new AtomicInteger());
  }

  /** Adds how many runs there are of each. */
  static void read(Readings into) {
    RUNNING.forEach(
        (id, runs) -> into.add(Metric.PROJECTIONS, runs.get(), id.get(0), id.get(1), id.get(2)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    try {
      return switch (method.getName()) {
        case "beforeProcess" -> beforeProcess(method, args);
        case "afterProcess" -> afterProcess(method, args);
        case "equals" -> args != null && proxy == args[0];
        default -> {
          heard(method.getName(), args);
          yield method.invoke(telemetry, args);
        }
      };
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private @Nullable Object beforeProcess(Method method, Object @Nullable [] args)
      throws ReflectiveOperationException {
    Object theirs = method.invoke(telemetry, args);
    if (args == null || args[0] == null) {
      return theirs;
    }
    try {
      ReadEnvelope read = read(args[0], args[1] instanceof Long millis ? millis : 0);
      read.theirs = theirs;
      return read;
    } catch (Throwable t) {
      Faults.caught(t);
      return theirs;
    }
  }

  private @Nullable Object afterProcess(Method method, Object @Nullable [] args)
      throws ReflectiveOperationException {
    if (args == null || !(args[0] instanceof ReadEnvelope read)) {
      return method.invoke(telemetry, args);
    }
    try {
      processed(read);
    } catch (Throwable t) {
      Faults.caught(t);
    }
    return method.invoke(telemetry, read.theirs);
  }

  private void heard(String what, Object @Nullable [] args) {
    try {
      Object told = args == null || args.length == 0 ? null : args[0];
      switch (what) {
        case "error" -> attemptFailed((Throwable) told);
        case "failed" -> failed((Throwable) told);
        case "stopped" -> stopped();
        case "onOffsetStored" -> stored(told instanceof Integer envelopes ? envelopes : 0);
        default -> {}
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  private ReadEnvelope read(Object envelope, long createdMillis) {
    if (METRICS && createdMillis > 0) {
      long millis = Math.max(0, System.currentTimeMillis() - createdMillis);
      Metric.PROJECTION_WAIT.tally().duration(millis * 1_000_000, system, name, key);
    }
    ReadEnvelope read = begin(envelope);
    ready.add(read);
    if (readies.incrementAndGet() > MAX_READY) {
      forgetFirst();
    }
    goOnIn(read.operation);
    return read;
  }

  private void forgetFirst() {
    if (ready.poll() != null) {
      readies.decrementAndGet();
    }
  }

  /** All work on the element from here on, to its end or its handler, belongs to it. */
  private static void goOnIn(@Nullable Operation operation) {
    ThreadState s = ThreadState.current();
    if (operation != null
        && Parts.streams
        && s != null
        && s.isBusy()
        && !s.isRecording()
        && s.attached() == null) {
      s.at.goOnIn(operation.trace(), operation.spanId());
    }
  }

  private ReadEnvelope begin(Object envelope) {
    long now = Clock.now();
    return new ReadEnvelope(
        envelope, now, TRACING && Parts.persistence ? operation(envelope, now) : null);
  }

  /**
   * An event of a journal begins a trace, after the span that wrote it. Anything else goes on with
   * the trace in which it came into the stream; unless that is the one in which the projection was
   * started, which has to do with none of its envelopes.
   */
  private Operation operation(Object envelope, long now) {
    EnvelopeShape shape = EnvelopeShape.of(envelope);
    ThreadState s = ThreadState.currentOrNew();
    Trace in = null;
    long parent = 0;
    Link link = null;
    Object base = null;
    String id = shape.persistenceId(envelope);
    if (shape.isOfJournal()) {
      link = id == null ? null : RecentEvents.find(id, shape.sequenceNr(envelope));
    } else if (s.hasContext()) {
      s.captureCurrent();
      Trace around = s.capturedTrace;
      if (around != null && !around.hasBegun()) {
        link = around.link;
        base = around.baseContext();
      } else if (around != null && !isStart(around)) {
        in = around;
        parent = s.capturedSpan;
      }
    }
    if (in == null) {
      in = newTrace(s, link, base);
    }
    long span = in.isSampled() ? s.nextId() : parent;
    Operation begun =
        new Operation(
            Operation.Kind.PROJECT,
            Actors.unnumbered("projection " + name + "-" + key, ActorKind.other(system)),
            in,
            link,
            parent,
            span,
            now);
    begun.projected(new Projected(name, key, shape.eventClass(envelope)));
    if (id != null) {
      begun.persistenceId(id);
    }
    return begun;
  }

  private static Trace newTrace(ThreadState s, @Nullable Link link, @Nullable Object base) {
    long lo = s.nextId();
    long hi = s.lane().traceHigh(lo);
    boolean sampled =
        InForce.rules().tracing()
            && (InForce.rules().starts() || link != null)
            && TraceSampling.decide(InForce.sampling(), hi, lo, DECIDED);
    return new Trace(hi, lo, sampled, base);
  }

  private boolean isStart(Trace around) {
    Trace start = startedIn;
    return start != null && start.hi() == around.hi() && start.lo() == around.lo();
  }

  /** The handler is about to be called, on the stream's thread. */
  @Nullable Handling handles(Object envelope) {
    try {
      ReadEnvelope known = take(envelope);
      ReadEnvelope first = known == null ? begin(envelope) : known;
      Operation read = first.operation;
      Operation operation = read == null ? null : read.from(Clock.now());
      Handling now = new Handling(this, first, operation);
      if (operation != null) {
        ThreadState s = ThreadState.currentOrNew();
        now.isIn(s.enter(operation.trace(), operation.spanId()));
      }
      handling.set(now);
      return now;
    } catch (Throwable t) {
      Faults.caught(t);
      return null;
    }
  }

  /** Elements read before it and never processed were left out, and are no more to come. */
  private @Nullable ReadEnvelope take(Object envelope) {
    boolean isThere = ready.stream().anyMatch(read -> read.envelope == envelope);
    while (isThere) {
      ReadEnvelope first = ready.poll();
      if (first == null) {
        return null;
      }
      readies.decrementAndGet();
      if (first.envelope == envelope) {
        return first;
      }
    }
    return null;
  }

  /** A handler is through with what it was given. */
  void isThrough(Handling with) {
    handling.compareAndSet(with, null);
  }

  private void processed(ReadEnvelope read) {
    if (METRICS) {
      Metric.PROJECTION_ENVELOPES.tally().add(1, system, name, key);
      Metric.PROJECTION_PROCESSING
          .tally()
          .duration(Math.max(0, Clock.now() - read.readNanos), system, name, key);
    }
    read.done = true;
    for (ReadEnvelope first = ready.peek(); first != null && first.done; first = ready.peek()) {
      forgetFirst();
    }
    Handling by = handling.get();
    if (by != null) {
      by.processed(read);
    } else if (read.operation != null) { // of a flow, which has no handler
      read.operation.events(1);
      write(read.operation, null);
    }
  }

  private void attemptFailed(@Nullable Throwable error) {
    if (error == null || isEnd(error)) {
      return;
    }
    if (METRICS) {
      Metric.PROJECTION_ENVELOPE_FAILURES
          .tally()
          .add(1, system, name, key, error.getClass().getName());
    }
    Handling by = handling.get();
    if (by != null) {
      by.failed(error);
    }
  }

  private void failed(@Nullable Throwable error) {
    if (error == null) {
      return;
    }
    if (METRICS) {
      Metric.PROJECTION_FAILURES.tally().add(1, system, name, key, error.getClass().getName());
    }
    ReadEnvelope oldest = ready.peek();
    if (handling.get() == null && oldest != null && oldest.operation != null) {
      write(oldest.operation, error); // of a flow, which does not say which one it was
    }
  }

  private void stopped() {
    ready.clear();
    readies.set(0);
    AtomicInteger runs = METRICS ? count() : null;
    if (runs != null && running.compareAndSet(1, 2)) {
      runs.decrementAndGet();
    }
  }

  private void stored(int envelopes) {
    if (METRICS) {
      Metric.PROJECTION_OFFSETS.tally().add(1, system, name, key);
      Metric.PROJECTION_COMMITTED.tally().add(envelopes, system, name, key);
    }
  }

  /** Whether it is how a projection ends that is told to stop. */
  static boolean isEnd(Throwable error) {
    return error.getClass().getName().endsWith("$AbortProjectionException$");
  }

  static void write(Operation operation, @Nullable Throwable error) {
    if (!operation.end() || !operation.trace().isSampled()) {
      return;
    }
    OperationRecord.write(
        operation, Clock.now() - operation.startNanos(), DECIDED.message.id(), error);
  }
}
