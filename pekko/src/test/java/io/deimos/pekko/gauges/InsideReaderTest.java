// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.recorder.housekeeping.ActorInside;
import io.deimos.recorder.housekeeping.ActorInside.Entry;
import io.deimos.recorder.housekeeping.ActorInside.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.AbstractFSM;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each actor reads itself, as woven code would have it do. */
class InsideReaderTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ActorSystem system = ActorSystem.create("inside", ConfigFactory.load());
  private final CompletableFuture<ActorInside> read = new CompletableFuture<>();

  /** None of its methods may be called. */
  private static final class Hostile {
    private final int number;

    Hostile(int number) {
      this.number = number;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Hostile hostile && hostile.number == number;
    }

    @Override
    public int hashCode() {
      return number;
    }

    @Override
    public String toString() {
      throw new AssertionError("called");
    }
  }

  @AfterEach
  void end() {
    system.terminate();
  }

  private ActorInside inside() throws Exception {
    return read.get(1, TimeUnit.MINUTES);
  }

  private static final class Classic extends AbstractActorWithTimers {
    private final CompletableFuture<ActorInside> read;
    private final int timers;

    Classic(CompletableFuture<ActorInside> read, int timers) {
      this.read = read;
      this.timers = timers;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              any -> {
                getTimers().startTimerWithFixedDelay("tick", new Hostile(0), LONG);
                for (int i = 1; i <= timers; i++) {
                  getTimers().startSingleTimer(new Hostile(i), "once", LONG);
                }
                getContext().setReceiveTimeout(LONG);
                ActorRef child = getContext().actorOf(Props.empty(), "child");
                getContext().watch(child);
                read.complete(InsideReader.read((ActorCell) getContext(), null));
              })
          .build();
    }
  }

  private void tell(Props props) {
    system.actorOf(props, "actor").tell("begin", ActorRef.noSender());
  }

  private Props classic(int timers) {
    CompletableFuture<ActorInside> to = read;
    return Props.create(Classic.class, () -> new Classic(to, timers));
  }

  @Test
  void read_ofAClassicActor_hasWhatPekkoKeepsForIt() throws Exception {
    tell(classic(1));
    assertThat(inside().notRead()).isEmpty();
    assertThat(inside().entries())
        .containsExactlyInAnyOrder(
            new Entry(Kind.TIMER, "tick", "again and again", Hostile.class.getName(), -1),
            new Entry(Kind.TIMER, Hostile.class.getName(), "once", "java.lang.String", -1),
            new Entry(Kind.RECEIVE_TIMEOUT, "", "", "", LONG.toNanos()),
            new Entry(Kind.WATCHES, "pekko://inside/user/actor/child", "", "", -1),
            new Entry(Kind.CHILD, "pekko://inside/user/actor/child", "", "", -1));
  }

  @Test
  void read_ofManyTimers_isCutAndSaysSo() throws Exception {
    tell(classic(1000));
    assertThat(inside().entries())
        .filteredOn(entry -> entry.kind() == Kind.TIMER)
        .hasSize(ActorInside.MAX_OF_KIND);
    assertThat(inside().notRead())
        .containsExactly("There are more timers than the 50 that are read.");
  }

  private static final class Machine extends AbstractFSM<String, String> {
    Machine(CompletableFuture<ActorInside> read) {
      startWith("idle", "");
      when(
          "idle",
          matchAnyEvent(
              (event, data) -> {
                startSingleTimer("patience", new Hostile(0), LONG);
                read.complete(InsideReader.read((ActorCell) getContext(), null));
                return stay();
              }));
      initialize();
    }
  }

  @Test
  void read_ofAnFsm_hasItsTimers() throws Exception {
    CompletableFuture<ActorInside> to = read;
    tell(Props.create(Machine.class, () -> new Machine(to)));
    assertThat(inside().entries())
        .contains(new Entry(Kind.TIMER, "patience", "", Hostile.class.getName(), -1));
  }

  @Test
  void read_ofATypedActor_hasItsTimersAndTimeout() throws Exception {
    Behavior<Object> behavior =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        Behaviors.receiveMessage(
                            message -> {
                              timers.startTimerAtFixedRate("tick", new Hostile(0), LONG);
                              context.setReceiveTimeout(LONG, "quiet");
                              context.watch(context.spawn(Behaviors.empty(), "child"));
                              read.complete(
                                  InsideReader.read((ActorCell) Adapter.toClassic(context), null));
                              return Behaviors.same();
                            })));
    Adapter.spawn(system, behavior, "actor").tell("begin");
    assertThat(inside().notRead()).isEmpty();
    assertThat(inside().entries())
        .contains(
            new Entry(Kind.TIMER, "tick", "again and again", Hostile.class.getName(), -1),
            new Entry(Kind.RECEIVE_TIMEOUT, "", "", "", LONG.toNanos()),
            new Entry(Kind.WATCHES, "pekko://inside/user/actor/child", "", "", -1));
  }
}
