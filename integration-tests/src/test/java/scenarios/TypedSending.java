// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SpawnProtocol;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.GroupRouter;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;

/** Ways in which a typed actor sends. */
public final class TypedSending {
  private static final String TICKED =
      """
      process Start at /user/client
        process Ticked at /user/client
      """;

  private static final Duration LONG = Duration.ofSeconds(90);

  private TypedSending() {}

  public static void addTo(Scenes all) {
    all.add(
        "typed-tell",
        s -> begin(s, 1, Client::tell),
        """
        process Start at /user/client
          process Question at /user/server
            process Answer at /user/client/answers
        """);
    all.add(
        "typed-ask",
        s -> begin(s, 1, Client::ask),
        """
        process Start at /user/client
          ask Question at /user/server from /user/client
            process Question at /user/server
          process Adapted at /user/client
        """);
    all.add(
        "typed-ask-status",
        s -> begin(s, 1, Client::askStatus),
        """
        process Start at /user/client
          ask StatusQuestion at /user/server from /user/client
            process StatusQuestion at /user/server
          process Failed at /user/client
        """);
    all.add(
        "typed-ask-timeout",
        TypedSending::askInVain,
        """
        process Start at /user/client
          ask Ignored at /user/server from /user/client ! timeout, target processed
            process Ignored at /user/server
          process Failed at /user/client
        """);
    all.add(
        "typed-ask-outside",
        TypedSending::askOutside,
        """
        ask Question at /user/server
          process Question at /user/server
        """);
    all.add(
        "typed-adapter",
        s -> begin(s, 1, Client::adapter),
        """
        process Start at /user/client
          process Question at /user/server
            process Adapted at /user/client
        """);
    all.add(
        "typed-pipe",
        s -> begin(s, 1, Client::pipe),
        """
        process Start at /user/client
          process Adapted at /user/client
        """);
    all.add("typed-timer", s -> begin(s, 1, Client::timer), TICKED);
    all.add("typed-schedule", s -> begin(s, 1, Client::schedule), TICKED);
    all.add(
        "typed-event-stream",
        s -> begin(s, 1, Client::eventStream),
        """
        process Start at /user/client
          process Answer at /user/client/listener
        """);
    all.add(
        "typed-stash",
        TypedSending::stash,
        """
        process Start at /user/visitor
          process Enter at /user/gate
            process Enter at /user/gate, stashed
              process Answer at /user/answers
          process Enter at /user/gate
            process Enter at /user/gate, stashed
              process Answer at /user/answers
          process Open at /user/gate
        """);
    all.add(
        "typed-pool",
        TypedSending::pool,
        """
        process Start at /user/client
          process Question at /user/pool/$
            process Answer at /user/client/answers
        """);
    all.add(
        "typed-group",
        TypedSending::group,
        """
        process Listing at /user/listing
        process Start at /user/client
          process Question at /user/member
            process Answer at /user/client/answers
        """);
    all.add("typed-functional", TypedSending::functional);
    all.add(
        "typed-system",
        TypedSending::system,
        """
        ask Question at /user
          process Question at /user
        """);
    all.add(
        "typed-to-classic",
        TypedSending::toClassic,
        """
        process Begin at /user/typed
          process Ping at /user/back from /user/typed
            process Pong at /user/typed from /user/back
        """);
    all.add(
        "typed-spawn-protocol",
        TypedSending::spawnProtocol,
        """
        ask Question at /user/spawner/spawned
          process Question at /user/spawner/spawned
        """);
  }

  private static void begin(
      Stage stage, int signals, java.util.function.Function<Client, Behavior<Client.Command>> how)
      throws Exception {
    ActorRef<Server.Command> server = stage.typed(Server.create(), "server");
    stage
        .typed(
            Behaviors.<Client.Command>withTimers(
                timers ->
                    Behaviors.setup(context -> new Client(context, timers, stage, server, how))),
            "client")
        .tell(new Client.Start());
    stage.await(signals);
  }

  private static void askInVain(Stage stage) throws Exception {
    begin(stage, 1, Client::askInVain);
    stage.awaitTimers();
  }

  private static void askOutside(Stage stage) throws Exception {
    ActorRef<Server.Command> server = stage.typed(Server.create(), "server");
    AskPattern.<Server.Command, Server.Answer>ask(
            server,
            replyTo -> new Server.Question(1, replyTo),
            LONG,
            Adapter.toTyped(stage.system()).scheduler())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
  }

  private static void stash(Stage stage) throws Exception {
    ActorRef<Gate.Command> gate = stage.typed(Gate.create(), "gate");
    stage
        .typed(
            Behaviors.<Client.Command>receiveMessage(
                m -> {
                  if (m instanceof Client.Start) {
                    ActorRef<Server.Answer> here = stage.typed(answers(stage), "answers");
                    gate.tell(new Gate.Enter(1, here));
                    gate.tell(new Gate.Enter(2, here));
                    gate.tell(new Gate.Open());
                  }
                  return Behaviors.same();
                }),
            "visitor")
        .tell(new Client.Start());
    stage.await(2);
  }

  static Behavior<Server.Answer> answers(Stage stage) {
    return Behaviors.receiveMessage(
        answer -> {
          stage.signal();
          return Behaviors.same();
        });
  }

  private static void pool(Stage stage) throws Exception {
    viaRouter(stage, stage.typed(Routers.pool(2, Server.create()), "pool"));
  }

  private static void group(Stage stage) throws Exception {
    ServiceKey<Server.Command> key = ServiceKey.create(Server.Command.class, "server");
    ActorRef<Server.Command> server = stage.typed(Server.create(), "member");
    ActorSystem<Void> system = Adapter.toTyped(stage.system());
    system.receptionist().tell(Receptionist.register(key, server));
    GroupRouter<Server.Command> group = Routers.group(key);
    ActorRef<Server.Command> router = stage.typed(group, "group");
    stage.typed(Listing.create(stage, key), "listing");
    stage.await(1); // the receptionist knows the member
    viaRouter(stage, router);
  }

  private static void viaRouter(Stage stage, ActorRef<Server.Command> router) throws Exception {
    stage
        .typed(
            Behaviors.<Client.Command>withTimers(
                timers ->
                    Behaviors.setup(
                        context -> new Client(context, timers, stage, router, Client::tell))),
            "client")
        .tell(new Client.Start());
    stage.await(1);
  }

  private static void functional(Stage stage) throws Exception {
    stage
        .typed(
            Behaviors.receive(Server.Answer.class)
                .onMessage(
                    Server.Answer.class,
                    a -> {
                      stage.signal();
                      return Behaviors.same();
                    })
                .build(),
            "built")
        .tell(new Server.Answer(1));
    stage.typed(answers(stage), "lambda").tell(new Server.Answer(2));
    stage.await(2);
  }

  /** A system that is typed from its guardian on. */
  private static void system(Stage stage) throws Exception {
    ActorSystem<Server.Command> system =
        ActorSystem.create(Server.create(), "typed-system", stage.config());
    try {
      AskPattern.<Server.Command, Server.Answer>ask(
              system, replyTo -> new Server.Question(1, replyTo), LONG, system.scheduler())
          .toCompletableFuture()
          .get(90, TimeUnit.SECONDS);
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
    }
  }

  private static void toClassic(Stage stage) throws Exception {
    org.apache.pekko.actor.ActorRef back = stage.actor(Echo.props(), "back");
    stage
        .typed(
            Behaviors.<Object>setup(
                context ->
                    Behaviors.receiveMessage(
                        m -> {
                          if (m instanceof Messages.Begin) {
                            back.tell(new Messages.Ping(), Adapter.toClassic(context.getSelf()));
                          } else {
                            stage.signal();
                          }
                          return Behaviors.same();
                        })),
            "typed")
        .tell(new Messages.Begin());
    stage.await(1);
  }

  private static void spawnProtocol(Stage stage) throws Exception {
    ActorRef<SpawnProtocol.Command> spawner = stage.typed(SpawnProtocol.create(), "spawner");
    ActorSystem<Void> system = Adapter.toTyped(stage.system());
    ActorRef<Server.Command> server =
        AskPattern.<SpawnProtocol.Command, ActorRef<Server.Command>>ask(
                spawner,
                replyTo ->
                    new SpawnProtocol.Spawn<>(
                        Server.create(),
                        "spawned",
                        org.apache.pekko.actor.typed.Props.empty(),
                        replyTo),
                LONG,
                system.scheduler())
            .toCompletableFuture()
            .get(90, TimeUnit.SECONDS);
    AskPattern.<Server.Command, Server.Answer>ask(
            server, replyTo -> new Server.Question(1, replyTo), LONG, system.scheduler())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
  }
}
