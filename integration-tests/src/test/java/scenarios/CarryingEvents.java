// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.context.Scope;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import scenarios.Messages.Done;
import scenarios.Messages.Event;

/** Baggage as in {@link Carrying}, over a write to the journal. */
public final class CarryingEvents {
  private CarryingEvents() {}

  private static String written(String actor) {
    return """
    process Event at /user/noting
      persist %1$s at /user/noting
        process Done at /user/noting
    process Event at /user/noting
      persist %1$s at /user/noting
        process Done at /user/noting
    recover %1$s at /user/noting
      load-snapshot %1$s at /user/noting
    """
        .formatted(actor);
  }

  public static void addTo(Scenes all) {
    all.add("baggage-persist", CarryingEvents::classic, written("Writing"));
    all.add("baggage-persist-typed", CarryingEvents::typed, written("TypedWriting"));
  }

  private static void classic(Stage stage) throws Exception {
    ActorRef noting =
        Persisting.inMemory(stage).actor(Props.create(Writing.class, stage), "noting");
    stage.await(1);
    for (String customer : Carrying.CUSTOMERS) {
      try (Scope ignored = Carrying.baggage(customer).makeCurrent()) {
        noting.tell(new Event(customer), ActorRef.noSender());
      }
      stage.await(1);
    }
  }

  private static void typed(Stage stage) throws Exception {
    var noting = Persisting.inMemory(stage).typed(new TypedWriting(stage), "noting");
    stage.await(1);
    for (String customer : Carrying.CUSTOMERS) {
      try (Scope ignored = Carrying.baggage(customer).makeCurrent()) {
        noting.tell(new Event(customer));
      }
      stage.await(1);
    }
  }

  static final class Writing extends AbstractPersistentActor {
    private final Stage stage;

    Writing(Stage stage) {
      this.stage = stage;
    }

    @Override
    public String persistenceId() {
      return "noting";
    }

    @Override
    public Receive createReceiveRecover() {
      return receiveBuilder().match(RecoveryCompleted.class, r -> stage.signal()).build();
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Event.class,
              e -> {
                Carrying.note();
                persist(
                    new Done(1),
                    d -> {
                      Carrying.note();
                      stage.signal();
                    });
              })
          .build();
    }
  }

  static final class TypedWriting extends Sourced<Event, Done> {
    private final Stage stage;

    TypedWriting(Stage stage) {
      super(stage, "noting");
      this.stage = stage;
    }

    @Override
    public CommandHandler<Event, Done, Integer> commandHandler() {
      return (state, event) -> {
        Carrying.note();
        return Effect()
            .persist(new Done(1))
            .thenRun(
                () -> {
                  Carrying.note();
                  stage.signal();
                });
      };
    }
  }
}
