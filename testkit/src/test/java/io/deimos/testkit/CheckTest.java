// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With the real agent in this JVM, without a page. */
@ExtendWith(DeimosExtension.class)
class CheckTest {
  private static final long PAUSE_NANOS = 20_000_000;

  static final class Feed extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              message -> {
                throw new IllegalStateException("no feed");
              })
          .build();
    }
  }

  @Test
  void check_ofAnActorThatRestartsAllTheTime_isNotCleanUnlessThatIsIgnored(Telemetry telemetry) {
    telemetry.check().ignoring("restart-loop", "dead-letters-repeat").isClean();
    ActorSystem system = ActorSystem.create("checked");
    try {
      ActorRef feed = system.actorOf(Props.create(Feed.class), "feed");
      var unused =
          system
              .scheduler()
              .scheduleWithFixedDelay(
                  Duration.ZERO,
                  Duration.ofMillis(100),
                  feed,
                  "tick",
                  system.dispatcher(),
                  ActorRef.noSender());
      Check check = telemetry.check();
      for (long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
          check.findings().isEmpty() && System.nanoTime() < end; ) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      assertThat(check.findings())
          .anySatisfy(
              one ->
                  assertThat(one).startsWith("restart-loop (critical): /user/feed was restarted"));
      assertThatThrownBy(check::isClean)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("/user/feed was restarted");
      assertThat(check.ignoring("restart-loop:/user/f*").findings())
          .noneMatch(one -> one.startsWith("restart-loop"));
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().join();
    }
  }
}
