// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Projected;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.woven.RefFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each test has a projection of its own name, and a thread of its own. */
class ProjectionHooksTest {
  /** As Pekko's. */
  public interface Telemetry {
    void stopped();

    void failed(Throwable cause);

    Object beforeProcess(Object envelope, long creationTimeInMillis);

    void afterProcess(Object externalContext);

    void onOffsetStored(int numberOfEnvelopes);

    void error(Throwable cause);
  }

  /** As Scala's. */
  public interface Function1 {
    Object apply(Object outcome);
  }

  /** As Pekko's, of an event. */
  public record Event(String persistenceId, long sequenceNr, Object event) {}

  private record Span(SpanIds ids, Operation operation, @Nullable Rare rare) {}

  private record SpanIds(long hi, long lo, long span, long parent) {}

  /** The user's. */
  private static final class Theirs implements Telemetry {
    final List<String> calls = new ArrayList<>();

    @Override
    public void stopped() {
      calls.add("stopped");
    }

    @Override
    public void failed(Throwable cause) {
      calls.add("failed " + cause.getMessage());
    }

    @Override
    public Object beforeProcess(Object envelope, long creationTimeInMillis) {
      calls.add("before " + envelope);
      return "context of " + envelope;
    }

    @Override
    public void afterProcess(Object externalContext) {
      calls.add("after " + externalContext);
    }

    @Override
    public void onOffsetStored(int numberOfEnvelopes) {
      calls.add("stored " + numberOfEnvelopes);
    }

    @Override
    public void error(Throwable cause) {
      calls.add("error " + cause.getMessage());
      throw new IllegalStateException("theirs");
    }
  }

  /** The caller of the handler. */
  private static final class Recovery implements RefFields {
    private @Nullable Object identity;

    @Override
    public @Nullable Object deimos$identity() {
      return identity;
    }

    @Override
    public void deimos$identity(@Nullable Object to) {
      identity = to;
    }
  }

  private final Theirs theirs = new Theirs();

  private Telemetry started(String name) {
    return (Telemetry) ProjectionHooks.started(theirs, Telemetry.class, "test", name, "0");
  }

  private static Recovery recovery(Telemetry of) {
    Recovery recovery = new Recovery();
    ProjectionHooks.made(recovery, of);
    return recovery;
  }

  private static List<Span> onNewThread(Runnable body) {
    List<Span> seen = new ArrayList<>();
    Woven.onNewThread(
        body,
        v -> {
          Rare rare = v.rare();
          Operation about = rare == null ? null : rare.operation();
          if (about != null) {
            seen.add(
                new Span(
                    new SpanIds(v.traceHi(), v.traceLo(), v.spanId(), v.parentId()), about, rare));
          }
        });
    return seen;
  }

  private static void end(Object handling, Object outcome) {
    Function1 callback = (Function1) ProjectionHooks.handled(handling, Function1.class);
    callback.apply(outcome);
  }

  private static long counted(Metric metric, String... values) {
    long[] counts = metric.tally().read().get(List.of(values));
    return counts == null ? -1 : counts[0];
  }

  private static Projected projected(Span span) {
    return Objects.requireNonNull(span.operation.projected());
  }

  @Test
  void started_everyCall_goesOnToTheUsersTelemetry() {
    Telemetry ours = started("handed-on");
    onNewThread(
        () -> {
          Object context = ours.beforeProcess("one", 0);
          assertThat(context).isNotEqualTo("context of one");
          ours.afterProcess(context);
          ours.onOffsetStored(1);
          assertThatThrownBy(() -> ours.error(new IllegalStateException("on purpose")))
              .hasMessage("theirs");
          ours.failed(new IllegalStateException("on purpose"));
          ours.stopped();
          ours.afterProcess("not ours");
        });
    assertThat(theirs.calls)
        .containsExactly(
            "before one",
            "after context of one",
            "stored 1",
            "error on purpose",
            "failed on purpose",
            "stopped",
            "after not ours");
    assertThat(List.of(ours)).contains(ours).doesNotContain((Telemetry) theirs);
    assertThat(ours).hasSameHashCodeAs(theirs);
  }

  @Test
  void handler_anEnvelope_hasASpanInWhichTheHandlerRuns() {
    Telemetry ours = started("single");
    Recovery recovery = recovery(ours);
    List<Span> spans =
        onNewThread(
            () -> {
              Object context = ours.beforeProcess("one", System.currentTimeMillis() - 2_000);
              Object handling = Objects.requireNonNull(ProjectionHooks.handles(recovery, "one"));
              long inHandler = ThreadState.currentOrNew().at.spanId;
              assertThat(inHandler).isNotZero();
              ours.afterProcess(context);
              end(handling, "done");
              assertThat(ThreadState.currentOrNew().isBusy()).isFalse();
            });
    assertThat(spans).hasSize(1);
    assertThat(projected(spans.get(0))).isEqualTo(new Projected("single", "0", "java.lang.String"));
    assertThat(spans.get(0).ids.parent).isZero();
    assertThat(spans.get(0).rare).extracting(Rare::error).isNull();
    assertThat(counted(Metric.PROJECTION_ENVELOPES, "test", "single", "0")).isEqualTo(1);
    assertThat(Metric.PROJECTION_PROCESSING.tally().read())
        .containsKey(List.of("test", "single", "0"));
    long[] wait =
        Objects.requireNonNull(
            Metric.PROJECTION_WAIT.tally().read().get(List.of("test", "single", "0")));
    assertThat(wait[wait.length - 1]).isBetween(2_000_000_000L, 60_000_000_000L);
  }

  @Test
  void handler_anEventThatWasWrittenHere_isLinkedToTheWrite() {
    ActorTelemetry cart =
        Actors.register("pekko://test/user/linked", ActorKinds.of("test", "test.Linked", false));
    Telemetry ours = started("linked");
    Recovery recovery = recovery(ours);
    Operation[] write = new Operation[1];
    List<Span> spans =
        onNewThread(
            () -> {
              Frame command = Hooks.begin(cart, Woven.Envelope.sent(), "message", null, null);
              write[0] = (Operation) PersistenceHooks.writeBegins(1);
              PersistenceHooks.writes(write[0], "cart-1", 7);
              Hooks.end(command);
              Event event = new Event("cart-1", 7, 3);
              Object context = ours.beforeProcess(event, 0);
              Object handling = Objects.requireNonNull(ProjectionHooks.handles(recovery, event));
              ours.afterProcess(context);
              end(handling, "done");
            });
    assertThat(spans).hasSize(1);
    Operation written = Objects.requireNonNull(write[0]);
    assertThat(spans.get(0).operation.link())
        .isEqualTo(
            new Link(
                written.trace().hi(), written.trace().lo(), written.spanId(), Link.PROJECTION));
    assertThat(spans.get(0).ids.lo).isNotEqualTo(written.trace().lo());
    assertThat(spans.get(0).operation.persistenceId()).isEqualTo("cart-1");
    assertThat(projected(spans.get(0)).eventClass()).isEqualTo("java.lang.Integer");
  }

  @Test
  void handler_aGroup_hasOneSpanWithItsSize() {
    Telemetry ours = started("grouped");
    Recovery recovery = recovery(ours);
    List<Span> spans =
        onNewThread(
            () -> {
              List<Object> contexts = new ArrayList<>();
              for (int i = 0; i < 3; i++) {
                contexts.add(ours.beforeProcess(Integer.toString(i), 0));
              }
              Object handling = Objects.requireNonNull(ProjectionHooks.handles(recovery, "0"));
              contexts.forEach(ours::afterProcess);
              end(handling, "done");
            });
    assertThat(spans).hasSize(1);
    assertThat(spans.get(0).operation.events()).isEqualTo(3);
    assertThat(counted(Metric.PROJECTION_ENVELOPES, "test", "grouped", "0")).isEqualTo(3);
  }

  @Test
  void handler_failsAndIsSkipped_spanHasTheLastFailure() {
    Telemetry ours = started("skipped");
    Recovery recovery = recovery(ours);
    List<Span> spans =
        onNewThread(
            () -> {
              ours.beforeProcess("one", 0);
              Object handling = Objects.requireNonNull(ProjectionHooks.handles(recovery, "one"));
              for (String attempt : List.of("first", "second")) {
                assertThatThrownBy(() -> ours.error(new ArithmeticException(attempt)));
              }
              end(handling, "skipped");
              ours.onOffsetStored(1);
            });
    assertThat(Objects.requireNonNull(spans.get(0).rare).error()).hasMessage("second");
    assertThat(
            counted(
                Metric.PROJECTION_ENVELOPE_FAILURES,
                "test",
                "skipped",
                "0",
                "java.lang.ArithmeticException"))
        .isEqualTo(2);
    assertThat(counted(Metric.PROJECTION_ENVELOPES, "test", "skipped", "0")).isZero();
    assertThat(counted(Metric.PROJECTION_COMMITTED, "test", "skipped", "0")).isEqualTo(1);
  }

  @Test
  void handler_failsForGood_spanHasTheFailure() {
    Telemetry ours = started("failing");
    Recovery recovery = recovery(ours);
    List<Span> spans =
        onNewThread(
            () -> {
              ours.beforeProcess("one", 0);
              Object handling = Objects.requireNonNull(ProjectionHooks.handles(recovery, "one"));
              end(handling, new Failure(new ArithmeticException("for good")));
              ours.failed(new ArithmeticException("for good"));
              ours.stopped();
            });
    assertThat(Objects.requireNonNull(spans.get(0).rare).error()).hasMessage("for good");
    assertThat(
            counted(
                Metric.PROJECTION_FAILURES,
                "test",
                "failing",
                "0",
                "java.lang.ArithmeticException"))
        .isEqualTo(1);
  }

  /** A flow calls no handler of ours; what it filters is never processed. */
  @Test
  void flow_eachEnvelope_hasASpanAndSomeAreFiltered() {
    Telemetry ours = started("flow");
    List<Span> spans =
        onNewThread(
            () -> {
              Object first = ours.beforeProcess("first", 0);
              ours.beforeProcess("filtered", 0);
              Object third = ours.beforeProcess("third", 0);
              ours.afterProcess(third);
              ours.afterProcess(first);
              ours.failed(new ArithmeticException("the flow"));
            });
    assertThat(spans).hasSize(3);
    assertThat(spans.stream().map(span -> span.ids.lo).distinct()).hasSize(3);
    assertThat(Objects.requireNonNull(spans.get(2).rare).error()).hasMessage("the flow");
  }

  /** Memory does not grow with what is read and never processed. */
  @Test
  void read_muchThatIsNeverProcessed_isForgotten() {
    Telemetry ours = started("forgetful");
    Recovery recovery = recovery(ours);
    List<Span> spans =
        onNewThread(
            () -> {
              ours.beforeProcess("forgotten", 0);
              for (int i = 0; i < 5_000; i++) {
                ours.beforeProcess(Integer.toString(i), 0);
              }
              // Still it is handled, as something that was not seen before.
              Object handling =
                  Objects.requireNonNull(ProjectionHooks.handles(recovery, "forgotten"));
              end(handling, "done");
            });
    assertThat(spans).hasSize(1);
  }

  @Test
  void read_envelopeOfATrace_goesOnWithIt() {
    ActorTelemetry source =
        Actors.register("pekko://test/user/source", ActorKinds.of("test", "test.Source", false));
    Telemetry ours = started("going-on");
    long[] trace = new long[1];
    List<Span> spans =
        onNewThread(
            () -> {
              Frame message = Hooks.begin(source, Woven.Envelope.sent(), "message", null, null);
              trace[0] = Objects.requireNonNull(ThreadState.currentOrNew().at.trace()).lo();
              ours.afterProcess(ours.beforeProcess("one", 0));
              Hooks.end(message);
            });
    assertThat(spans.get(0).ids.lo).isEqualTo(trace[0]);
    assertThat(spans.get(0).ids.parent).isNotZero();
  }

  @Test
  void count_runsAndStops_isOneThenZero() {
    Telemetry ours = started("counted");
    assertThat(running("counted")).isEqualTo(1);
    Telemetry again = started("counted");
    ours.stopped();
    assertThat(running("counted")).isEqualTo(1);
    ours.stopped();
    again.stopped();
    assertThat(running("counted")).isZero();
    assertThat(counted(Metric.PROJECTION_STARTS, "test", "counted", "0")).isEqualTo(2);
  }

  private static long running(String name) {
    Readings readings = new Readings();
    ProjectionHooks.read(readings);
    return Objects.requireNonNull(readings.of(Metric.PROJECTIONS).get(List.of("test", name, "0")));
  }

  @Test
  void made_withTheUsersTelemetryAlone_isLeftAlone() {
    Recovery recovery = new Recovery();
    ProjectionHooks.made(recovery, theirs);
    assertThat(recovery.identity).isNull();
    assertThat(ProjectionHooks.handles(recovery, "one")).isNull();
  }
}
