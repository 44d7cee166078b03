// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.base.GuardConfig;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.trace.TraceGuard;
import io.deimos.recorder.woven.EnvelopeFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each test works on threads of its own, as actors do. */
class HooksTest {
  /** The parts of a record that a sink would keep. */
  private record Seen(long trace, long span, long parent, long sent, long start, long end) {}

  private final ActorTelemetry cart = actor("test.Cart");

  private static ActorTelemetry actor(String className) {
    return Actors.register("pekko://test/user/a", ActorKinds.of("test", className, false));
  }

  private static <T> T onNewThread(Supplier<T> body) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                answer.complete(body.get());
              } catch (Throwable t) {
                answer.completeExceptionally(t);
              }
            });
    thread.start();
    return answer.join();
  }

  private static List<Seen> drained() {
    Lane ring = ThreadState.currentOrNew().lane();
    List<Seen> seen = new ArrayList<>();
    ring.drain(
        new SpanView(),
        v ->
            seen.add(new Seen(v.traceLo(), v.spanId(), v.parentId(), v.sent(), v.start(), v.end())),
        1000);
    return seen;
  }

  private void process(Woven.Envelope envelope, Runnable body) {
    Frame s = Hooks.begin(cart, envelope, "message", null, null);
    try {
      body.run();
    } finally {
      Hooks.end(s);
    }
  }

  @Test
  void begin_messageFromOutside_startsATrace() {
    List<Seen> seen =
        onNewThread(
            () -> {
              process(Woven.Envelope.sent(), () -> {});
              return drained();
            });
    assertThat(seen).hasSize(1);
    Seen only = seen.get(0);
    assertThat(only.parent).isZero();
    assertThat(only.trace).isNotZero();
    assertThat(only.span).isNotZero();
    assertThat(only.sent).isLessThanOrEqualTo(only.start);
    assertThat(only.start).isLessThanOrEqualTo(only.end);
  }

  @Test
  void begin_messageSentByAnActor_isAChildOfItsSpan() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope[] sent = new Woven.Envelope[1];
              process(Woven.Envelope.sent(), () -> sent[0] = Woven.Envelope.sent());
              process(sent[0], () -> {});
              return drained();
            });
    assertThat(seen).hasSize(2);
    assertThat(seen.get(1).trace).isEqualTo(seen.get(0).trace);
    assertThat(seen.get(1).parent).isEqualTo(seen.get(0).span);
  }

  @Test
  void begin_sameMailboxRun_startsWhereTheLastEnded() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope first = Woven.Envelope.sent();
              Woven.Envelope second = Woven.Envelope.sent();
              Hooks.runBegins();
              process(first, () -> {});
              process(second, () -> {});
              return drained();
            });
    assertThat(seen.get(1).start).isEqualTo(seen.get(0).end);
  }

  @Test
  void begin_newMailboxRun_readsTheClock() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope first = Woven.Envelope.sent();
              Woven.Envelope second = Woven.Envelope.sent();
              process(first, () -> {});
              Hooks.runBegins();
              process(second, () -> {});
              return drained();
            });
    assertThat(seen.get(1).start).isGreaterThanOrEqualTo(seen.get(0).end);
  }

  @Test
  void begin_insideAnother_leavesTheOuterAsItWas() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope[] after = new Woven.Envelope[1];
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    process(Woven.Envelope.sent(), () -> {});
                    after[0] = Woven.Envelope.sent();
                  });
              process(after[0], () -> {});
              return drained();
            });
    Seen inner = seen.get(0);
    Seen outer = seen.get(1);
    Seen last = seen.get(2);
    assertThat(inner.parent).isEqualTo(outer.span);
    assertThat(outer.parent).isZero();
    assertThat(last.parent).isEqualTo(outer.span);
    assertThat(inner.start).isGreaterThanOrEqualTo(outer.start);
    assertThat(inner.end).isLessThanOrEqualTo(outer.end);
  }

  /** A task that its executor rejects runs where it was handed over, and sees its own context. */
  @Test
  void begin_whileTheContextIsHidden_seesItsOwn() {
    List<Seen> seen =
        onNewThread(
            () -> {
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    ThreadState s = ThreadState.currentOrNew();
                    Frame hidden = Objects.requireNonNull(Hooks.hide());
                    assertThat(s.context()).isNull();
                    process(
                        Woven.Envelope.sent(),
                        () -> {
                          assertThat(s.context()).isNotNull();
                          Object before = s.attach("the user's own");
                          assertThat(s.context()).isEqualTo("the user's own");
                          s.detach(before);
                          assertThat(s.context()).isNotNull().isNotEqualTo("the user's own");
                        });
                    assertThat(s.context()).isNull();
                    Hooks.unhide(hidden);
                    assertThat(s.context()).isNotNull();
                  });
              return drained();
            });
    assertThat(seen).hasSize(2);
    assertThat(seen.get(0).parent).isEqualTo(seen.get(1).span);
  }

  /** A task without a context of its own may make something current all the same. */
  @Test
  void attach_whileTheContextIsHidden_shows() {
    onNewThread(
        () -> {
          process(
              Woven.Envelope.sent(),
              () -> {
                ThreadState s = ThreadState.currentOrNew();
                Object outer = s.attach("of the message");
                Frame hidden = Objects.requireNonNull(Hooks.hide());
                Object before = s.attach("of the task");
                assertThat(before).isNull();
                assertThat(s.context()).isEqualTo("of the task");
                s.detach(before);
                assertThat(s.context()).isNull();
                Hooks.unhide(hidden);
                assertThat(s.context()).isEqualTo("of the message");
                s.detach(outer);
              });
          return true;
        });
  }

  @Test
  void end_workLeftOpenInside_isLeftWithIt() {
    List<Seen> seen =
        onNewThread(
            () -> {
              ThreadState s = ThreadState.currentOrNew();
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    s.enter(new Trace(1, 2, true, null), 3);
                    Hooks.begin(cart, Woven.Envelope.sent(), "never ended", null, null);
                    s.attach("never detached");
                    assertThat(s.depth()).isEqualTo(3);
                  });
              assertThat(s.depth()).isZero();
              assertThat(s.context()).isNull();
              process(Woven.Envelope.sent(), () -> {});
              return drained();
            });
    assertThat(seen).as("what was never ended has no record").hasSize(2);
    assertThat(seen).extracting(Seen::parent).containsOnly(0L);
  }

  @Test
  void begin_thatFails_leavesTheThreadAsItWas() {
    onNewThread(
        () -> {
          ThreadState s = ThreadState.currentOrNew();
          process(
              Woven.Envelope.sent(),
              () -> {
                long span = Probe.currentSpan();
                assertThatThrownBy(() -> Hooks.begin(cart, new Failing(), "message", null, null))
                    .isInstanceOf(IllegalStateException.class);
                assertThat(s.depth()).isEqualTo(1);
                assertThat(Probe.currentSpan()).isEqualTo(span);
              });
          assertThat(s.depth()).isZero();
          return true;
        });
  }

  /** An envelope that cannot be read when its trace is linked to another already. */
  private static final class Failing implements EnvelopeFields {
    private final Trace trace =
        new Trace(1, 2, true, null, Clock.now() - GuardConfig.DEFAULT.maxAgeNanos() - 1);
    private int looks;

    @Override
    public @Nullable Trace deimos$trace() {
      return trace;
    }

    @Override
    public long deimos$parent() {
      return 7;
    }

    @Override
    public long deimos$sent() {
      if (++looks > 2) {
        throw new IllegalStateException("planned");
      }
      return Clock.now();
    }

    @Override
    public void deimos$sent(@Nullable Trace newTrace, long newParent, long newSent) {}
  }

  @Test
  void begin_silentActor_passesTheContextOn() {
    ActorTelemetry silent =
        Actors.register("pekko://test/system/s", ActorKinds.of("test", "org.apache.pekko.S", true));
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope[] sent = new Woven.Envelope[2];
              process(Woven.Envelope.sent(), () -> sent[0] = Woven.Envelope.sent());
              Frame s = Hooks.begin(silent, sent[0], "message", null, null);
              sent[1] = Woven.Envelope.sent();
              Hooks.end(s);
              process(sent[1], () -> {});
              return drained();
            });
    assertThat(seen).hasSize(2);
    assertThat(seen.get(1).parent).isEqualTo(seen.get(0).span);
  }

  @Test
  void end_afterwards_nothingIsLeftOnTheThread() {
    ThreadState state =
        onNewThread(
            () -> {
              process(Woven.Envelope.sent(), () -> {});
              return ThreadState.currentOrNew();
            });
    assertThat(state.actor()).isNull();
    assertThat(state.context()).isNull();
    assertThat(state.isBusy()).isFalse();
  }

  @Test
  void begin_unsampledTrace_recordsNothingAndHandsTheDecisionOn() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope unsampled = new Woven.Envelope();
              unsampled.deimos$sent(new Trace(1, 2, false, null), 3, Clock.now());
              Woven.Envelope[] sent = new Woven.Envelope[1];
              process(unsampled, () -> sent[0] = Woven.Envelope.sent());
              assertThat(Objects.requireNonNull(sent[0].deimos$trace()).isSampled()).isFalse();
              return drained();
            });
    assertThat(seen).isEmpty();
  }

  @Test
  void register_callback_runsInTheContextItWasRegisteredIn() {
    Woven.Callback callback = new Woven.Callback();
    long span =
        onNewThread(
            () -> {
              process(Woven.Envelope.sent(), () -> ContextHooks.register(callback));
              return drained().get(0).span;
            });
    long seenSpan =
        onNewThread(
            () -> {
              Frame s = Objects.requireNonNull(ContextHooks.run(callback));
              long current = Probe.currentSpan();
              ContextHooks.ran(s);
              assertThat(Probe.isActive()).isFalse();
              return current;
            });
    assertThat(seenSpan).isEqualTo(span);
  }

  @Test
  void run_callbackRegisteredOutside_seesNoContextOfWhoCompletes() {
    long seen =
        onNewThread(
            () -> {
              long[] span = {-1};
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    Frame s = Objects.requireNonNull(ContextHooks.run(new Woven.Callback()));
                    span[0] = Probe.currentSpan();
                    ContextHooks.ran(s);
                    assertThat(Probe.recordingSpan()).isNotZero();
                  });
              return span[0];
            });
    assertThat(seen).isZero();
  }

  @Test
  void unstash_messageStashedEarlier_worksInItsOwnContext() {
    onNewThread(
        () -> {
          Woven.Callback node = new Woven.Callback();
          process(Woven.Envelope.sent(), () -> ContextHooks.register(node));
          process(
              Woven.Envelope.sent(),
              () -> {
                long outer = Probe.currentSpan();
                long token = StashHooks.begin(StashHooks.UNSTASH);
                StashHooks.next(node, "stashed", null);
                assertThat(Probe.currentSpan()).isEqualTo(node.deimos$parent());
                StashHooks.next(node, "stashed", null);
                StashHooks.done(token);
                assertThat(Probe.currentSpan()).isEqualTo(outer);
              });
          return drained();
        });
  }

  @Test
  void unstash_ofTypedStash_isASpanBelowTheFirst() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Callback node = new Woven.Callback();
              process(Woven.Envelope.sent(), () -> StashHooks.kept(node));
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    long token = StashHooks.begin(StashHooks.UNSTASH);
                    StashHooks.next(node, "stashed", null);
                    StashHooks.done(token);
                  });
              return drained();
            });
    assertThat(seen).hasSize(3);
    Seen first = seen.get(0);
    Seen again = seen.get(1);
    assertThat(again.parent).isEqualTo(first.span);
    assertThat(again.trace).isEqualTo(first.trace).isNotEqualTo(seen.get(2).trace);
    assertThat(again.sent).isBetween(first.start, first.end);
    assertThat(again.start).isGreaterThanOrEqualTo(first.end);
  }

  @Test
  void stashed_classicMessage_isASpanBelowTheFirst() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope envelope = Woven.Envelope.sent();
              process(envelope, () -> StashHooks.stashed(envelope));
              process(envelope, () -> {});
              Woven.Envelope[] next = new Woven.Envelope[1];
              process(envelope, () -> next[0] = Woven.Envelope.sent());
              assertThat(Objects.requireNonNull(next[0].deimos$trace()).stashed).isZero();
              return drained();
            });
    assertThat(seen).hasSize(3);
    assertThat(seen.get(1).parent).isEqualTo(seen.get(0).span);
    assertThat(seen.get(1).trace).isEqualTo(seen.get(0).trace);
    assertThat(seen.get(1).sent).isBetween(seen.get(0).start, seen.get(0).end);
  }

  @Test
  void tick_ofPeriodicSchedule_beginsATraceLinkedToItsArmer() {
    List<Link> links = new ArrayList<>();
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Callback first = new Woven.Callback();
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    Frame p =
                        Objects.requireNonNull(ScheduleHooks.periodic(ScheduleHooks.FIXED_DELAY));
                    ScheduleHooks.task(first);
                    ScheduleHooks.periodicMade(p);
                  });
              for (Woven.Callback tick = first; tick != null; ) {
                Frame s = Objects.requireNonNull(ContextHooks.run(tick));
                Woven.Envelope ticked = Woven.Envelope.sent();
                Woven.Callback next = new Woven.Callback();
                ScheduleHooks.task(next); // the task schedules itself again
                ContextHooks.ran(s);
                process(
                    ticked,
                    () ->
                        links.add(
                            Objects.requireNonNull(ThreadState.currentOrNew().at.record.link)));
                tick = tick == first ? next : null;
              }
              return drained();
            });
    assertThat(seen).hasSize(3);
    assertThat(seen).extracting(Seen::trace).doesNotHaveDuplicates();
    assertThat(seen).extracting(Seen::parent).containsOnly(0L);
    assertThat(links)
        .hasSize(2)
        .allSatisfy(
            link -> {
              assertThat(link.spanId()).isEqualTo(seen.get(0).span);
              assertThat(link.lo()).isEqualTo(seen.get(0).trace);
              assertThat(link.reason()).isEqualTo(Link.TICK);
            });
  }

  /** The context of what a timer sends that is armed while a message is processed. */
  private static Woven.Callback armed() {
    Woven.Callback timer = new Woven.Callback();
    Frame once = Objects.requireNonNull(ScheduleHooks.once());
    ScheduleHooks.task(timer);
    ScheduleHooks.onceMade(once);
    return timer;
  }

  private static Woven.Envelope fired(Woven.Callback timer) {
    Frame fires = Objects.requireNonNull(ScheduleHooks.fires(timer));
    Woven.Envelope sent = Woven.Envelope.sent();
    ContextHooks.ran(fires);
    return sent;
  }

  /** As an actor does that waits for a while again and again. */
  @Test
  void timer_thatIsArmedAgainByWhatItSends_beginsLinkedTraces() {
    List<Link> links = new ArrayList<>();
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Callback[] timer = new Woven.Callback[1];
              process(Woven.Envelope.sent(), () -> timer[0] = armed());
              for (int i = 0; i < 5; i++) {
                process(
                    fired(timer[0]),
                    () -> {
                      links.add(ThreadState.currentOrNew().at.record.link);
                      timer[0] = armed();
                    });
              }
              return drained();
            });
    assertThat(seen).hasSize(6);
    assertThat(seen.get(1).trace).as("of who armed it first").isEqualTo(seen.get(0).trace);
    assertThat(seen.get(1).parent).isEqualTo(seen.get(0).span);
    assertThat(links.get(0)).isNull();
    for (int i = 2; i < seen.size(); i++) {
      Seen before = seen.get(i - 1);
      assertThat(seen.get(i).parent).isZero();
      assertThat(seen.get(i).trace).isNotEqualTo(before.trace);
      Link link = Objects.requireNonNull(links.get(i - 1));
      assertThat(link.lo()).isEqualTo(before.trace);
      assertThat(link.spanId()).isEqualTo(before.span);
      assertThat(link.reason()).isEqualTo(Link.TICK);
    }
  }

  /** By way of another actor, which answers before the timer is armed again. */
  @Test
  void timer_thatIsArmedAgainBehindOtherMessages_beginsALinkedTraceEachTurn() {
    ActorTelemetry other = actor("test.Chopstick");
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope[] next = {Woven.Envelope.sent()};
              for (int i = 0; i < 4; i++) {
                Woven.Envelope[] asked = new Woven.Envelope[1];
                Woven.Callback[] timer = new Woven.Callback[1];
                process(next[0], () -> asked[0] = Woven.Envelope.sent());
                Frame f = Hooks.begin(other, asked[0], 1, null, null);
                Woven.Envelope answer = Woven.Envelope.sent();
                Hooks.end(f);
                process(answer, () -> timer[0] = armed());
                next[0] = fired(timer[0]);
              }
              return drained();
            });
    // Three messages a turn; the second turn is the first that a timer began.
    assertThat(seen.stream().map(Seen::trace).distinct()).hasSize(3);
    assertThat(seen.subList(0, 6)).extracting(Seen::trace).containsOnly(seen.get(0).trace);
  }

  @Test
  void guard_chainOfMessages_isCutNearTheDepthAndLinked() {
    long deep = TraceGuard.deep();
    List<Long> traces =
        onNewThread(
            () -> {
              List<Long> ids = new ArrayList<>();
              Woven.Envelope[] next = {Woven.Envelope.sent()};
              for (int i = 0; i < 5000; i++) {
                process(next[0], () -> next[0] = Woven.Envelope.sent());
                ids.add(drained().get(0).trace);
              }
              return ids;
            });
    int longest = 0;
    int length = 0;
    for (int i = 1; i < traces.size(); i++) {
      length = traces.get(i).equals(traces.get(i - 1)) ? length + 1 : 0;
      longest = Math.max(longest, length);
    }
    // 1000 in steps of 16: a chain three times as long has a chance of one in 10^40.
    assertThat(longest).isLessThan(3000);
    assertThat(TraceGuard.deep() - deep).isPositive();
    assertThat(traces.stream().distinct().count()).isBetween(2L, 50L);
  }

  @Test
  void guard_traceThatIsTooOld_isCutAtTheNextMessage() {
    long aged = TraceGuard.aged();
    long now = Clock.now();
    Trace old = new Trace(1, 2, true, "baggage", now - GuardConfig.DEFAULT.maxAgeNanos() - 1);
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Envelope late = new Woven.Envelope();
              late.deimos$sent(old, 7, now);
              process(
                  late,
                  () -> {
                    ThreadState s = ThreadState.currentOrNew();
                    assertThat(s.at.record.link).isEqualTo(new Link(1, 2, 7, TraceGuard.AGE));
                    assertThat(Objects.requireNonNull(s.trace()).baseContext())
                        .isEqualTo("baggage");
                  });
              return drained();
            });
    assertThat(seen.get(0).parent).isZero();
    assertThat(seen.get(0).trace).isNotEqualTo(2);
    assertThat(TraceGuard.aged() - aged).isEqualTo(1);
  }

  @Test
  void begin_traceThatCameWithAState_isToldWithItUntilItIsCut() {
    Trace stated = new Trace(1, 2, true, null).within("vendor=1", true);
    assertThat(toldWith(stated)).isEqualTo("vendor=1");
    assertThat(toldWith(stated.within("more", true).deeper(1))).isEqualTo("more");
    assertThat(toldWith(stated.stashedAt(Clock.now()))).isEqualTo("vendor=1");
    assertThat(toldWith(new Trace(1, 2, true, "baggage"))).isNull();
    assertThat(toldWith(new Trace(1, 2, false, null).within("vendor=1", true))).isNull();
    stated.addSpans(GuardConfig.DEFAULT.maxSpans() + 1);
    assertThat(toldWith(stated)).as("of a trace that begins after it").isNull();
  }

  /** The state that the span of a message in a trace has. */
  private @Nullable Object toldWith(Trace trace) {
    return onNewThread(
            () -> {
              Woven.Envelope envelope = new Woven.Envelope();
              envelope.deimos$sent(trace, 7, Clock.now());
              process(envelope, () -> {});
              Lane ring = ThreadState.currentOrNew().lane();
              List<Rare> rare = new ArrayList<>();
              ring.drain(
                  new SpanView(), v -> Optional.ofNullable(v.rare()).ifPresent(rare::add), 1000);
              return rare.isEmpty() ? Optional.empty() : Optional.ofNullable(rare.get(0).stated());
            })
        .orElse(null);
  }

  @Test
  void guard_traceOfTheSelfTest_isCutAndNotCounted() {
    long aged = TraceGuard.aged();
    Trace old = new Trace(1, 2, true, null, Clock.now() - GuardConfig.DEFAULT.maxAgeNanos() - 1);
    ActorTelemetry conductor = actor("io.deimos.pekko.selftest.Conductor");
    Link link =
        onNewThread(
            () -> {
              Woven.Envelope late = new Woven.Envelope();
              late.deimos$sent(old, 7, Clock.now());
              Frame s = Hooks.begin(conductor, late, "message", null, null);
              Link to = Objects.requireNonNull(s.record.link);
              Hooks.end(s);
              return to;
            });
    assertThat(link).isEqualTo(new Link(1, 2, 7, TraceGuard.AGE));
    assertThat(TraceGuard.aged()).isEqualTo(aged);
  }

  @Test
  void guard_traceThatIsTooLarge_isCutForEveryFurtherMessage() {
    Trace large = new Trace(1, 2, true, null);
    large.addSpans(GuardConfig.DEFAULT.maxSpans() + 1);
    large.isDue();
    List<Seen> seen =
        onNewThread(
            () -> {
              for (int i = 0; i < 10; i++) {
                Woven.Envelope more = new Woven.Envelope();
                more.deimos$sent(large, 7, Clock.now());
                process(more, () -> {});
              }
              return drained();
            });
    assertThat(seen).extracting(Seen::trace).doesNotHaveDuplicates().doesNotContain(2L);
  }

  @Test
  void scheduleOnce_task_carriesTheContextAndPeriodicDoesNot() {
    onNewThread(
        () -> {
          process(
              Woven.Envelope.sent(),
              () -> {
                Woven.Callback once = new Woven.Callback();
                Frame s = Objects.requireNonNull(ScheduleHooks.once());
                ScheduleHooks.task(once);
                ScheduleHooks.onceMade(s);
                assertThat(once.deimos$parent()).isEqualTo(Probe.currentSpan());

                Frame p = Objects.requireNonNull(ScheduleHooks.periodic(ScheduleHooks.FIXED_DELAY));
                assertThat(ScheduleHooks.once()).isNull();
                Woven.Callback tick = new Woven.Callback();
                ScheduleHooks.task(tick);
                ScheduleHooks.periodicMade(p);
                assertThat(Objects.requireNonNull(tick.deimos$trace()).hasBegun()).isFalse();
              });
          return true;
        });
  }

  @Test
  void ask_ask_isBetweenAskerAndAnswerer() {
    List<Seen> seen =
        onNewThread(
            () -> {
              Woven.Ref promise = new Woven.Ref();
              Woven.Envelope[] sent = new Woven.Envelope[1];
              process(
                  Woven.Envelope.sent(),
                  () -> {
                    AskHooks.created(promise, null);
                    Frame s =
                        Objects.requireNonNull(
                            AskHooks.send(
                                AskHooks.ASK, promise.deimos$identity(), "target", "request", 1));
                    sent[0] = Woven.Envelope.sent();
                    AskHooks.sent(s);
                  });
              process(sent[0], () -> {});
              AskHooks.ended(promise.deimos$identity(), null, null);
              AskHooks.ended(promise.deimos$identity(), null, null);
              return drained();
            });
    assertThat(seen).hasSize(3);
    Seen asker = seen.get(0);
    Seen answerer = seen.get(1);
    Seen ask = seen.get(2);
    assertThat(ask.parent).isEqualTo(asker.span);
    assertThat(answerer.parent).isEqualTo(ask.span);
  }

  @Test
  void failed_twiceWithinAMessage_countsOnce() {
    ActorKind kind = ActorKinds.of("test", "test.Failing", false);
    Woven.Cell cell = new Woven.Cell();
    cell.deimos$telemetry(Actors.register("pekko://test/user/f", kind));
    onNewThread(
        () -> {
          Frame s =
              Hooks.begin(
                  Objects.requireNonNull(cell.deimos$telemetry()),
                  Woven.Envelope.sent(),
                  "message",
                  null,
                  null);
          LifecycleHooks.failedHere(new IllegalStateException("inner"));
          LifecycleHooks.failed(cell, new IllegalStateException("outer"));
          Hooks.end(s);
          return true;
        });
    assertThat(kind.failed()).isEqualTo(1);
    assertThat(kind.failures()).containsEntry("java.lang.IllegalStateException", 1L);
  }

  @Test
  void metrics_processedMessages_areFoldedAcrossThreads() {
    ActorKind kind = ActorKinds.of("test", "test.Folded", false);
    ActorTelemetry folded = Actors.register("pekko://test/user/m", kind);
    for (int i = 0; i < 3; i++) {
      onNewThread(
          () -> {
            Hooks.end(Hooks.begin(folded, Woven.Envelope.sent(), "message", null, null));
            return true;
          });
    }
    MetricsFold.Series series =
        Recorder.metrics().series().stream()
            .filter(s -> s.kind() == kind)
            .findFirst()
            .orElseThrow();
    assertThat(series.processed()).isEqualTo(3);
    assertThat(series.message().name()).isEqualTo("java.lang.String");
  }

  @Test
  void metrics_recordsNotDrained_areCountedOnce() {
    ActorKind kind = ActorKinds.of("test", "test.Once", false);
    ActorTelemetry actor = Actors.register("pekko://test/user/o", kind);
    onNewThread(
        () -> {
          Frame s = Hooks.begin(actor, Woven.Envelope.sent(), "message", null, null);
          LifecycleHooks.failedHere(new IllegalStateException("planned"));
          Hooks.end(s);
          assertThat(processed(kind)).isEqualTo(1);
          drained();
          return true;
        });
    MetricsFold.Series series = series(kind);
    assertThat(series.processed()).isEqualTo(1);
    assertThat(series.failed()).isEqualTo(1);
    assertThat(Arrays.stream(series.waitBuckets()).sum()).isEqualTo(1);
  }

  @Test
  void metrics_ringIsFull_areCountedAllTheSame() {
    ActorKind kind = ActorKinds.of("test", "test.Full", false);
    ActorTelemetry actor = Actors.register("pekko://test/user/f", kind);
    int messages = 8 * Recorder.config().rings().capacity(); // rings grow to four times one
    long dropped = Recorder.dropped();
    onNewThread(
        () -> {
          for (int i = 0; i < messages; i++) {
            Hooks.end(Hooks.begin(actor, Woven.Envelope.sent(), "message", null, null));
          }
          return true;
        });
    assertThat(Recorder.dropped() - dropped).isPositive();
    assertThat(processed(kind)).isEqualTo(messages);
  }

  private static MetricsFold.Series series(ActorKind kind) {
    return Recorder.metrics().series().stream()
        .filter(s -> s.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  private static long processed(ActorKind kind) {
    return series(kind).processed();
  }

  @Test
  void isDue_oneInEight_isSoOnAverage() {
    int due =
        onNewThread(
            () -> {
              ThreadState s = ThreadState.currentOrNew();
              int times = 0;
              for (int i = 0; i < 80_000; i++) {
                times += s.isDue(8) ? 1 : 0;
              }
              return times;
            });
    assertThat(due).isBetween(9_000, 11_000);
  }
}
