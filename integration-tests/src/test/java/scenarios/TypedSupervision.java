// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Typed actors that fail, with and without supervision. */
public final class TypedSupervision {
  private static final String TYPED_LIVES =
      """
      process Show at /user/user
        process Break at /user/fragile ! java.lang.IllegalStateException
        process Show at /user/fragile
      """;

  private static final String TYPED_BREAKS =
      "process Break at /user/fragile ! java.lang.IllegalStateException\n";

  private TypedSupervision() {}

  public static void addTo(Scenes all) {
    all.add("typed-restart", s -> failAndLive(s, SupervisorStrategy.restart()), TYPED_LIVES);
    all.add("typed-resume", s -> failAndLive(s, SupervisorStrategy.resume()), TYPED_LIVES);
    all.add("typed-stop", s -> failAndDie(s, true), TYPED_BREAKS);
    all.add("typed-unsupervised", s -> failAndDie(s, false), TYPED_BREAKS);
  }

  private static void failAndLive(Stage stage, SupervisorStrategy strategy) throws Exception {
    stage.with(stage.argument());
    ActorRef<Fragile.Command> fragile =
        stage.typed(
            Behaviors.supervise(Fragile.create(stage))
                .onFailure(IllegalStateException.class, strategy),
            "fragile");
    stage
        .typed(
            Behaviors.<Fragile.Command>receiveMessage(
                c -> {
                  fragile.tell(new Fragile.Break());
                  fragile.tell(new Fragile.Show());
                  return Behaviors.same();
                }),
            "user")
        .tell(new Fragile.Show());
    stage.await(1);
  }

  private static void failAndDie(Stage stage, boolean supervised) throws Exception {
    Behavior<Fragile.Command> behavior =
        supervised
            ? Behaviors.supervise(Fragile.create(stage))
                .onFailure(IllegalStateException.class, SupervisorStrategy.stop())
            : Fragile.create(stage);
    stage.typed(behavior, "fragile").tell(new Fragile.Break());
    stage.await(1);
  }

  /** Breaks when told; signals when asked to show itself, and when it has stopped. */
  static final class Fragile extends AbstractBehavior<Fragile.Command> {
    sealed interface Command {}

    record Break() implements Command {}

    record Show() implements Command {}

    private final Stage stage;

    private Fragile(ActorContext<Command> context, Stage stage) {
      super(context);
      this.stage = stage;
    }

    static Behavior<Command> create(Stage stage) {
      return Behaviors.setup(context -> new Fragile(context, stage));
    }

    @Override
    public Receive<Command> createReceive() {
      return newReceiveBuilder()
          .onMessage(
              Break.class,
              b -> {
                throw new IllegalStateException("broken");
              })
          .onMessage(
              Show.class,
              s -> {
                stage.signal();
                return this;
              })
          .onSignal(
              PostStop.class,
              s -> {
                stage.signal();
                return this;
              })
          .build();
    }
  }
}
