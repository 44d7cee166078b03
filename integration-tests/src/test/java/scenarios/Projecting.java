// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.persistence.query.Offset;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.projection.HandlerRecoveryStrategy;
import org.apache.pekko.projection.Projection;
import org.apache.pekko.projection.ProjectionBehavior;
import org.apache.pekko.projection.ProjectionContext;
import org.apache.pekko.projection.ProjectionId;
import org.apache.pekko.projection.eventsourced.EventEnvelope;
import org.apache.pekko.projection.eventsourced.javadsl.EventSourcedProvider;
import org.apache.pekko.projection.javadsl.SourceProvider;
import org.apache.pekko.projection.jdbc.JdbcSession;
import org.apache.pekko.projection.jdbc.javadsl.JdbcHandler;
import org.apache.pekko.projection.jdbc.javadsl.JdbcProjection;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.javadsl.FlowWithContext;
import org.apache.pekko.stream.javadsl.Source;
import scenarios.Persisting.Add;
import scenarios.Persisting.Added;

/**
 * Projections of an actor's events, which are in a database as in {@link Persisting}, with their
 * offsets beside them. The handler tells an actor what it is given.
 */
public final class Projecting {
  /** The command, and the recovery that was before; between them is the projection. */
  private static final String FORM =
      """
      process Begin at /user/front
        process Add at /user/cart
          persist Cart at /user/cart
      %s%srecover Cart at /user/cart
        load-snapshot Cart at /user/cart
      """;

  private static final String ADDED =
      """
            process Added at /user/cart
              process Done at /user/front
      """;

  private static final String ADDED_TWICE =
      """
            process Added at /user/cart
            process Added at /user/cart
              process Done at /user/front
      """;

  private static final Duration SOON = Duration.ofMillis(10);

  private Projecting() {}

  public static void addTo(Scenes all) {
    all.add(
        "project-each",
        s -> events(s, 1, Projecting::each),
        FORM.formatted(
            ADDED,
            """
            project project-each, projection after persist Cart
              process Seen at /user/reader
            """));
    all.add(
        "project-retried",
        s -> events(s, 1, Projecting::retried),
        FORM.formatted(
            ADDED,
            """
            project project-retried, projection after persist Cart
              process Seen at /user/reader
            """));
    all.add(
        "project-skipped",
        s -> events(s, 2, Projecting::skipped),
        FORM.formatted(
            ADDED_TWICE,
            """
            project project-skipped ! java.lang.IllegalStateException, projection after persist Cart
            project project-skipped, projection after persist Cart
              process Seen at /user/reader
            """));
    all.add(
        "project-group",
        s -> events(s, 2, Projecting::group),
        FORM.formatted(
            ADDED_TWICE,
            """
            project project-group, projection after persist Cart, projection after persist Cart
              process Seen at /user/reader
            """));
    all.add(
        "project-flow",
        s -> events(s, 1, Projecting::flow),
        FORM.formatted(
            ADDED,
            """
            project project-flow, projection after persist Cart
              process Seen at /user/reader
            """));
    all.add(
        "project-restarted",
        s -> events(s, 1, Projecting::restarted),
        FORM.formatted(
            ADDED,
            """
            project project-restarted ! java.lang.IllegalStateException, projection after persist Cart
            project project-restarted ! java.lang.IllegalStateException, projection after persist Cart
            project project-restarted, projection after persist Cart
              process Seen at /user/reader
            """));
    all.add(
        "project-other",
        Projecting::other,
        """
        process Begin at /user/front
          project project-other
            process Seen at /user/reader
        """);
  }

  /** The messages for the actor. */
  record Seen(int number) implements java.io.Serializable {}

  private interface Kind {
    Projection<EventEnvelope<Added>> of(
        Stage stage,
        ActorSystem<?> system,
        SourceProvider<Offset, EventEnvelope<Added>> source,
        ActorRef reader);
  }

  private static void events(Stage stage, int events, Kind kind) throws Exception {
    database(stage);
    org.apache.pekko.actor.typed.ActorRef<Add> cart =
        stage.typed(new Cart(stage, stage.name()), "cart");
    stage.await(1);
    ActorSystem<Void> system = Adapter.toTyped(stage.system());
    Begun source =
        new Begun(EventSourcedProvider.eventsByTag(system, "jdbc-read-journal", stage.name()));
    org.apache.pekko.actor.typed.ActorRef<ProjectionBehavior.Command> projection =
        stage.typed(
            ProjectionBehavior.create(kind.of(stage, system, source, reader(stage))), "projection");
    source.begun.get(90, TimeUnit.SECONDS);
    // One signal when all is written, and one from the projection.
    stage.beginTyped(2, context -> cart.tell(new Add(events, context.getSelf().narrow())));
    end(projection);
  }

  /** Waits until it has stored where it is. */
  private static void end(
      org.apache.pekko.actor.typed.ActorRef<ProjectionBehavior.Command> projection)
      throws Exception {
    Patterns.gracefulStop(
            Adapter.toClassic(projection), Stage.PATIENCE, ProjectionBehavior.stopMessage())
        .toCompletableFuture()
        .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static ActorRef reader(Stage stage) {
    return stage.actor(Props.create(Reader.class, () -> new Reader(stage)), "reader");
  }

  private static void database(Stage stage) throws Exception {
    boolean postgres = stage.argument().contains("postgresql");
    stage.with(
        """
        jdbc-read-journal { use-shared-db = "slick", refresh-interval = 50ms }
        pekko.projection.jdbc.dialect = "%s"
        pekko.projection.jdbc.blocking-jdbc-dispatcher.thread-pool-executor.fixed-pool-size = 2
        pekko.projection.restart-backoff { min-backoff = 50ms, max-backoff = 100ms }
        pekko.projection.at-least-once.save-offset-after-envelopes = 1
        pekko.projection.grouped { group-after-envelopes = 2, group-after-duration = 10s }
        """
            .formatted(postgres ? "postgres-dialect" : "h2-dialect"));
    Persisting.database(stage);
    JdbcProjection.createTablesIfNotExists(session(stage), Adapter.toTyped(stage.system()))
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
  }

  private static Supplier<Session> session(Stage stage) {
    return () -> new Session(stage.argument());
  }

  private static ProjectionId id(Stage stage) {
    return ProjectionId.of(stage.name(), "all");
  }

  private static Projection<EventEnvelope<Added>> each(
      Stage stage,
      ActorSystem<?> system,
      SourceProvider<Offset, EventEnvelope<Added>> source,
      ActorRef reader) {
    return JdbcProjection.exactlyOnce(
        id(stage), source, session(stage), () -> new Telling(reader, 0), system);
  }

  private static Projection<EventEnvelope<Added>> retried(
      Stage stage,
      ActorSystem<?> system,
      SourceProvider<Offset, EventEnvelope<Added>> source,
      ActorRef reader) {
    return JdbcProjection.atLeastOnce(
            id(stage), source, session(stage), () -> new Telling(reader, 1), system)
        .withRecoveryStrategy(HandlerRecoveryStrategy.retryAndFail(3, SOON));
  }

  private static Projection<EventEnvelope<Added>> skipped(
      Stage stage,
      ActorSystem<?> system,
      SourceProvider<Offset, EventEnvelope<Added>> source,
      ActorRef reader) {
    return JdbcProjection.exactlyOnce(
            id(stage), source, session(stage), () -> new Skipping(reader), system)
        .withRecoveryStrategy(HandlerRecoveryStrategy.retryAndSkip(1, SOON));
  }

  private static Projection<EventEnvelope<Added>> group(
      Stage stage,
      ActorSystem<?> system,
      SourceProvider<Offset, EventEnvelope<Added>> source,
      ActorRef reader) {
    return JdbcProjection.groupedWithin(
        id(stage), source, session(stage), () -> new TellingGroups(reader), system);
  }

  private static Projection<EventEnvelope<Added>> flow(
      Stage stage,
      ActorSystem<?> system,
      SourceProvider<Offset, EventEnvelope<Added>> source,
      ActorRef reader) {
    FlowWithContext<EventEnvelope<Added>, ProjectionContext, Done, ProjectionContext, NotUsed>
        told =
            FlowWithContext.<EventEnvelope<Added>, ProjectionContext>create()
                .map(
                    envelope -> {
                      reader.tell(new Seen(1), ActorRef.noSender());
                      return Done.getInstance();
                    });
    return JdbcProjection.atLeastOnceFlow(id(stage), source, session(stage), told, system);
  }

  /** Fails twice, and each time is begun anew. */
  private static Projection<EventEnvelope<Added>> restarted(
      Stage stage,
      ActorSystem<?> system,
      SourceProvider<Offset, EventEnvelope<Added>> source,
      ActorRef reader) {
    Telling telling = new Telling(reader, 2);
    return JdbcProjection.exactlyOnce(id(stage), source, session(stage), () -> telling, system)
        .withRecoveryStrategy(HandlerRecoveryStrategy.fail());
  }

  /** An element that is no event of a journal, and comes from an actor's message. */
  private static void other(Stage stage) throws Exception {
    database(stage);
    Queued source = new Queued();
    ActorRef reader = reader(stage);
    org.apache.pekko.actor.typed.ActorRef<ProjectionBehavior.Command> projection =
        stage.typed(
            ProjectionBehavior.create(
                JdbcProjection.exactlyOnce(
                    id(stage),
                    source,
                    session(stage),
                    () -> new TellingNumbers(reader),
                    Adapter.toTyped(stage.system()))),
            "projection");
    source.started.get(90, TimeUnit.SECONDS);
    stage.begin(1, f -> source.queue().offer(1));
    end(projection);
  }

  /** One that always fails, one that is behind, and one that has stopped. */
  static void alarms(Stage stage) throws Exception {
    ActorSystem<Void> system = Adapter.toTyped(stage.system());
    Supplier<Session> session =
        () -> new Session("jdbc:h2:mem:alarms;DATABASE_TO_UPPER=false;DB_CLOSE_DELAY=-1");
    JdbcProjection.createTablesIfNotExists(session, system)
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
    ActorRef reader = stage.actor(Props.create(Reader.class, () -> new Reader(stage)), "reader");
    for (String name : List.of("broken", "late", "stopped")) {
      org.apache.pekko.actor.typed.ActorRef<ProjectionBehavior.Command> projection =
          stage.typed(
              ProjectionBehavior.create(
                  JdbcProjection.exactlyOnce(
                      ProjectionId.of(name, "0"),
                      new Late(),
                      session,
                      () -> name.equals("broken") ? new Broken() : new TellingNumbers(reader),
                      system)),
              "projection-" + name);
      if (name.equals("stopped")) {
        stage.await(1);
        end(projection);
      }
    }
  }

  /** Gives numbers that are two minutes old. */
  private static final class Late extends SourceProvider<Long, Integer> {
    @Override
    public CompletionStage<Source<Integer, NotUsed>> source(
        Supplier<CompletionStage<java.util.Optional<Long>>> offset) {
      return CompletableFuture.completedFuture(
          Source.tick(SOON, Duration.ofMillis(100), 1)
              .mapMaterializedValue(ticks -> NotUsed.getInstance()));
    }

    @Override
    public Long extractOffset(Integer number) {
      return number.longValue();
    }

    @Override
    public long extractCreationTime(Integer number) {
      return System.currentTimeMillis() - 120_000;
    }
  }

  private static final class Broken extends JdbcHandler<Integer, Session> {
    @Override
    public void process(Session session, Integer number) {
      throw new IllegalStateException("on purpose");
    }
  }

  static final class Reader extends AbstractActor {
    private final Stage stage;

    Reader(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Seen.class, seen -> stage.signal()).build();
    }
  }

  /** Tells of each, after so many failures. */
  private static final class Telling extends JdbcHandler<EventEnvelope<Added>, Session> {
    private final ActorRef reader;
    private final int failures;
    private final AtomicInteger attempts = new AtomicInteger();

    Telling(ActorRef reader, int failures) {
      this.reader = reader;
      this.failures = failures;
    }

    @Override
    public void process(Session session, EventEnvelope<Added> envelope) {
      if (attempts.incrementAndGet() <= failures) {
        throw new IllegalStateException("on purpose");
      }
      reader.tell(new Seen(1), ActorRef.noSender());
    }
  }

  /** Fails on the first event, and tells of the others. */
  private static final class Skipping extends JdbcHandler<EventEnvelope<Added>, Session> {
    private final ActorRef reader;

    Skipping(ActorRef reader) {
      this.reader = reader;
    }

    @Override
    public void process(Session session, EventEnvelope<Added> envelope) {
      if (envelope.event().number() == 1) {
        throw new IllegalStateException("on purpose");
      }
      reader.tell(new Seen(1), ActorRef.noSender());
    }
  }

  private static final class TellingGroups
      extends JdbcHandler<List<EventEnvelope<Added>>, Session> {
    private final ActorRef reader;

    TellingGroups(ActorRef reader) {
      this.reader = reader;
    }

    @Override
    public void process(Session session, List<EventEnvelope<Added>> envelopes) {
      reader.tell(new Seen(envelopes.size()), ActorRef.noSender());
    }
  }

  private static final class TellingNumbers extends JdbcHandler<Integer, Session> {
    private final ActorRef reader;

    TellingNumbers(ActorRef reader) {
      this.reader = reader;
    }

    @Override
    public void process(Session session, Integer number) {
      reader.tell(new Seen(number), ActorRef.noSender());
    }
  }

  /** Says when a projection has begun to read. */
  private static final class Begun extends SourceProvider<Offset, EventEnvelope<Added>> {
    final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final SourceProvider<Offset, EventEnvelope<Added>> source;

    Begun(SourceProvider<Offset, EventEnvelope<Added>> source) {
      this.source = source;
    }

    @Override
    public CompletionStage<Source<EventEnvelope<Added>, NotUsed>> source(
        Supplier<CompletionStage<java.util.Optional<Offset>>> offset) {
      begun.complete(true);
      return source.source(offset);
    }

    @Override
    public Offset extractOffset(EventEnvelope<Added> envelope) {
      return source.extractOffset(envelope);
    }

    @Override
    public long extractCreationTime(EventEnvelope<Added> envelope) {
      return source.extractCreationTime(envelope);
    }
  }

  /** Numbers that somebody puts into a queue. */
  private static final class Queued extends SourceProvider<Long, Integer> {
    final CompletableFuture<BoundedSourceQueue<Integer>> started = new CompletableFuture<>();

    BoundedSourceQueue<Integer> queue() {
      return started.join();
    }

    @Override
    public CompletionStage<Source<Integer, NotUsed>> source(
        Supplier<CompletionStage<java.util.Optional<Long>>> offset) {
      return offset
          .get()
          .thenApply(
              from ->
                  Source.<Integer>queue(10)
                      .mapMaterializedValue(
                          queue -> {
                            started.complete(queue);
                            return NotUsed.getInstance();
                          }));
    }

    @Override
    public Long extractOffset(Integer number) {
      return number.longValue();
    }

    @Override
    public long extractCreationTime(Integer number) {
      return 0;
    }
  }

  /** A connection of its own for each transaction. */
  static final class Session implements JdbcSession {
    private final Connection connection;

    Session(String url) {
      try {
        connection =
            DriverManager.getConnection(url, url.contains("postgresql") ? "deimos" : "sa", "");
        connection.setAutoCommit(false);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public <R> R withConnection(org.apache.pekko.japi.function.Function<Connection, R> use)
        throws Exception {
      return use.apply(connection);
    }

    @Override
    public void commit() throws SQLException {
      connection.commit();
    }

    @Override
    public void rollback() throws SQLException {
      connection.rollback();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /** As {@link Persisting}'s, with a tag. */
  private static final class Cart extends Sourced<Add, Added> {
    private final Stage stage;

    Cart(Stage stage, String id) {
      super(stage, id);
      this.stage = stage;
    }

    @Override
    public CommandHandler<Add, Added, Integer> commandHandler() {
      return (state, add) -> {
        List<Added> added = new ArrayList<>();
        for (int i = 1; i <= add.events(); i++) {
          added.add(new Added(i));
        }
        return Effect().persist(added).thenRun(() -> add.replyTo().tell(new Messages.Done(1)));
      };
    }

    @Override
    public Set<String> tagsFor(Added event) {
      return Set.of(stage.name());
    }
  }
}
