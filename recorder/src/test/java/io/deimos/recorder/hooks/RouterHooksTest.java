// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorGroups;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.counts.Metric;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Each test has a thread and an actor system of its own. */
class RouterHooksTest {
  private static void onNewThread(Runnable body) {
    CompletableFuture.runAsync(body, run -> new Thread(run, "routing").start()).join();
  }

  private static long timed(String... values) {
    long[] counts = Metric.ROUTING.tally().read().get(List.of(values));
    long sum = 0;
    for (int i = 0; counts != null && i < Durations.BUCKETS; i++) {
      sum += counts[i];
    }
    return sum;
  }

  @Test
  void begin_oneMessageIn64_isTimed() {
    onNewThread(
        () -> {
          for (int i = 0; i < 129; i++) {
            assertThat(RouterHooks.begin(RouterHooks.ROUTED) != 0)
                .as("" + i)
                .isEqualTo(i % 64 == 0);
          }
        });
  }

  @Test
  void endOfPool_whoseRouteesHaveNotBegun_hasTheNextTimedInItsPlace() {
    ActorTelemetry routee =
        Actors.register("/user/pool/$a", ActorKinds.provisional("pools", ActorGroups.NONE, false));
    onNewThread(
        () -> {
          RouterHooks.endOfPool(RouterHooks.begin(RouterHooks.ROUTED), routee);
          assertThat(timed("pools", "typed")).isZero();
          long begun = RouterHooks.begin(RouterHooks.ROUTED);
          assertThat(begun).isNotZero();
          routee.settle(ActorKinds.of("pools", "shop.Routee", false), "shop.Routee");
          RouterHooks.endOfPool(begun, routee);
          assertThat(timed("pools", "shop.Routee")).isEqualTo(1);
          assertThat(RouterHooks.begin(RouterHooks.ROUTED)).isZero();
        });
  }

  @Test
  void endOfGroup_isToldAsThatOfAClassicGroup() {
    ActorTelemetry router =
        Actors.register(
            "/user/group",
            ActorKinds.of(
                "groups", "org.apache.pekko.actor.typed.internal.routing.GroupRouterImpl", true));
    RouterHooks.endOfGroup(1, router);
    assertThat(timed("groups", "org.apache.pekko.actor.Actor")).isEqualTo(1);
  }
}
