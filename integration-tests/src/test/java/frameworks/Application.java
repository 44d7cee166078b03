// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package frameworks;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.Patterns;

/** A classic actor is asked from outside, and tells a typed one, which answers. */
public final class Application {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private Application() {}

  /** {@code <name>}: runs until there is a line of input. */
  public static void main(String[] args) throws Exception {
    Runnable end = start(args[0]);
    System.in.read();
    end.run();
    System.exit(0);
  }

  /**
   * Starts an actor system and asks its actor.
   *
   * @return what ends it again
   */
  public static Runnable start(String name) throws Exception {
    ActorSystem system = ActorSystem.create(name);
    org.apache.pekko.actor.typed.ActorRef<Line> store =
        Adapter.spawn(system, Application.store(), "store");
    ActorRef desk = system.actorOf(Props.create(Desk.class, () -> new Desk(store)), "desk");
    Patterns.ask(desk, new Order(1), PATIENCE).toCompletableFuture().get();
    System.out.println("@ran " + name);
    return () -> end(system);
  }

  /** Waits on its own thread: one made for it would keep this class loader. */
  private static void end(ActorSystem system) {
    system.terminate();
    try {
      system.getWhenTerminated().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | InterruptedException | TimeoutException e) {
      throw new IllegalStateException("the actor system did not end", e);
    }
  }

  private static Behavior<Line> store() {
    return Behaviors.receiveMessage(
        line -> {
          line.customer().tell("stored", ActorRef.noSender());
          return Behaviors.same();
        });
  }

  /** The request. */
  record Order(int number) {}

  /** The stored part of it. */
  record Line(int number, ActorRef customer) {}

  /** Takes orders. */
  static final class Desk extends AbstractActor {
    private final org.apache.pekko.actor.typed.ActorRef<Line> store;

    Desk(org.apache.pekko.actor.typed.ActorRef<Line> store) {
      this.store = store;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Order.class, order -> store.tell(new Line(order.number(), getSender())))
          .build();
    }
  }
}
