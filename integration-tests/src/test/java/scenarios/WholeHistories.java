// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UnhandledMessage;

/**
 * More workloads that are written down as {@link Histories} is, one for each part of Pekko; with
 * each comes what was for nobody.
 */
final class WholeHistories {
  private WholeHistories() {}

  static void addTo(Scenes all) {
    all.add("history-asks", s -> write(s, "", b -> AskHistory.run(s, b)));
    all.add("history-typed-asks", s -> write(s, "", b -> TypedAskHistory.run(s, b)));
    all.add("history-timers", s -> write(s, "", b -> TimerHistory.run(s, b)));
    all.add("history-supervision", s -> write(s, "", b -> SupervisionHistory.run(s, b)));
    all.add(
        "history-promises", s -> write(s, PromiseHistory.SETTINGS, b -> PromiseHistory.run(s, b)));
    all.add("history-routes", s -> write(s, "", b -> RouteHistory.run(s, b)));
  }

  interface Body {
    void run(Book book) throws Exception;
  }

  static void write(Stage stage, String settings, Body body) throws Exception {
    stage.with(settings);
    if (stage.argument().equals("serialized")) {
      stage.with(Histories.SERIALIZED);
    }
    Book book = Book.open(stage);
    ActorRef remains = stage.actor(Props.create(Remains.class, book), "remains");
    for (Class<?> what :
        new Class<?>[] {DeadLetter.class, Dropped.class, UnhandledMessage.class, Last.class}) {
      stage.system().getEventStream().subscribe(remains, what);
    }
    try {
      body.run(book);
    } catch (Exception e) {
      book.print();
      throw e;
    }
    stage.system().getEventStream().publish(new Last());
    stage.await(1);
    stage.close();
    book.print();
  }

  static String sentBy(ActorRef sender) {
    return " from " + path(sender);
  }

  private static String path(ActorRef of) {
    return of.path().toStringWithoutAddress().replaceFirst("/temp/.*|/deadLetters", "/nobody");
  }

  /** Comes after all that was for nobody. */
  record Last() implements Serializable {}

  /** Writes down what was for nobody, by whom it was for; not what Pekko sends to itself. */
  static final class Remains extends AbstractActor {
    private final Book book;

    Remains(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(DeadLetter.class, d -> write("dead letters", d.message(), d.recipient()))
          .match(Dropped.class, d -> write("dropped", d.message(), d.recipient()))
          .match(UnhandledMessage.class, u -> write("unhandled", u.getMessage(), u.recipient()))
          .match(Last.class, l -> book.signal())
          .build();
    }

    private void write(String what, Object message, ActorRef to) {
      if (!message.getClass().getName().startsWith("org.apache.pekko.")) {
        book.write(what + " of " + path(to), message.toString().replaceAll("#-?[0-9]+", ""));
      }
    }
  }
}
