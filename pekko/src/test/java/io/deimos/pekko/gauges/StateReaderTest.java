// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractFSM;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each actor reads itself, as woven code would have it do. */
class StateReaderTest {
  private final ActorSystem system =
      ActorSystem.create(
          "state",
          ConfigFactory.parseString(
                  "pekko.persistence.journal.plugin = pekko.persistence.journal.inmem")
              .withFallback(ConfigFactory.load()));

  private final CompletableFuture<String> read = new CompletableFuture<>();

  private record Item(String name, int amount) {}

  @AfterEach
  void end() {
    system.terminate();
  }

  private String state() throws Exception {
    return read.get(1, TimeUnit.MINUTES);
  }

  private static void read(CompletableFuture<String> to, Object context) {
    try {
      to.complete(
          StateReader.read(
              (ActorCell) context, name -> name.startsWith(StateReaderTest.class.getName())));
    } catch (Throwable t) {
      to.completeExceptionally(t);
    }
  }

  @SuppressWarnings("unused") // fields are read by reflection
  private static final class Cart extends AbstractActor {
    private static final String SHARED = "of all";
    private final List<Item> items = new ArrayList<>(List.of(new Item("a", 2)));
    private final ActorRef friend;
    private final CompletableFuture<String> read;

    Cart(ActorRef friend, CompletableFuture<String> read) {
      this.friend = friend;
      this.read = read;
    }

    @Override
    public AbstractActor.Receive createReceive() {
      return receiveBuilder()
          .matchAny(any -> getContext().become(paid(new Item("receipt", 1))))
          .build();
    }

    private AbstractActor.Receive paid(Item receipt) {
      return receiveBuilder()
          .match(
              String.class,
              any -> {
                assertThat(receipt.amount()).isOne();
                read(read, getContext());
              })
          .build();
    }
  }

  private void tellTwice(Props props) {
    ActorRef actor = system.actorOf(props, "actor");
    actor.tell("first", ActorRef.noSender());
    actor.tell("second", ActorRef.noSender());
  }

  @Test
  void state_ofAClassicActor_isInItsFieldsAndInWhatItHasBecome() throws Exception {
    CompletableFuture<String> to = read;
    ActorRef friend = system.deadLetters();
    tellTwice(Props.create(Cart.class, () -> new Cart(friend, to)));
    assertThat(state().lines())
        .containsExactly(
            "StateReaderTest$Cart",
            "  items = [StateReaderTest$Item{name=\"a\", amount=2}]",
            "  friend = pekko://state/deadLetters",
            "  read = (java.util.concurrent.CompletableFuture)",
            "StateReaderTest$Item, captured by a function",
            "  name = \"receipt\"",
            "  amount = 1");
  }

  private static final class Machine extends AbstractFSM<String, Item> {
    Machine(CompletableFuture<String> read) {
      startWith("idle", new Item("data", 3));
      when(
          "idle",
          matchAnyEvent(
              (event, data) -> {
                read(read, getContext());
                return stay();
              }));
      initialize();
    }
  }

  @Test
  void state_ofAnFsm_hasItsStateAndData() throws Exception {
    CompletableFuture<String> to = read;
    tellTwice(Props.create(Machine.class, () -> new Machine(to)));
    assertThat(state().lines())
        .contains(
            "state of the FSM = \"idle\"",
            "data of the FSM = StateReaderTest$Item{name=\"data\", amount=3}");
  }

  private static final class Typed extends AbstractBehavior<Object> {
    @SuppressWarnings("unused") // read by reflection
    private int total = 3;

    private final CompletableFuture<String> read;

    Typed(ActorContext<Object> context, CompletableFuture<String> read) {
      super(context);
      this.read = read;
    }

    @Override
    public Receive<Object> createReceive() {
      return newReceiveBuilder()
          .onAnyMessage(
              any -> {
                read(read, Adapter.toClassic(getContext()));
                return this;
              })
          .build();
    }
  }

  @Test
  void state_ofAClassOfBehaviorUnderSupervision_isInItsFields() throws Exception {
    Behavior<Object> behavior =
        Behaviors.<Object>supervise(
                Behaviors.withTimers(
                    timers -> Behaviors.setup(context -> new Typed(context, read))))
            .onFailure(SupervisorStrategy.restart());
    Adapter.spawn(system, behavior, "typed").tell("begin");
    assertThat(state().lines())
        .containsExactly(
            "StateReaderTest$Typed",
            "  total = 3",
            "  read = (java.util.concurrent.CompletableFuture)");
  }

  @Test
  void state_ofABehaviorOfFunctions_isWhatTheyHaveCaptured() throws Exception {
    Adapter.spawn(system, Behaviors.setup(context -> counting(context, 41)), "typed").tell("begin");
    assertThat(state().lines())
        .contains(
            "captured by a function of StateReaderTest",
            "  arg$2 = 41",
            "StateReaderTest, captured by a function")
        .containsOnlyOnce("StateReaderTest, captured by a function");
  }

  private Behavior<Object> counting(ActorContext<Object> context, int count) {
    return Behaviors.receive(Object.class)
        .onMessage(
            String.class,
            said -> {
              assertThat(count).isEqualTo(41);
              read(read, Adapter.toClassic(context));
              return Behaviors.same();
            })
        .onMessage(Integer.class, number -> counting(context, number))
        .build();
  }

  /** Its state is a list of the JDK. */
  private static final class Sourced extends EventSourcedBehavior<Object, String, List<String>> {
    private final ActorContext<Object> context;
    private final CompletableFuture<String> read;

    Sourced(ActorContext<Object> context, CompletableFuture<String> read) {
      super(PersistenceId.ofUniqueId("sourced"));
      this.context = context;
      this.read = read;
    }

    @Override
    public List<String> emptyState() {
      return List.of();
    }

    @Override
    public CommandHandler<Object, String, List<String>> commandHandler() {
      return (state, command) -> {
        if (state.isEmpty()) {
          return Effect().persist("happened");
        }
        read(read, Adapter.toClassic(context));
        return Effect().none();
      };
    }

    @Override
    public EventHandler<List<String>, String> eventHandler() {
      return (state, event) -> List.of(event);
    }
  }

  @Test
  void state_ofAnEventSourcedActor_isThatOfItsEvents() throws Exception {
    org.apache.pekko.actor.typed.ActorRef<Object> actor =
        Adapter.spawn(system, Behaviors.setup(context -> new Sourced(context, read)), "sourced");
    actor.tell("first");
    actor.tell("second");
    assertThat(state()).isEqualTo("event-sourced state = [\"happened\"]");
  }
}
