// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.typed.javadsl.ActorFlow;
import org.apache.pekko.stream.typed.javadsl.ActorSink;
import org.apache.pekko.stream.typed.javadsl.ActorSource;
import org.apache.pekko.util.Timeout;
import scenarios.Messages.Done;
import scenarios.Messages.Tick;
import scenarios.Messages.Work;

/**
 * Streams whose elements end at the actor {@code sink}. Where an element has to wait in one, it
 * does so until the actors before it have all sent theirs.
 */
public final class Streaming {
  private static final String TWO =
      """
      process Begin at /user/front
        process Work at /user/sink
        process Work at /user/sink
      """;

  /** Messages of three actors are three traces. */
  private static final String OF_THREE =
      """
      process Begin at /user/a
        process Work at /user/sink
      process Begin at /user/b
        process Work at /user/sink
      process Begin at /user/c
        process Work at /user/sink
      """;

  private static final Duration LONG = Duration.ofSeconds(90);
  private static final Duration SOON = Duration.ofMillis(20);
  private static final List<String> THREE = List.of("a", "b", "c");

  private Streaming() {}

  public static void addTo(Scenes all) {
    all.add("stream-materialised", s -> inActor(s, numbers()), TWO);
    all.add(
        "stream-outside",
        Streaming::outside,
        """
        process Work at /user/sink
        process Work at /user/sink
        """);
    all.add("stream-async", s -> inActor(s, numbers().async().map(w -> w).async()), TWO);
    all.add(
        "stream-map-async",
        s -> inActor(s, numbers().mapAsync(2, w -> CompletableFuture.supplyAsync(() -> w))),
        TWO);
    all.add(
        "stream-ask",
        Streaming::ask,
        """
        process Begin at /user/front
          ask Work at /user/back
            process Work at /user/back from /temp
          ask Work at /user/back
            process Work at /user/back from /temp
          process Done at /user/sink
          process Done at /user/sink
        """);
    all.add(
        "stream-tick",
        Streaming::tick,
        """
        process Begin at /user/front
        process Tick at /user/sink, tick after process Begin
        process Tick at /user/sink, tick after process Begin
        """);
    all.add("stream-queue", Streaming::queue, OF_THREE);
    all.add(
        "stream-queue-behind", Streaming::queueBehind, OF_THREE + "process Work at /user/sink\n");
    all.add(
        "streams-off",
        s -> queueBehind(s.with("deimos.tracing.streams.enabled = off")),
        """
        process Begin at /user/a
        process Begin at /user/b
        process Begin at /user/c
        process Work at /user/sink
        process Work at /user/sink
        process Work at /user/sink
        process Work at /user/sink
        """);
    all.add("stream-queue-slow", Streaming::slowQueue, OF_THREE);
    all.add("stream-order", Streaming::order, OF_THREE);
    all.add("stream-actor-source", Streaming::actorSource, OF_THREE);
    all.add(
        "stream-actor-source-acked",
        Streaming::actorSourceAcked,
        """
        process Begin at /user/a
          process Acked at /user/a
          process Work at /user/sink
        process Begin at /user/b
          process Acked at /user/b
          process Work at /user/sink
        """);
    all.add("stream-actor-sink", Streaming::actorSink, OF_THREE);
    all.add(
        "stream-actor-sink-acked",
        Streaming::actorSinkAcked,
        """
        process Begin at /user/front
          process Hello at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Work at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Work at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Work at /user/sink from /system/Materializers/StreamSupervisor-$/$$
            process Completed at /user/sink from /system/Materializers/StreamSupervisor-$/$$
        """);
    all.add("stream-typed", Streaming::typed, OF_THREE);
    all.add(
        "stream-typed-ask",
        Streaming::typedAsk,
        """
        process Begin at /user/front
          ask Question at /user/back
            process Question at /user/back from /temp
          ask Question at /user/back
            process Question at /user/back from /temp
          process Answer at /user/sink
          process Answer at /user/sink
        """);
    all.add(
        "stream-typed-source-acked",
        Streaming::typedSourceAcked,
        """
        process Begin at /user/a
          process Acked at /user/acks
          process Work at /user/sink
        process Begin at /user/b
          process Acked at /user/acks
          process Work at /user/sink
        """);
    all.add(
        "stream-typed-sink-acked",
        Streaming::typedSinkAcked,
        """
        process Begin at /user/front
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
          process Item at /user/sink from /system/Materializers/StreamSupervisor-$/$$
            process Completed at /user/sink from /system/Materializers/StreamSupervisor-$/$$
        """);
    all.add(
        "stream-buffer",
        s -> waiting(s, THREE, in -> in.buffer(8, OverflowStrategy.backpressure())),
        OF_THREE);
    all.add(
        "stream-conflate",
        s -> waiting(s, List.of("a", "b"), in -> in.conflate((last, next) -> next)),
        """
        process Begin at /user/a
          process Work at /user/sink
        process Begin at /user/b
          process Work at /user/sink
        """);
    all.add("stream-zip", Streaming::zip, OF_THREE + "process Begin at /user/right\n");
  }

  record Hello() {}

  record Acked() {}

  record Completed() {}

  /** An element, or what comes before all, with the address for its acknowledgement. */
  record Item(Object what, org.apache.pekko.actor.typed.ActorRef<Acked> acks) {}

  private static Source<Work, ?> numbers() {
    return Source.range(1, 2).map(Work::new);
  }

  private static ActorRef sink(Stage stage) {
    return stage.front("sink", f -> {});
  }

  /** The stream is started, and fed, by the message that the actor works on. */
  private static void inActor(Stage stage, Source<Work, ?> source) throws Exception {
    ActorRef sink = sink(stage);
    stage.start(
        "front", f -> source.runForeach(w -> sink.tell(w, ActorRef.noSender()), stage.system()));
    stage.await(2);
  }

  private static void outside(Stage stage) throws Exception {
    ActorRef sink = sink(stage);
    numbers().runForeach(w -> sink.tell(w, ActorRef.noSender()), stage.system());
    stage.await(2);
  }

  private static void ask(Stage stage) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef sink = sink(stage);
    stage.start(
        "front",
        f ->
            numbers()
                .ask(2, back, Done.class, Timeout.create(LONG))
                .runForeach(d -> sink.tell(d, ActorRef.noSender()), stage.system()));
    stage.await(2);
  }

  private static void tick(Stage stage) throws Exception {
    ActorRef sink = sink(stage);
    stage.start(
        "front",
        f ->
            Source.tick(SOON, SOON, new Tick())
                .take(2)
                .runForeach(t -> sink.tell(t, ActorRef.noSender()), stage.system()));
    stage.await(2);
  }

  /** Three actors send one element each, and none gets through before all are sent. */
  private static void three(
      Stage stage, CompletableFuture<Void> gate, java.util.function.BiConsumer<Front, Work> send)
      throws Exception {
    each(stage, THREE, send);
    gate.complete(null);
    stage.await(3);
  }

  private static void each(
      Stage stage, List<String> names, java.util.function.BiConsumer<Front, Work> send)
      throws Exception {
    for (String name : names) {
      stage.start(
          name,
          f -> {
            send.accept(f, new Work(name.charAt(0)));
            stage.signal();
          });
      stage.await(1);
    }
  }

  /** All but the first element wait in a stage, behind which nothing is wanted. */
  private static void waiting(
      Stage stage, List<String> names, UnaryOperator<Source<Work, BoundedSourceQueue<Work>>> in)
      throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    var queue =
        in.apply(Source.<Work>queue(8))
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    each(stage, names, (f, w) -> queue.offer(w));
    gate.complete(null);
    stage.await(names.size());
  }

  /** An element of one side waits for a later one of the other. */
  private static void zip(Stage stage) throws Exception {
    ActorRef sink = sink(stage);
    var right = Source.<Work>queue(8).preMaterialize(stage.system());
    var left =
        Source.<Work>queue(8)
            .zipWith(right.second(), (w, other) -> w)
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    each(stage, THREE, (f, w) -> left.offer(w));
    stage.start("right", f -> THREE.forEach(name -> right.first().offer(new Work(0))));
    stage.await(3);
  }

  private static void queue(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    var queue =
        Source.<Work>queue(8)
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    three(stage, gate, (f, w) -> queue.offer(w));
  }

  /** Messages of actors wait behind an element that nobody sent, until that may go on. */
  private static void queueBehind(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    CompletableFuture<Void> first = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    var queue =
        Source.<Work>queue(8)
            .mapAsync(
                1,
                w -> {
                  first.complete(null);
                  return gate.thenApply(open -> w);
                })
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    queue.offer(new Work('x'));
    first.get(LONG.toSeconds(), TimeUnit.SECONDS);
    each(stage, THREE, (f, w) -> queue.offer(w));
    gate.complete(null);
    stage.await(4);
  }

  private static void slowQueue(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    var queue =
        Source.<Work>queue(8, OverflowStrategy.backpressure())
            .async()
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .async()
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    three(stage, gate, (f, w) -> queue.offer(w));
  }

  /** The ask for the first element comes last, and its element goes on first. */
  private static void order(Stage stage) throws Exception {
    CompletableFuture<Void> first = new CompletableFuture<>();
    CompletableFuture<Void> others = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    var queue =
        Source.<Work>queue(8)
            .mapAsync(3, w -> (w.number() == 'a' ? first : others).thenApply(open -> w))
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    CompletableFuture<Void> both = new CompletableFuture<>();
    var unused =
        both.thenRun(
            () -> {
              others.complete(null);
              first.complete(null);
            });
    three(stage, both, (f, w) -> queue.offer(w));
  }

  private static void actorSource(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    ActorRef source =
        Source.<Work>actorRef(
                end -> Optional.empty(), failure -> Optional.empty(), 8, OverflowStrategy.fail())
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    three(stage, gate, (f, w) -> source.tell(w, f.getSelf()));
  }

  /** The second element is sent once the first is acknowledged, and waits in the source. */
  private static void actorSourceAcked(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    ActorRef source =
        Source.<Work>actorRefWithBackpressure(
                new Acked(), end -> Optional.empty(), failure -> Optional.empty())
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    stage.start("a", f -> source.tell(new Work(1), f.getSelf()));
    stage.await(1); // acknowledged
    stage.start(
        "b",
        f -> {
          source.tell(new Work(2), f.getSelf());
          stage.signal();
        });
    stage.await(1);
    gate.complete(null);
    stage.await(3); // both are through, and the second is acknowledged
  }

  private static void actorSink(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    var queue =
        Source.<Work>queue(8)
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .to(Sink.actorRef(sink, new Completed()))
            .run(stage.system());
    three(stage, gate, (f, w) -> queue.offer(w));
  }

  /** Each element is sent when the one before is acknowledged, and has nothing else of it. */
  private static void actorSinkAcked(Stage stage) throws Exception {
    ActorRef sink = stage.actor(Props.create(Acking.class, () -> new Acking(stage)), "sink");
    stage.start(
        "front",
        f ->
            Source.range(1, 3)
                .map(Work::new)
                .to(
                    Sink.actorRefWithBackpressure(
                        sink, new Hello(), new Acked(), new Completed(), failure -> failure))
                .run(stage.system()));
    stage.await(5);
  }

  private static void typed(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    org.apache.pekko.actor.typed.ActorRef<Object> sink = signalling(stage, "sink");
    org.apache.pekko.actor.typed.ActorRef<Object> source =
        ActorSource.<Object>actorRef(
                m -> m instanceof Completed, m -> Optional.empty(), 8, OverflowStrategy.fail())
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .to(ActorSink.actorRef(sink, new Completed(), failure -> failure))
            .run(stage.system());
    three(stage, gate, (f, w) -> source.tell(w));
  }

  private static org.apache.pekko.actor.typed.ActorRef<Object> signalling(
      Stage stage, String named) {
    return stage.typed(
        Behaviors.<Object>receiveMessage(
            m -> {
              if (m instanceof Item item) {
                item.acks().tell(new Acked());
              }
              stage.signal();
              return Behaviors.same();
            }),
        named);
  }

  private static void typedAsk(Stage stage) throws Exception {
    var back = stage.typed(Server.create(), "back");
    ActorRef sink = sink(stage);
    stage.start(
        "front",
        f ->
            numbers()
                .via(
                    ActorFlow.<Work, Server.Command, Server.Answer>ask(
                        back, LONG, (w, replyTo) -> new Server.Question(w.number(), replyTo)))
                .runForeach(a -> sink.tell(a, ActorRef.noSender()), stage.system()));
    stage.await(2);
  }

  /** The second element is sent once the first is acknowledged, and waits in the source. */
  private static void typedSourceAcked(Stage stage) throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ActorRef sink = sink(stage);
    org.apache.pekko.actor.typed.ActorRef<Work> source =
        ActorSource.<Work, Object>actorRefWithBackpressure(
                signalling(stage, "acks"),
                new Acked(),
                m -> Optional.empty(),
                m -> Optional.empty())
            .mapAsync(1, w -> gate.thenApply(open -> w))
            .to(Sink.foreach(w -> sink.tell(w, ActorRef.noSender())))
            .run(stage.system());
    stage.start("a", f -> source.tell(new Work(1)));
    stage.await(1); // acknowledged
    stage.start(
        "b",
        f -> {
          source.tell(new Work(2));
          stage.signal();
        });
    stage.await(1);
    gate.complete(null);
    stage.await(3); // both are through, and the second is acknowledged
  }

  /** Each element is sent when the one before is acknowledged, and has nothing else of it. */
  private static void typedSinkAcked(Stage stage) throws Exception {
    org.apache.pekko.actor.typed.ActorRef<Object> sink = signalling(stage, "sink");
    stage.start(
        "front",
        f ->
            Source.range(1, 3)
                .map(Work::new)
                .to(
                    ActorSink.<Work, Object, Acked>actorRefWithBackpressure(
                        sink,
                        (acks, w) -> new Item(w, acks),
                        acks -> new Item(new Hello(), acks),
                        new Acked(),
                        new Completed(),
                        failure -> failure))
                .run(stage.system()));
    stage.await(5);
  }

  /** Acknowledges what it gets, but for the end. */
  static final class Acking extends AbstractActor {
    private final Stage stage;

    Acking(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              m -> {
                if (!(m instanceof Completed)) {
                  getSender().tell(new Acked(), getSelf());
                }
                stage.signal();
              })
          .build();
    }
  }
}
