// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import scala.concurrent.Promise;
import scenarios.Messages.Open;

/**
 * Two requests that meet in one actor, future or stream, and come apart again: each must go on in
 * its own trace. And what comes to an actor from outside after a request, in none.
 */
public final class Mixed {
  private Mixed() {}

  private static String stashed(String request) {
    return """
        %1$s
          process Open at /user/mixed
        %1$s
          process Piece at /user/mixed
            process Piece at /user/mixed, stashed
        %1$s
          process Piece at /user/mixed
            process Piece at /user/mixed, stashed
        """
        .formatted(request);
  }

  public static void addTo(Scenes all) {
    all.add(
        "mixed-stash",
        s -> stash(s, s.actor(Props.create(Stashing.class, s), "mixed")),
        stashed("mixed-stash"));
    all.add("mixed-stash-typed", Mixed::stashTyped, stashed("mixed-stash-typed"));
    all.add(
        "mixed-callbacks",
        Mixed::callbacks,
        """
        mixed-callbacks
          process Piece at /user/mixed
        """
            .repeat(10));
    all.add(
        "mixed-asks",
        Mixed::asks,
        """
        mixed-asks
          ask Piece at /user/late
            process Piece at /user/late from /temp
          process Piece at /user/mixed
        """
            .repeat(2));
    all.add("mixed-persist", Mixed::persist);
    all.add("mixed-persist-typed", Mixed::persistTyped);
    all.add("mixed-stream", Mixed::stream);
    all.add("made-in-request", Mixed::made);
    all.add("outside-after", s -> outsideAfter(s, false));
    all.add("outside-after-failure", s -> outsideAfter(s, true));
  }

  /** A piece of a request, which knows the request's trace. */
  record Piece(String token, int number) {
    Piece(int number) {
      this(Tool.token(), number);
    }

    void seen() {
      Tool.seen(token);
    }
  }

  private static void request(Stage stage, Tool.Row body) throws Exception {
    Tool.request(stage.name(), body);
  }

  /** On a thread that has no context of anybody's. */
  private static void outside(Runnable body) throws InterruptedException {
    Thread thread = new Thread(body);
    thread.start();
    thread.join();
  }

  private static void stash(Stage stage, ActorRef actor) throws Exception {
    for (int i = 0; i < 2; i++) {
      request(stage, () -> actor.tell(new Piece(1), ActorRef.noSender()));
    }
    request(stage, () -> actor.tell(new Open(), ActorRef.noSender()));
    stage.await(2);
  }

  private static void stashTyped(Stage stage) throws Exception {
    org.apache.pekko.actor.typed.ActorRef<Object> actor =
        stage.typed(
            Behaviors.withStash(
                10,
                stash ->
                    Behaviors.receiveMessage(
                        message -> {
                          if (message instanceof Open) {
                            return stash.unstashAll(open(stage));
                          }
                          stash.stash(message);
                          return Behaviors.same();
                        })),
            "mixed");
    for (int i = 0; i < 2; i++) {
      request(stage, () -> actor.tell(new Piece(1)));
    }
    request(stage, () -> actor.tell(new Open()));
    stage.await(2);
  }

  private static org.apache.pekko.actor.typed.Behavior<Object> open(Stage stage) {
    return Behaviors.receiveMessage(
        message -> {
          ((Piece) message).seen();
          stage.count();
          return Behaviors.same();
        });
  }

  /** All wait for one future, whose dispatcher runs them together. */
  private static void callbacks(Stage stage) throws Exception {
    Promise<Integer> promise = Futures.promise();
    ActorRef back = stage.actor(Props.create(Seeing.class, stage), "mixed");
    for (int i = 0; i < 10; i++) {
      request(
          stage,
          () -> {
            Piece piece = new Piece(1);
            promise
                .future()
                .onComplete(
                    answer -> {
                      back.tell(piece, ActorRef.noSender());
                      return null;
                    },
                    stage.system().dispatcher());
          });
    }
    outside(() -> promise.success(1));
    stage.await(10);
  }

  /** The first is answered while the second is processed. */
  private static void asks(Stage stage) throws Exception {
    ActorRef late = stage.actor(Props.create(Late.class), "late");
    ActorRef front = stage.actor(Props.create(Seeing.class, stage), "mixed");
    for (int i = 0; i < 2; i++) {
      request(
          stage,
          () ->
              Patterns.pipe(
                      Patterns.ask(late, new Piece(1), Stage.PATIENCE), stage.system().dispatcher())
                  .to(front));
    }
    stage.await(2);
  }

  private static void persist(Stage stage) throws Exception {
    stage.with("pekko.persistence.journal.plugin = pekko.persistence.journal.inmem");
    stage.with("pekko.persistence.snapshot-store.plugin = pekko.persistence.no-snapshot-store");
    ActorRef actor = stage.actor(Props.create(Account.class, stage), "mixed");
    for (int i = 0; i < 4; i++) {
      request(stage, () -> actor.tell(new Piece(1), ActorRef.noSender()));
    }
    stage.await(4);
  }

  private static void persistTyped(Stage stage) throws Exception {
    stage.with("pekko.persistence.journal.plugin = pekko.persistence.journal.inmem");
    stage.with("pekko.persistence.snapshot-store.plugin = pekko.persistence.no-snapshot-store");
    org.apache.pekko.actor.typed.ActorRef<Piece> actor = stage.typed(new Cart(stage), "mixed");
    for (int i = 0; i < 4; i++) {
      request(stage, () -> actor.tell(new Piece(1)));
    }
    stage.await(4);
  }

  /** Elements of two requests in one stream, which asks an actor for each. */
  private static void stream(Stage stage) throws Exception {
    ActorRef back = stage.actor(Props.create(Seeing.class, stage), "mixed");
    Materializer materializer = Materializer.createMaterializer(stage.system());
    var queue =
        Source.<Piece>queue(10, OverflowStrategy.backpressure())
            .mapAsync(
                1,
                piece ->
                    Patterns.ask(back, piece, Stage.PATIENCE).thenApply(answer -> (Piece) answer))
            .to(Sink.ignore())
            .run(materializer);
    for (int i = 0; i < 2; i++) {
      request(stage, () -> queue.offer(new Piece(1)).toCompletableFuture().join());
    }
    stage.await(2);
  }

  /** An actor that is made in a request, and sends before it has got a message. */
  private static void made(Stage stage) throws Exception {
    ActorRef back = stage.actor(Props.create(Seeing.class, stage), "back");
    for (int i = 0; i < 2; i++) {
      String name = "mixed-" + i;
      request(
          stage,
          () -> {
            Piece piece = new Piece(1);
            stage.actor(Props.create(Starting.class, () -> new Starting(back, piece)), name);
          });
    }
    stage.await(2);
  }

  private static void outsideAfter(Stage stage, boolean failing) throws Exception {
    ActorRef actor = stage.actor(Props.create(Seeing.class, stage), "mixed");
    String[] token = new String[1];
    request(
        stage,
        () -> {
          Piece piece = new Piece(failing ? -1 : 1);
          token[0] = piece.token();
          actor.tell(piece, ActorRef.noSender());
        });
    stage.await(1);
    String not = token[0] == null ? null : token[0].replace("=", "=!");
    for (int i = 0; i < 5; i++) {
      outside(() -> actor.tell(new Piece(not, 1), ActorRef.noSender()));
    }
    stage.await(5);
  }

  /** Sees; fails after that if the number is negative; answers who asks. */
  static final class Seeing extends AbstractActor {
    private final Stage stage;

    Seeing(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Piece.class,
              p -> {
                p.seen();
                stage.count();
                if (p.number() < 0) {
                  throw new IllegalStateException("as told");
                }
                if (!getSender().equals(getContext().getSystem().deadLetters())) {
                  getSender().tell(p, getSelf());
                }
              })
          .build();
    }
  }

  static final class Starting extends AbstractActor {
    private final ActorRef back;
    private final Piece piece;

    Starting(ActorRef back, Piece piece) {
      this.back = back;
      this.piece = piece;
    }

    @Override
    public void preStart() {
      back.tell(piece, ActorRef.noSender());
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().build();
    }
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
                open = true;
                unstashAll();
              })
          .match(Piece.class, p -> !open, p -> stash())
          .match(
              Piece.class,
              p -> {
                p.seen();
                stage.count();
              })
          .build();
    }
  }

  /** Answers the first when the second comes. */
  static final class Late extends AbstractActor {
    private final List<Runnable> answers = new ArrayList<>();

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Piece.class,
              p -> {
                ActorRef asker = getSender();
                answers.add(() -> asker.tell(p, getSelf()));
                if (answers.size() == 2) {
                  answers.forEach(Runnable::run);
                }
              })
          .build();
    }
  }

  static final class Account extends AbstractPersistentActor {
    private final Stage stage;

    Account(Stage stage) {
      this.stage = stage;
    }

    @Override
    public String persistenceId() {
      return "account";
    }

    @Override
    public Receive createReceiveRecover() {
      return receiveBuilder().build();
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Piece.class,
              p ->
                  persist(
                      "event",
                      e -> {
                        p.seen();
                        stage.count();
                      }))
          .build();
    }
  }

  static final class Cart extends EventSourcedBehavior<Piece, String, Integer> {
    private final Stage stage;

    Cart(Stage stage) {
      super(PersistenceId.ofUniqueId("cart"));
      this.stage = stage;
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<Piece, String, Integer> commandHandler() {
      return (state, piece) ->
          Effect()
              .persist("event")
              .thenRun(
                  () -> {
                    piece.seen();
                    stage.count();
                  });
    }

    @Override
    public EventHandler<Integer, String> eventHandler() {
      return (state, event) -> state + 1;
    }
  }
}
