// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
  private Histories() {}

  static void addTo(Map<String, Scenario> all) {
    all.put("history", Histories::history);
  }

  private static void history(Stage stage) throws Exception {
    Map<String, List<String>> book = new ConcurrentHashMap<>();
    ActorRef leftovers = stage.actor(Props.create(Leftovers.class, stage, book), "leftovers");
    stage.system().getEventStream().subscribe(leftovers, DeadLetter.class);
    stage.system().getEventStream().subscribe(leftovers, UnhandledMessage.class);
    ActorRef boss = stage.actor(Props.create(Boss.class, stage, book), "boss");
    boss.tell(new Open(), ActorRef.noSender());
    stage.await(1 + 4 + 2 + 1); // boss, pool, dead letters, unhandled
    stage.close();
    new TreeMap<>(book)
        .forEach(
            (who, lines) -> {
              int number = 0;
              for (String line : lines) {
                System.out.println("@history " + who + " " + number++ + " " + line);
              }
            });
  }

  private static void write(Map<String, List<String>> book, ActorRef who, String line) {
    book.computeIfAbsent(who.path().toStringWithoutAddress(), k -> new CopyOnWriteArrayList<>())
        .add(line);
  }

  private static String from(ActorRef sender) {
    return " from " + sender.path().toStringWithoutAddress();
  }

  /** Starts the others, sends, watches them end. */
  static final class Boss extends AbstractActor {
    private final Stage stage;
    private final Map<String, List<String>> book;
    private final List<ActorRef> workers = new ArrayList<>();

    Boss(Stage stage, Map<String, List<String>> book) {
      this.stage = stage;
      this.book = book;
    }

    @Override
    public SupervisorStrategy supervisorStrategy() {
      return new OneForOneStrategy(
          100,
          Duration.ofMinutes(1),
          t -> {
            write(book, getSelf(), "decides on " + t.getMessage() + from(getSender()));
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
          .matchAny(m -> write(book, getSelf(), m + from(getSender())))
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
          getContext()
              .actorOf(new RoundRobinPool(4).props(Props.create(Poolee.class, stage, book)));
      for (int i = 0; i < 40; i++) {
        pool.tell(new Work(i), getSelf());
      }
    }

    private void ended(ActorRef worker) {
      write(book, getSelf(), "terminated" + from(worker));
      worker.tell(new Ping(), getSelf());
      worker.tell(new Work(-1), getSelf());
      stage.signal();
    }
  }

  /** Stashes every third piece of work until it is told to open, and fails when it is told to. */
  static final class Worker extends AbstractActorWithStash {
    private final Map<String, List<String>> book;

    Worker(Map<String, List<String>> book) {
      this.book = book;
    }

    @Override
    public void preStart() {
      write(book, getSelf(), "starts");
    }

    @Override
    public void postStop() {
      write(book, getSelf(), "stops");
    }

    @Override
    public void preRestart(Throwable reason, java.util.Optional<Object> message) throws Exception {
      write(book, getSelf(), "restarts, " + reason.getMessage() + ", " + message);
      super.preRestart(reason, message);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> w.number() % 3 == 0, w -> stash())
          .match(
              Open.class,
              o -> {
                write(book, getSelf(), "opens");
                getContext().become(open());
                unstashAll();
              })
          .match(Work.class, w -> write(book, getSelf(), "shut " + w + from(getSender())))
          .match(Boom.class, this::fail)
          .build();
    }

    private Receive open() {
      return receiveBuilder()
          .match(Work.class, w -> write(book, getSelf(), "open " + w + from(getSender())))
          .match(Boom.class, this::fail)
          .build();
    }

    private void fail(Boom boom) {
      write(book, getSelf(), "fails " + boom.text() + from(getSender()));
      if (boom.text().endsWith("87")) {
        throw new IllegalArgumentException(boom.text());
      }
      throw new IllegalStateException(boom.text());
    }
  }

  static final class Poolee extends AbstractActor {
    private final Stage stage;
    private final Map<String, List<String>> book;
    private int seen;

    Poolee(Stage stage, Map<String, List<String>> book) {
      this.stage = stage;
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                write(book, getSelf(), w + from(getSender()));
                if (++seen == 10) {
                  stage.signal();
                }
              })
          .build();
    }
  }

  static final class Leftovers extends AbstractActor {
    private final Stage stage;
    private final Map<String, List<String>> book;

    Leftovers(Stage stage, Map<String, List<String>> book) {
      this.stage = stage;
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              DeadLetter.class,
              d -> {
                write(
                    book, getSelf(), "dead " + d.message() + " to " + d.recipient().path().name());
                stage.signal();
              })
          .match(
              UnhandledMessage.class,
              u -> {
                write(book, getSelf(), "unhandled " + u.getMessage());
                stage.signal();
              })
          .build();
    }
  }
}
