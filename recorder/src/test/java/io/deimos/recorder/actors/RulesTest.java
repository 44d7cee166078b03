// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.trace.Trace;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RulesTest {
  private static final String PATH = "pekko://rules/user/a";

  private final ActorTelemetry actor =
      Actors.register(PATH, ActorKinds.of("rules", "test.Ruled", false));

  @AfterEach
  void forget() {
    Recorder.ruleBy(Rules.NONE);
  }

  /** Whether a message gets a span, as a root or inside the span of a message before. */
  private boolean isTraced(Object message) {
    Frame s = Hooks.begin(actor, Woven.Envelope.sent(), message, null, null);
    boolean recording = s.isRecording();
    Hooks.end(s);
    return recording;
  }

  private static Rules rules(ActorPolicy policy) {
    return new Rules() {
      @Override
      public ActorPolicy actor(ActorKind kind, Object path, @Nullable ActorChoice chosen) {
        return policy;
      }
    };
  }

  private static long counted() {
    Lane ring = ThreadState.currentOrNew().lane();
    ring.drain(new SpanView(), view -> {}, 1000); // messages with a span are counted from records
    return Recorder.metrics().series().stream()
        .filter(series -> series.kind().className().equals("test.Ruled"))
        .mapToLong(MetricsFold.Series::processed)
        .sum();
  }

  @Test
  void ruleBy_ofALiveActor_holdsFromTheNextMessageOn() {
    assertThat(isTraced("m")).isTrue();
    Recorder.ruleBy(rules(ActorPolicy.NONE));
    assertThat(isTraced("m")).isFalse();
    Recorder.ruleBy(Rules.NONE);
    assertThat(isTraced("m")).isTrue();
  }

  @Test
  void ruleBy_tracedAndNotCounted_isNot() {
    Recorder.ruleBy(rules(new ActorPolicy(true, false, true, null)));
    long before = counted();
    assertThat(isTraced("m")).isTrue();
    assertThat(counted()).isEqualTo(before);
    Recorder.ruleBy(rules(new ActorPolicy(false, true, true, null)));
    assertThat(isTraced("m")).isFalse();
    assertThat(counted()).isEqualTo(before + 1);
  }

  /** The record is in its ring yet, and is counted by the rules that it was made under. */
  @Test
  void ruleBy_whatIsNotDrainedYet_isCountedByTheRulesBefore() {
    Recorder.ruleBy(rules(new ActorPolicy(true, false, true, null)));
    long before = counted();
    assertThat(isTraced("m")).isTrue();
    Recorder.ruleBy(Rules.NONE);
    assertThat(counted()).isEqualTo(before);
    assertThat(isTraced("m")).isTrue();
    Recorder.ruleBy(rules(new ActorPolicy(true, false, true, null)));
    assertThat(counted()).isEqualTo(before + 1);
  }

  @Test
  void ruleBy_classKeepsItsCountsUnderOtherRules() {
    long before = counted();
    isTraced("m");
    Recorder.ruleBy(rules(new ActorPolicy(true, true, false, null)));
    isTraced("m");
    assertThat(counted()).isEqualTo(before + 2);
    assertThat(ActorKinds.all())
        .filteredOn(kind -> kind.className().equals("test.Ruled"))
        .hasSize(1);
  }

  @Test
  void actorClass_neverAndAlways_holdForAllMessagesToThem() {
    Recorder.ruleBy(actorClasses(Marks.NEVER_TRACED, ActorPolicy.ALL));
    assertThat(isTraced("m")).isFalse();
    Recorder.ruleBy(actorClasses(Marks.ALWAYS_TRACED, new ActorPolicy(false, true, false, null)));
    assertThat(isTraced("m")).isTrue();
  }

  @Test
  void message_leftOutAtOneActor_isNotTracedThere() {
    Recorder.ruleBy(rules(filtered(List.of("*String"), List.of())));
    assertThat(isTraced("m")).isFalse();
    assertThat(isTraced(1)).isTrue();
    Recorder.ruleBy(rules(filtered(List.of(), List.of("java.lang.Str*"))));
    assertThat(isTraced("m")).isTrue();
    assertThat(isTraced(1)).isFalse();
  }

  private static ActorPolicy filtered(List<String> never, List<String> only) {
    return new ActorPolicy(true, true, true, null, null, null, new MessagePatterns(never, only));
  }

  private static Rules actorClasses(int mark, ActorPolicy policy) {
    return new Rules() {
      @Override
      public ActorPolicy actor(ActorKind kind, Object path, @Nullable ActorChoice chosen) {
        return policy;
      }

      @Override
      public int actorClass(String className) {
        return className.equals("test.Ruled") ? mark : 0;
      }
    };
  }

  /** Their sender has no span; they belong together all the same. */
  @Test
  void begin_messageThatIsNeverTraced_whatItSendsIsOneTrace() {
    Recorder.ruleBy(
        new Rules() {
          @Override
          public int message(String className) {
            return className.equals("java.lang.String") ? Marks.NEVER_TRACED : 0;
          }
        });
    Frame never = Hooks.begin(actor, new Woven.Envelope(), "never", null, null);
    assertThat(never.isRecording()).isFalse();
    assertThat(never.thread().context()).as("of the message without a span").isNull();
    Woven.Envelope one = Woven.Envelope.sent();
    Woven.Envelope two = Woven.Envelope.sent();
    assertThat(never.thread().context()).isNull();
    Hooks.end(never);
    Trace trace = java.util.Objects.requireNonNull(one.deimos$trace());
    assertThat(two.deimos$trace()).isSameAs(trace);
    Frame sent = Hooks.begin(actor, one, 1, null, null);
    assertThat(sent.isRecording()).isTrue();
    assertThat(sent.record.parentId).as("a root").isZero();
    assertThat(sent.record.lo).isEqualTo(trace.lo());
    Hooks.end(sent);
    Frame next = Hooks.begin(actor, new Woven.Envelope(), "never", null, null);
    assertThat(Woven.Envelope.sent().deimos$trace()).isNotNull().isNotSameAs(trace);
    Hooks.end(next);
  }

  @Test
  void begin_startsNoTraces_onlyInsideOthers() {
    Recorder.ruleBy(rules(new ActorPolicy(true, true, false, null)));
    assertThat(isTraced("m")).isFalse();
    Recorder.ruleBy(Rules.NONE);
    Frame outer = Hooks.begin(actor, Woven.Envelope.sent(), "m", null, null);
    Woven.Envelope inside = Woven.Envelope.sent();
    Recorder.ruleBy(rules(new ActorPolicy(true, true, false, null)));
    Frame inner = Hooks.begin(actor, inside, "m", null, null);
    assertThat(inner.isRecording()).isTrue();
    Hooks.end(inner);
    Hooks.end(outer);
  }

  @Test
  void begin_filterSaysNo_contextIsPassedOn() {
    Recorder.ruleBy(
        new Rules() {
          @Override
          public BiPredicate<Object, Boolean> filter() {
            return (message, alreadyInTrace) -> !message.equals("no");
          }
        });
    assertThat(isTraced("yes")).isTrue();
    assertThat(isTraced("no")).isFalse();
  }

  @Test
  void begin_filterFails_messageIsRecorded() {
    Recorder.ruleBy(
        new Rules() {
          @Override
          public BiPredicate<Object, Boolean> filter() {
            return (message, alreadyInTrace) -> {
              throw new IllegalStateException("broken filter");
            };
          }
        });
    assertThat(isTraced("m")).isTrue();
  }

  @Test
  void begin_messageNamedNever_isNotTracedButCounted() {
    Recorder.ruleBy(
        new Rules() {
          @Override
          public int message(String className) {
            return className.equals("java.lang.String") ? Marks.NEVER_TRACED : 0;
          }
        });
    long before = counted();
    assertThat(isTraced("m")).isFalse();
    assertThat(isTraced(1)).isTrue();
    assertThat(counted()).isEqualTo(before + 2);
  }

  @Test
  void begin_samplingOfTheMessagesClass_decidesAtTheRoot() {
    Recorder.ruleBy(
        new Rules() {
          @Override
          public Sampling sampling(String className) {
            return Sampling.ofRatio(className.equals("java.lang.String") ? 0 : 1);
          }
        });
    assertThat(isTraced("m")).isFalse();
    assertThat(isTraced(1)).isTrue();
  }

  @Test
  void or_choices_theFirstGoesBefore() {
    ActorChoice own = new ActorChoice(false, null, null, null, null, null, null, false);
    ActorChoice above = new ActorChoice(true, false, null, 0.5, null, null, null, true);
    assertThat(own.or(above))
        .isEqualTo(new ActorChoice(false, false, null, 0.5, null, null, null, false));
    assertThat(own.or(null)).isEqualTo(own);
  }

  @Test
  void tryTake_moreThanTheRate_isRefused() {
    RateLimit limit = new RateLimit(10);
    long now = Clock.now();
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      taken += limit.tryTake(now) ? 1 : 0;
    }
    assertThat(taken).isBetween(10, 11);
    assertThat(limit.tryTake(now + 100_000_000L)).isTrue();
    assertThat(limit.tryTake(now + 100_000_000L)).isFalse();
  }

  @Test
  void tryTake_lessThanOneASecond_letsOneThrough() {
    RateLimit limit = new RateLimit(0.001);
    long now = Clock.now();
    assertThat(limit.tryTake(now)).isTrue();
    assertThat(limit.tryTake(now + 1_000_000_000L)).isFalse();
    assertThat(limit.tryTake(now + 1_001_000_000_000L)).isTrue();
  }
}
