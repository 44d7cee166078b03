// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import scenarios.Messages.Begin;
import scenarios.Messages.Done;
import scenarios.Messages.Event;
import scenarios.Messages.Open;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/** Ways in which a classic actor sends at once. */
public final class ClassicSending {
  private ClassicSending() {}

  public static void addTo(Scenes all) {
    all.add(
        "classic-tell",
        ClassicSending::tell,
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
        """);
    all.add(
        "classic-forward",
        ClassicSending::forward,
        """
        process Begin at /user/front
          process Ping at /user/middle from /user/front
            process Ping at /user/back from /user/front
              process Pong at /user/front from /user/back
        """);
    all.add(
        "classic-selection",
        ClassicSending::selection,
        """
        process Begin at /user/front
          process Ping at /user/back from /user/front
            process Pong at /user/front from /user/back
          process Work at /user/back from /user/front
            process Done at /user/front from /user/back
        """);
    all.add(
        "classic-event-stream",
        ClassicSending::eventStream,
        """
        process Begin at /user/front
          process Event at /user/listener-1
          process Event at /user/listener-2
        """);
    all.add(
        "classic-stash",
        ClassicSending::stash,
        """
        process Begin at /user/front
          process Open at /user/shop from /user/front
          process Work at /user/shop from /user/front
            process Work at /user/shop from /user/front, stashed
              process Done at /user/front from /user/shop
          process Work at /user/shop from /user/front
            process Work at /user/shop from /user/front, stashed
              process Done at /user/front from /user/shop
        """);
    all.add("classic-nested", ClassicSending::nested);
    all.add("classic-creator", ClassicSending::creator);
    all.like("classic-tell", "classic-serialized", ClassicSending::serialized);
    all.add(
        "classic-child",
        ClassicSending::child,
        """
        process Begin at /user/front
          process Ping at /user/front/child from /user/front
            process Pong at /user/front from /user/front/child
        """);
    all.add(
        "classic-outside",
        ClassicSending::outside,
        """
        process Work at /user/front
        process Work at /user/front
        """);
    all.add(
        "stop-by-pill",
        ClassicSending::stopByPill,
        """
        process Begin at /user/watcher
        process Terminated at /user/watcher from /user/watcher/child
        """);
  }

  private static void tell(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.begin(1, f -> back.tell(new Ping(), f.getSelf()));
  }

  private static void forward(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef middle = stage.actor(Props.create(Forwarder.class, back), "middle");
    stage.begin(1, f -> middle.tell(new Ping(), f.getSelf()));
  }

  /** Once by a name, once by a pattern, which passes through the guardian. */
  private static void selection(Stage stage) throws Exception {
    stage.actor(Echo.props(), "back");
    stage.begin(
        2,
        f -> {
          f.getContext().actorSelection("/user/back").tell(new Ping(), f.getSelf());
          f.getContext().actorSelection("/user/ba*").tell(new Work(1), f.getSelf());
        });
  }

  private static void eventStream(Stage stage) throws Exception {
    for (String name : new String[] {"listener-1", "listener-2"}) {
      ActorRef listener = stage.front(name, f -> {});
      stage.system().getEventStream().subscribe(listener, Event.class);
    }
    stage.begin(2, f -> f.getContext().getSystem().getEventStream().publish(new Event("news")));
  }

  private static void stash(Stage stage) throws Exception {
    ActorRef shop = stage.actor(Props.create(Shop.class), "shop");
    stage.begin(
        2,
        f -> {
          shop.tell(new Work(1), f.getSelf());
          shop.tell(new Work(2), f.getSelf());
          shop.tell(new Open(), f.getSelf());
        });
  }

  /** A chain of as many actors as the argument says, each sending to the next. */
  private static void nested(Stage stage) throws Exception {
    ActorRef next = stage.front("last", f -> {});
    for (int i = 50; i > 0; i--) {
      next = stage.actor(Props.create(Link.class, next), "link-" + i);
    }
    next.tell(new Work(0), ActorRef.noSender());
    stage.await(1);
  }

  private static void creator(Stage stage) throws Exception {
    ActorRef back = stage.actor(Props.create(AbstractActor.class, Hidden::new), "back");
    stage.begin(1, f -> back.tell(new Ping(), f.getSelf()));
  }

  private static void serialized(Stage stage) throws Exception {
    stage.with(
        """
        pekko.actor.serialize-messages = on
        pekko.actor.allow-java-serialization = on
        pekko.actor.warn-about-java-serializer-usage = off
        """);
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.begin(1, f -> back.tell(new Ping(), f.getSelf()));
  }

  /** A child is spawned while a message is processed, and told something before it has started. */
  private static void child(Stage stage) throws Exception {
    stage.begin(
        1, f -> f.getContext().actorOf(Echo.props(), "child").tell(new Ping(), f.getSelf()));
  }

  /** Two messages from outside any actor have nothing to do with each other. */
  private static void outside(Stage stage) throws Exception {
    ActorRef front = stage.front("front", f -> {});
    front.tell(new Work(1), ActorRef.noSender());
    front.tell(new Work(2), ActorRef.noSender());
    stage.await(2);
  }

  private static void stopByPill(Stage stage) throws Exception {
    stage.actor(Props.create(Lifecycles.Watcher.class, stage), "watcher").tell(new Begin(), null);
    stage.await(1);
  }

  static final class Forwarder extends AbstractActor {
    private final ActorRef to;

    Forwarder(ActorRef to) {
      this.to = to;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> to.forward(m, getContext())).build();
    }
  }

  static final class Shop extends AbstractActorWithStash {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> stash())
          .match(
              Open.class,
              o -> {
                getContext().become(open());
                unstashAll();
              })
          .build();
    }

    private Receive open() {
      return receiveBuilder()
          .match(Work.class, w -> getSender().tell(new Done(w.number()), getSelf()))
          .build();
    }
  }

  static final class Link extends AbstractActor {
    private final ActorRef next;

    Link(ActorRef next) {
      this.next = next;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> next.tell(new Work(w.number() + 1), getSelf()))
          .build();
    }
  }

  /** Known to its props as an {@code AbstractActor} only. */
  static final class Hidden extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Ping.class, p -> getSender().tell(new Messages.Pong(), getSelf()))
          .build();
    }
  }
}
