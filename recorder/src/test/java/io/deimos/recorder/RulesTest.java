// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static org.assertj.core.api.Assertions.assertThat;

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
    ThreadState s = Hooks.begin(actor, Woven.Envelope.sent(), message, null, null);
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
    Ring ring = java.util.Objects.requireNonNull(ThreadState.currentOrNew().lane().ring);
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

  @Test
  void begin_startsNoTraces_onlyInsideOthers() {
    Recorder.ruleBy(rules(new ActorPolicy(true, true, false, null)));
    assertThat(isTraced("m")).isFalse();
    Recorder.ruleBy(Rules.NONE);
    ThreadState outer = Hooks.begin(actor, Woven.Envelope.sent(), "m", null, null);
    Woven.Envelope inside = Woven.Envelope.sent();
    Recorder.ruleBy(rules(new ActorPolicy(true, true, false, null)));
    ThreadState inner = Hooks.begin(actor, inside, "m", null, null);
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
    ActorChoice own = new ActorChoice(false, null, null, null, false);
    ActorChoice above = new ActorChoice(true, false, null, 0.5, true);
    assertThat(own.or(above)).isEqualTo(new ActorChoice(false, false, null, 0.5, false));
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
