// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a real actor system, since it is Pekko's own wrappers that have to be looked through. */
class ActorClassTest {
  private static final String THIS = ActorClassTest.class.getName();
  private static @Nullable ActorSystem system;

  /** Asks the actor to complete this when it has handled it. */
  record Question(CompletableFuture<String> answer) {}

  @BeforeAll
  static void startSystem() {
    system = ActorSystem.create("classes");
  }

  @AfterAll
  static void stopSystem() throws Exception {
    if (system != null) {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
    }
  }

  private static <T> T running(@Nullable T value) {
    if (value == null) {
      throw new AssertionError("no system");
    }
    return value;
  }

  private static @Nullable String nameOf(Behavior<Question> behavior) throws Exception {
    ActorRef<Question> ref = Adapter.spawnAnonymous(running(system), behavior);
    Question question = new Question(new CompletableFuture<>());
    ref.tell(question);
    question.answer.get(90, TimeUnit.SECONDS);
    return ActorClass.name(actorOf(Adapter.toClassic(ref)));
  }

  private static Behavior<Question> answered(Question question) {
    question.answer.complete("");
    return Behaviors.same();
  }

  static final class ClassBehavior extends AbstractBehavior<Question> {
    ClassBehavior(ActorContext<Question> context) {
      super(context);
    }

    @Override
    public Receive<Question> createReceive() {
      return newReceiveBuilder().onMessage(Question.class, ActorClassTest::answered).build();
    }
  }

  static final class Functions {
    private Functions() {}

    static Behavior<Question> receive() {
      return Behaviors.receive((context, question) -> answered(question));
    }

    static Behavior<Question> receiveMessage() {
      return Behaviors.receiveMessage(question -> answered(question));
    }

    static Behavior<Question> built() {
      return Behaviors.receive(Question.class)
          .onMessage(Question.class, question -> answered(question))
          .build();
    }

    static Behavior<Question> withSignals() {
      return Behaviors.receive(
          (context, question) -> answered(question), (context, signal) -> Behaviors.same());
    }
  }

  static final class Signals {
    private Signals() {}

    static Behavior<Question> onSignalOnly() {
      return Behaviors.receive(Question.class)
          .onSignal(PostStop.class, signal -> Behaviors.same())
          .build();
    }
  }

  static final class Classic extends AbstractActor {
    @Override
    public AbstractActor.Receive createReceive() {
      return receiveBuilder().build();
    }
  }

  @Test
  void name_abstractBehavior_itsClass() throws Exception {
    assertThat(nameOf(Behaviors.setup(ClassBehavior::new))).isEqualTo(THIS + "$ClassBehavior");
  }

  @Test
  void name_functions_theClassTheyStandIn() throws Exception {
    assertThat(nameOf(Functions.receive())).isEqualTo(THIS + "$Functions");
    assertThat(nameOf(Functions.receiveMessage())).isEqualTo(THIS + "$Functions");
    assertThat(nameOf(Functions.built())).isEqualTo(THIS + "$Functions");
    assertThat(nameOf(Functions.withSignals())).isEqualTo(THIS + "$Functions");
  }

  @Test
  void name_setup_whatItBecomes() throws Exception {
    assertThat(nameOf(Behaviors.setup(context -> Functions.receive())))
        .isEqualTo(THIS + "$Functions");
  }

  @Test
  void name_nestedSupervision_whatIsSupervised() throws Exception {
    Behavior<Question> supervised =
        Behaviors.supervise(
                Behaviors.supervise(Behaviors.setup(ClassBehavior::new))
                    .onFailure(IllegalStateException.class, SupervisorStrategy.restart()))
            .onFailure(
                RuntimeException.class,
                SupervisorStrategy.restartWithBackoff(
                    Duration.ofMillis(10), Duration.ofMillis(20), 0));
    assertThat(nameOf(supervised)).isEqualTo(THIS + "$ClassBehavior");
  }

  @Test
  void name_timersAndStash_whatTheyAreGivenTo() throws Exception {
    assertThat(nameOf(Behaviors.withTimers(timers -> Functions.receiveMessage())))
        .isEqualTo(THIS + "$Functions");
    assertThat(nameOf(Behaviors.withStash(10, stash -> Functions.receive())))
        .isEqualTo(THIS + "$Functions");
  }

  @Test
  void name_logged_whatIsLogged() throws Exception {
    assertThat(nameOf(Behaviors.logMessages(Functions.receive()))).isEqualTo(THIS + "$Functions");
  }

  @Test
  void name_onlySignals_theClassTheyStandIn() throws Exception {
    Object actor = started(Signals.onSignalOnly());
    assertThat(ActorClass.name(actor)).isEqualTo(THIS + "$Signals");
  }

  @Test
  void name_pekkosOwnBehavior_isPekkos() throws Exception {
    assertThat(ActorClass.name(started(Behaviors.ignore()))).startsWith("org.apache.pekko.");
    assertThat(ActorClass.name(started(Routers.pool(1, Functions.receive()))))
        .startsWith("org.apache.pekko.");
  }

  @Test
  void name_functionThatHoldsAUsersObject_isNotThatObjects() throws Exception {
    // Pekko's own function holds the user's partial function, and that a record of the user's.
    Question held = new Question(new CompletableFuture<>());
    Behavior<Question> holding =
        Behaviors.receiveMessage(
            question -> {
              held.answer.complete("");
              return answered(question);
            });
    assertThat(nameOf(holding)).isEqualTo(THIS);
  }

  @Test
  void name_classicActor_itsClass() throws Exception {
    org.apache.pekko.actor.ActorRef ref = running(system).actorOf(Props.create(Classic.class));
    assertThat(ActorClass.name(actorOf(ref))).isEqualTo(THIS + "$Classic");
  }

  @Test
  void owner_lambdasAndObjects_theClassAround() {
    Runnable lambda = () -> {};
    Object anonymous = new Object() {};
    assertThat(ActorClass.owner(lambda.getClass())).isEqualTo(THIS);
    assertThat(ActorClass.owner(anonymous.getClass())).isEqualTo(THIS);
    assertThat(ActorClass.owner(Question.class)).isEqualTo(THIS + "$Question");
  }

  private static Object started(Behavior<Question> behavior) throws Exception {
    ActorRef<Question> ref = Adapter.spawnAnonymous(running(system), behavior);
    Object actor = actorOf(Adapter.toClassic(ref));
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (ActorClass.name(actor) == null && System.nanoTime() - until < 0) {
      Thread.onSpinWait(); // it is made before it is started
    }
    return actor;
  }

  /** Waits until the cell has its actor, which another thread makes. */
  private static Object actorOf(org.apache.pekko.actor.ActorRef ref) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (System.nanoTime() - until < 0) {
      Object actor =
          ((ActorRefWithCell) ref).underlying() instanceof ActorCell cell ? cell.actor() : null;
      if (actor != null) {
        return actor;
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no actor behind " + ref);
  }
}
