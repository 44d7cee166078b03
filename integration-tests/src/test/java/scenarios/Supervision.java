// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.OneForOneStrategy;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.actor.Terminated;
import scenarios.Messages.Begin;
import scenarios.Messages.Boom;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;

/** Classic actors that fail, and what their parents do about it. */
public final class Supervision {
  private static final String FAILS_AND_LIVES =
      """
      process Begin at /user/parent
        process Boom at /user/parent/child from /user/parent ! java.lang.IllegalStateException
        process Ping at /user/parent/child from /user/parent
          process Pong at /user/parent from /user/parent/child
      """;

  private static final String FAILS =
      """
      process Begin at /user/parent
        process Boom at /user/parent/child from /user/parent ! java.lang.IllegalStateException
      """;

  private Supervision() {}

  public static void addTo(Scenes all) {
    all.add("fail-restart", s -> fail(s, SupervisorStrategy.restart(), 2), FAILS_AND_LIVES);
    all.add("fail-restart-own", s -> fail(s, SupervisorStrategy.restart(), 2));
    all.add("fail-resume", s -> fail(s, SupervisorStrategy.resume(), 1), FAILS_AND_LIVES);
    all.add(
        "fail-stop",
        s -> fail(s, SupervisorStrategy.stop(), 1),
        FAILS + "process Terminated at /user/parent from /user/parent/child\n");
    all.add("fail-escalate", Supervision::escalate, FAILS);
    all.add(
        "fail-in-constructor",
        Supervision::failInConstructor,
        "process Terminated at /user/watcher from /user/broken\n");
    all.add(
        "fail-in-childs-constructor",
        Supervision::failInChildsConstructor,
        """
        process Begin at /user/front
          start Broken at /user/front/broken ! org.apache.pekko.actor.ActorInitializationException
        process Terminated at /user/front from /user/front/broken
        """);
  }

  /** The child is told to fail; if it lives on, it is asked for a sign of life. */
  private static void fail(Stage stage, SupervisorStrategy.Directive directive, int signals)
      throws Exception {
    stage.with(stage.argument());
    stage.start(Props.create(Parent.class, stage, directive), "parent");
    stage.await(signals);
  }

  private static void escalate(Stage stage) throws Exception {
    stage.start(Props.create(Parent.class, stage, SupervisorStrategy.escalate()), "parent");
    stage.await(1);
  }

  private static void failInConstructor(Stage stage) throws Exception {
    ActorRef broken = stage.actor(Props.create(Broken.class), "broken");
    stage.watch(broken, "watcher");
    stage.await(1);
  }

  private static void failInChildsConstructor(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          ActorRef child = f.getContext().actorOf(Props.create(Broken.class), "broken");
          f.getContext().watch(child);
        });
  }

  static final class Parent extends AbstractActor {
    private final Stage stage;
    private final SupervisorStrategy.Directive directive;

    Parent(Stage stage, SupervisorStrategy.Directive directive) {
      this.stage = stage;
      this.directive = directive;
    }

    @Override
    public SupervisorStrategy supervisorStrategy() {
      return new OneForOneStrategy(5, Duration.ofMinutes(1), t -> directive);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Begin.class,
              b -> {
                ActorRef child = getContext().actorOf(Props.create(Child.class, stage), "child");
                getContext().watch(child);
                child.tell(new Boom("as told"), getSelf());
                if (directive != SupervisorStrategy.stop()
                    && directive != SupervisorStrategy.escalate()) {
                  child.tell(new Ping(), getSelf());
                }
              })
          .match(Pong.class, p -> stage.signal())
          .match(Terminated.class, t -> stage.signal())
          .build();
    }

    @Override
    public void postRestart(Throwable reason) throws Exception {
      super.postRestart(reason);
      stage.signal();
    }
  }

  static final class Child extends AbstractActor {
    private final Stage stage;

    Child(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Boom.class,
              b -> {
                throw new IllegalStateException(b.text());
              })
          .match(Ping.class, p -> getSender().tell(new Pong(), getSelf()))
          .build();
    }

    @Override
    public void postRestart(Throwable reason) throws Exception {
      super.postRestart(reason);
      stage.signal();
    }
  }

  static final class Broken extends AbstractActor {
    Broken() {
      throw new IllegalArgumentException("never made");
    }

    @Override
    public Receive createReceive() {
      return emptyBehavior();
    }
  }
}
