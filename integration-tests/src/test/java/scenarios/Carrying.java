// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.dispatch.Futures;
import scala.concurrent.ExecutionContext;
import scenarios.Messages.Done;
import scenarios.Messages.Event;
import scenarios.Messages.Open;
import scenarios.Messages.Tick;

/**
 * Baggage where messages go on later: those of two customers meet in one actor, which writes into
 * each span whose baggage it finds.
 */
public final class Carrying {
  static final List<String> CUSTOMERS = List.of("c-1", "c-2");

  /** One customer's trace. */
  static final String DONE = once("Done at /user/noting");

  static final String TICK = once("Tick at /user/noting");

  private static final String STASHED =
      once("Event at /user/noting, stashed").repeat(2) + "process Open at /user/noting\n";

  private static final Duration SOON = Duration.ofMillis(20);

  private Carrying() {}

  static String once(String later) {
    return "process Event at /user/noting\n  process " + later + "\n";
  }

  public static void addTo(Scenes all) {
    classic(all, "tell", (a, e) -> a.getSelf().tell(new Done(1), ActorRef.noSender()), DONE);
    classic(all, "timer", (a, e) -> a.getTimers().startSingleTimer(e, new Tick(), SOON), TICK);
    classic(
        all,
        "future",
        (a, e) -> {
          ActorRef self = a.getSelf();
          onFuture(
              a.getContext().getDispatcher(), () -> self.tell(new Done(1), ActorRef.noSender()));
        },
        DONE);
    classic(
        all,
        "stage",
        (a, e) -> {
          ActorRef self = a.getSelf();
          onStage(() -> self.tell(new Done(1), ActorRef.noSender()));
        },
        DONE);
    typed(all, "tell", (a, e) -> a.context().getSelf().tell(new Done(1)), DONE);
    typed(all, "timer", (a, e) -> a.timers().startSingleTimer(e, new Tick(), SOON), TICK);
    typed(
        all,
        "future",
        (a, e) -> {
          var self = a.context().getSelf();
          onFuture(a.context().getExecutionContext(), () -> self.tell(new Done(1)));
        },
        DONE);
    typed(
        all,
        "stage",
        (a, e) -> {
          var self = a.context().getSelf();
          onStage(() -> self.tell(new Done(1)));
        },
        DONE);
    all.add("baggage-stash", Carrying::stash, STASHED);
    all.add("baggage-stash-typed", Carrying::stashTyped, STASHED);
  }

  private static void classic(Scenes all, String how, BiConsumer<Noting, Event> then, String once) {
    all.add("baggage-" + how, stage -> classic(stage, then), once + once);
  }

  static void classic(Stage stage, BiConsumer<Noting, Event> then) throws Exception {
    ActorRef noting =
        stage.actor(Props.create(Noting.class, () -> new Noting(stage, then)), "noting");
    customers(event -> noting.tell(event, ActorRef.noSender()));
    stage.await(2);
  }

  private static void typed(Scenes all, String how, BiConsumer<Typed, Event> then, String once) {
    all.add("baggage-" + how + "-typed", stage -> typed(stage, then), once + once);
  }

  static void typed(Stage stage, BiConsumer<Typed, Event> then) throws Exception {
    var noting = stage.typed(noting(stage, then), "noting");
    customers(noting::tell);
    stage.await(2);
  }

  private static void onFuture(ExecutionContext in, Runnable then) {
    Futures.future(() -> 1, in)
        .onComplete(
            one -> {
              then.run();
              return null;
            },
            in);
  }

  private static void onStage(Runnable then) {
    var unused = CompletableFuture.supplyAsync(() -> 1).thenAccept(one -> then.run());
  }

  private static void stash(Stage stage) throws Exception {
    ActorRef noting = stage.actor(Props.create(Stashing.class, stage), "noting");
    customers(event -> noting.tell(event, ActorRef.noSender()));
    noting.tell(new Open(), ActorRef.noSender());
    stage.await(2);
  }

  private static void stashTyped(Stage stage) throws Exception {
    var noting =
        stage.typed(
            Behaviors.<Object>withStash(
                10,
                stash ->
                    Behaviors.receiveMessage(
                        message -> {
                          note();
                          if (message instanceof Open) {
                            return stash.unstashAll(open(stage));
                          }
                          stash.stash(message);
                          return Behaviors.same();
                        })),
            "noting");
    customers(noting::tell);
    noting.tell(new Open());
    stage.await(2);
  }

  private static Behavior<Object> open(Stage stage) {
    return Behaviors.receiveMessage(
        message -> {
          note();
          stage.signal();
          return Behaviors.same();
        });
  }

  private static void customers(Consumer<Event> send) {
    for (String customer : CUSTOMERS) {
      try (Scope ignored = baggage(customer).makeCurrent()) {
        send.accept(new Event(customer));
      }
    }
  }

  static Context baggage(String customer) {
    Baggage baggage = Baggage.builder().put("customer", customer).build();
    return Context.current().with(baggage);
  }

  static void note() {
    String customer = Baggage.current().getEntryValue("customer");
    Span.current().setAttribute("customer", customer == null ? "none" : customer);
  }

  /** Does something with an event, and signals what comes of it. */
  static final class Noting extends AbstractActorWithTimers {
    private final Stage stage;
    private final BiConsumer<Noting, Event> then;

    Noting(Stage stage, BiConsumer<Noting, Event> then) {
      this.stage = stage;
      this.then = then;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Event.class,
              e -> {
                note();
                then.accept(this, e);
              })
          .matchAny(
              later -> {
                note();
                stage.signal();
              })
          .build();
    }
  }

  record Typed(ActorContext<Object> context, TimerScheduler<Object> timers) {}

  /** The same, typed. */
  static Behavior<Object> noting(Stage stage, BiConsumer<Typed, Event> then) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    Behaviors.receiveMessage(
                        message -> {
                          note();
                          if (message instanceof Event event) {
                            then.accept(new Typed(context, timers), event);
                          } else {
                            stage.signal();
                          }
                          return Behaviors.same();
                        })));
  }

  static final class Stashing extends AbstractActorWithStash {
    private final Stage stage;
    private boolean open;

    Stashing(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Open.class,
              o -> {
                note();
                open = true;
                unstashAll();
              })
          .match(
              Event.class,
              e -> {
                note();
                if (open) {
                  stage.signal();
                } else {
                  stash();
                }
              })
          .build();
    }
  }
}
