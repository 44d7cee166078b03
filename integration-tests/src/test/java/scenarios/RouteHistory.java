// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import static scenarios.WholeHistories.sentBy;

import java.io.Serializable;
import java.util.List;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractFSM;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.routing.Broadcast;
import org.apache.pekko.routing.BroadcastPool;
import org.apache.pekko.routing.ConsistentHashingPool;
import org.apache.pekko.routing.ConsistentHashingRouter.ConsistentHashable;
import org.apache.pekko.routing.RoundRobinGroup;
import scenarios.Messages.Event;
import scenarios.Messages.Open;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/** Routers, selections, the event stream, classic and typed, and a state machine. */
final class RouteHistory {
  private static final int EACH = 30;

  private RouteHistory() {}

  interface Published extends Serializable {}

  record Plain(int number) implements Published {}

  record Keyed(int number) implements ConsistentHashable, Published {
    @Override
    public Object consistentHashKey() {
      return "key-" + number % 7;
    }
  }

  static void run(Stage stage, Book book) throws Exception {
    Props taker = Props.create(Taker.class, book);
    ActorRef sender = stage.actor(taker, "sender");
    ActorRef broadcast = stage.actor(new BroadcastPool(3).props(taker), "broadcast");
    ActorRef hashing = stage.actor(new ConsistentHashingPool(4).props(taker), "hashing");
    for (String name : List.of("one", "two", "three")) {
      stage.actor(taker, name);
    }
    ActorRef group =
        stage.actor(
            new RoundRobinGroup(List.of("/user/one", "/user/two", "/user/three")).props(), "group");
    ActorSelection all = stage.system().actorSelection("/user/t*");
    for (int i = 0; i < EACH; i++) {
      broadcast.tell(new Work(i), sender);
      hashing.tell(new Keyed(i), sender);
      group.tell(new Work(i), sender);
    }
    group.tell(new Broadcast(new Ping()), sender);
    stage.await(3 * EACH + EACH + EACH + 3);
    for (int i = 0; i < EACH; i++) {
      all.tell(new Event("to all " + i), sender);
    }
    stage.await(2 * EACH);
    events(stage, taker);
    typed(stage, book);
    stateMachine(stage, book, sender);
  }

  private static void events(Stage stage, Props taker) throws Exception {
    var stream = stage.system().getEventStream();
    ActorRef some = stage.actor(taker, "some-events");
    ActorRef every = stage.actor(taker, "every-event");
    stream.subscribe(some, Keyed.class);
    stream.subscribe(every, Published.class);
    for (int i = 0; i < EACH; i++) {
      stream.publish(i % 2 == 0 ? new Keyed(i) : new Plain(i));
    }
    stage.await(EACH + EACH / 2);
    stream.unsubscribe(some);
    stream.publish(new Keyed(EACH));
    stage.await(1);
    stream.unsubscribe(every);
  }

  private static void typed(Stage stage, Book book) throws Exception {
    ServiceKey<Object> key = ServiceKey.create(Object.class, "key");
    var system = Adapter.toTyped(stage.system());
    var member = stage.typed(taker(book), "member");
    system.receptionist().tell(Receptionist.register(key, member));
    var pool = stage.typed(Routers.pool(3, taker(book)).withRoundRobinRouting(), "typed-pool");
    var group = stage.typed(Routers.group(key).withRoundRobinRouting(), "typed-group");
    var subscriber = stage.typed(taker(book), "subscriber");
    system.eventStream().tell(new EventStream.Subscribe<>(Event.class, subscriber.narrow()));
    for (int i = 0; i < EACH; i++) {
      pool.tell(new Work(i));
      group.tell(new Work(i));
      system.eventStream().tell(new EventStream.Publish<>(new Event("event " + i)));
    }
    stage.await(3 * EACH);
  }

  private static void stateMachine(Stage stage, Book book, ActorRef sender) throws Exception {
    ActorRef machine = stage.actor(Props.create(Machine.class, book), "machine");
    for (int i = 0; i < EACH; i++) {
      machine.tell(i % 5 == 4 ? new Open() : new Work(i), sender);
    }
    stage.await(1 + EACH / 5); // into its first state, and from one to the other
  }

  static final class Taker extends AbstractActor {
    private final Book book;

    Taker(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              m -> {
                book.write(getSelf(), m + sentBy(getSender()));
                book.signal();
              })
          .build();
    }
  }

  private static Behavior<Object> taker(Book book) {
    return Behaviors.receive(
        (context, message) -> {
          book.write(context.getSelf().path().toStringWithoutAddress(), message.toString());
          book.signal();
          return Behaviors.same();
        });
  }

  /** Does its work while it is open. */
  static final class Machine extends AbstractFSM<String, Integer> {
    Machine(Book book) {
      startWith("shut", 0);
      when(
          "shut",
          matchEvent(Open.class, (o, done) -> goTo("open"))
              .event(
                  Work.class,
                  (w, done) -> {
                    book.write(getSelf(), "not " + w + sentBy(getSender()));
                    return stay();
                  }));
      when(
          "open",
          matchEvent(
                  Work.class,
                  (w, done) -> {
                    book.write(getSelf(), w + ", before it " + done + sentBy(getSender()));
                    return stay().using(done + 1);
                  })
              .event(Open.class, (o, done) -> goTo("shut")));
      onTransition(
          (from, to) -> {
            book.write(getSelf(), from + " to " + to);
            book.signal();
          });
      initialize();
    }
  }
}
