// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.Done;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Terminated;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Work;

/** Actors and systems that come and go, many messages at once, messages nobody wants. */
final class Lifecycles {
  private Lifecycles() {}

  static void addTo(Scenes all) {
    all.add("many-systems", Lifecycles::manySystems);
    all.add("shutdown-in-traffic", Lifecycles::shutdownInTraffic);
    all.add("unwanted", Lifecycles::unwanted);
    all.add("burst", Lifecycles::burst);
    all.add("last-words", Lifecycles::lastWords);
    all.add("steady", Lifecycles::steady);
    all.add("busy", Lifecycles::busy);
    all.add("farewell", Lifecycles::farewell);
    all.add("counted", Lifecycles::counted);
    all.add("many-begins", Lifecycles::manyBegins);
  }

  /** Five systems, one after another, while the first still runs. */
  private static void manySystems(Stage stage) throws Exception {
    stage.system();
    for (int i = 1; i <= 5; i++) {
      ActorSystem other = ActorSystem.create("other-" + i, stage.config());
      try {
        ActorRef back = other.actorOf(Echo.props(), "back");
        other
            .actorOf(Front.props(stage, f -> back.tell(new Ping(), f.getSelf())), "front")
            .tell(new Begin(), ActorRef.noSender());
        stage.await(1);
      } finally {
        other.terminate();
        other.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
      }
    }
  }

  private static void shutdownInTraffic(Stage stage) throws Exception {
    List<ActorRef> pairs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      pairs.add(stage.actor(Props.create(Rally.class, stage), "rally-" + i));
    }
    for (int i = 0; i < 4; i++) {
      pairs.get(i).tell(new Work(0), pairs.get((i + 1) % 4));
    }
    stage.await(4); // each message came a hundred times; they go on while the system stops
  }

  /** Two dead letters and three unhandled messages. */
  private static void unwanted(Stage stage) throws Exception {
    ActorRef echo = stage.actor(Echo.props(), "echo");
    for (int i = 0; i < 3; i++) {
      echo.tell("nobody handles a string", ActorRef.noSender());
    }
    ActorRef watcher = stage.actor(Props.create(Watcher.class, stage), "watcher");
    watcher.tell(new Begin(), ActorRef.noSender());
    stage.await(1);
    ActorRef gone = stage.actor(Echo.props(), "gone");
    stage.end(gone, "mourner");
    gone.tell(new Ping(), ActorRef.noSender());
    gone.tell(new Ping(), ActorRef.noSender());
  }

  /** As many messages as the argument says, at once, to one actor. */
  private static void burst(Stage stage) throws Exception {
    int count = Integer.parseInt(stage.argument());
    ActorRef counter = stage.actor(Props.create(Counter.class, stage, count), "counter");
    for (int i = 0; i < count; i++) {
      counter.tell(new Work(i), ActorRef.noSender());
    }
    stage.await(1);
  }

  /** Messages up to the JVM's very end, which an actor brings about. */
  private static void lastWords(Stage stage) throws Exception {
    stage.actor(Props.create(Ender.class), "ender").tell(new Work(20), ActorRef.noSender());
    Thread.sleep(Long.MAX_VALUE); // the actor ends the JVM
  }

  /** Runs as an application does, until the JVM is told to end. */
  private static void steady(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef front = stage.front("front", f -> back.tell(new Ping(), f.getSelf()));
    for (int i = 0; i < 200; i++) {
      front.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(200);
    System.out.println("@steady");
    Thread.sleep(Long.MAX_VALUE); // until the JVM is told to end
  }

  /** Sixteen pairs of actors that never stop, not even while the JVM ends. */
  private static void busy(Stage stage) throws Exception {
    for (int i = 0; i < 16; i++) {
      stage
          .actor(Props.create(Tireless.class), "left-" + i)
          .tell(new Pong(), stage.actor(Props.create(Tireless.class), "right-" + i));
    }
    System.out.println("@busy");
    Thread.sleep(Long.MAX_VALUE); // until the JVM is told to end
  }

  /** Works on for a while after the JVM was told to end: twenty traces of three messages each. */
  private static void farewell(Stage stage) throws Exception {
    stage.with("pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = on");
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef front = stage.front("front", f -> back.tell(new Ping(), f.getSelf()));
    CoordinatedShutdown.get(stage.system())
        .addTask(
            CoordinatedShutdown.PhaseBeforeServiceUnbind(),
            "farewell",
            () ->
                CompletableFuture.supplyAsync(
                    () -> {
                      for (int i = 0; i < 20; i++) {
                        front.tell(new Begin(), ActorRef.noSender());
                        answered(stage);
                      }
                      return Done.getInstance();
                    }));
    System.out.println("@farewell");
    Thread.sleep(Long.MAX_VALUE); // until the JVM is told to end
  }

  private static void answered(Stage stage) {
    try {
      stage.await(1);
      Thread.sleep(50); // a drained service has work for some time yet
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Four hundred traces of three messages each. */
  private static void manyBegins(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef front = stage.front("front", f -> back.tell(new Ping(), f.getSelf()));
    for (int i = 0; i < 400; i++) {
      front.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(400);
  }

  /** Numbers for metrics: ten pings and ten pongs; with an argument it waits for a line then. */
  private static void counted(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef front =
        stage.front(
            "front",
            f -> {
              for (int i = 0; i < 10; i++) {
                back.tell(new Ping(), f.getSelf());
              }
            });
    front.tell(new Begin(), ActorRef.noSender());
    stage.await(10);
    if (!stage.argument().isEmpty()) {
      System.out.println("@holding");
      System.in.read();
    }
  }

  /**
   * Sends everything back, for ever; signals when a message comes the hundredth time. Not at full
   * speed: on a busy machine what two actors can do without a pause does not fit into the rings.
   */
  static final class Rally extends AbstractActor {
    private static final long PAUSE_NANOS = 20_000;

    private final Stage stage;

    Rally(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                Work next = new Work(w.number() + 1);
                if (next.number() == 100) {
                  stage.signal();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
                getSender().tell(next, getSelf());
              })
          .build();
    }
  }

  static final class Watcher extends AbstractActor {
    private final Stage stage;

    Watcher(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Begin.class,
              b -> {
                ActorRef child = getContext().actorOf(Echo.props(), "child");
                getContext().watch(child);
                child.tell(PoisonPill.getInstance(), getSelf());
              })
          .match(Terminated.class, t -> stage.signal())
          .build();
    }
  }

  static final class Counter extends AbstractActor {
    private final Stage stage;
    private final int count;
    private int seen;

    Counter(Stage stage, int count) {
      this.stage = stage;
      this.count = count;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                if (++seen == count) {
                  stage.signal();
                }
              })
          .build();
    }
  }

  static final class Ender extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                if (w.number() > 0) {
                  getSelf().tell(new Work(w.number() - 1), getSelf());
                } else {
                  new Thread(() -> System.exit(0), "ends the JVM").start();
                }
              })
          .build();
    }
  }

  /** Sends back whatever it gets. */
  static final class Tireless extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(any -> getSender().tell(any, getSelf())).build();
    }
  }
}
