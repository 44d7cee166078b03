// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.OneForOneStrategy;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.routing.RoundRobinPool;
import scenarios.Messages.Boom;
import scenarios.Messages.Open;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/**
 * A workload whose every step is written down by the actor that takes it: who got what from whom
 * and in which order, who failed, restarted, stopped, what was left over. Each actor's history
 * depends on nothing but Pekko's promises, so two runs must write the same.
 */
final class Histories {
  static final String SERIALIZED =
      """
      pekko.actor.serialize-messages = on
      pekko.actor.serialize-creators = on
      pekko.actor.allow-java-serialization = on
      pekko.actor.warn-about-java-serializer-usage = off
      """;

  private Histories() {}

  static void addTo(Scenes all) {
    all.add("history", Histories::history);
  }

  private static void history(Stage stage) throws Exception {
    if (stage.argument().equals("serialized")) {
      stage.with(SERIALIZED);
    }
    Book book = Book.open(stage);
    ActorRef leftovers = stage.actor(Props.create(Leftovers.class, book), "leftovers");
    stage.system().getEventStream().subscribe(leftovers, DeadLetter.class);
    stage.system().getEventStream().subscribe(leftovers, UnhandledMessage.class);
    ActorRef boss = stage.actor(Props.create(Boss.class, book), "boss");
    boss.tell(new Open(), ActorRef.noSender());
    stage.await(1 + 4 + 2 + 1); // boss, pool, dead letters, unhandled
    stage.typed(TypedHistory.boss(book), "typed-boss").tell(new Open());
    stage.await(1);
    stage.close();
    book.print();
  }

  private static String from(ActorRef sender) {
    return " from " + sender.path().toStringWithoutAddress();
  }

  /** Starts the others, sends, watches them end. */
  static final class Boss extends AbstractActor {
    private final Book book;
    private final List<ActorRef> workers = new ArrayList<>();

    Boss(Book book) {
      this.book = book;
    }

    @Override
    public SupervisorStrategy supervisorStrategy() {
      return new OneForOneStrategy(
          100,
          Duration.ofMinutes(1),
          t -> {
            book.write(getSelf(), "decides on " + t.getMessage() + from(getSender()));
            return t instanceof IllegalStateException
                ? SupervisorStrategy.restart()
                : SupervisorStrategy.resume();
          });
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Open.class, o -> open())
          .match(Terminated.class, t -> ended(t.getActor()))
          .matchAny(m -> book.write(getSelf(), m + from(getSender())))
          .build();
    }

    private void open() {
      ActorRef worker = getContext().actorOf(Props.create(Worker.class, book), "worker");
      getContext().watch(worker);
      workers.add(worker);
      for (int i = 0; i < 200; i++) {
        worker.tell(new Work(i), i % 2 == 0 ? getSelf() : ActorRef.noSender());
        if (i % 40 == 7) {
          worker.tell(new Boom("boom-" + i), getSelf());
        }
      }
      worker.tell(new Open(), getSelf());
      worker.tell("nobody handles a string", getSelf());
      worker.tell(PoisonPill.getInstance(), getSelf());
      ActorRef pool =
          getContext().actorOf(new RoundRobinPool(4).props(Props.create(Poolee.class, book)));
      for (int i = 0; i < 40; i++) {
        pool.tell(new Work(i), getSelf());
      }
    }

    private void ended(ActorRef worker) {
      book.write(getSelf(), "terminated" + from(worker));
      worker.tell(new Ping(), getSelf());
      worker.tell(new Work(-1), getSelf());
      book.signal();
    }
  }

  /** Stashes every third piece of work until it is told to open, and fails when it is told to. */
  static final class Worker extends AbstractActorWithStash {
    private final Book book;

    Worker(Book book) {
      this.book = book;
    }

    @Override
    public void preStart() {
      book.write(getSelf(), "starts");
    }

    @Override
    public void postStop() {
      book.write(getSelf(), "stops");
    }

    @Override
    public void preRestart(Throwable reason, java.util.Optional<Object> message) throws Exception {
      book.write(getSelf(), "restarts, " + reason.getMessage() + ", " + message);
      super.preRestart(reason, message);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> w.number() % 3 == 0, w -> stash())
          .match(
              Open.class,
              o -> {
                book.write(getSelf(), "opens");
                getContext().become(open());
                unstashAll();
              })
          .match(Work.class, w -> book.write(getSelf(), "shut " + w + from(getSender())))
          .match(Boom.class, this::fail)
          .build();
    }

    private Receive open() {
      return receiveBuilder()
          .match(Work.class, w -> book.write(getSelf(), "open " + w + from(getSender())))
          .match(Boom.class, this::fail)
          .build();
    }

    private void fail(Boom boom) {
      book.write(getSelf(), "fails " + boom.text() + from(getSender()));
      if (boom.text().endsWith("87")) {
        throw new IllegalArgumentException(boom.text());
      }
      throw new IllegalStateException(boom.text());
    }
  }

  static final class Poolee extends AbstractActor {
    private final Book book;
    private int seen;

    Poolee(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                book.write(getSelf(), w + from(getSender()));
                if (++seen == 10) {
                  book.signal();
                }
              })
          .build();
    }
  }

  static final class Leftovers extends AbstractActor {
    private final Book book;

    Leftovers(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              DeadLetter.class,
              d -> {
                book.write(getSelf(), "dead " + d.message() + " to " + d.recipient().path().name());
                book.signal();
              })
          .match(
              UnhandledMessage.class,
              u -> {
                book.write(getSelf(), "unhandled " + u.getMessage());
                book.signal();
              })
          .build();
    }
  }
}
