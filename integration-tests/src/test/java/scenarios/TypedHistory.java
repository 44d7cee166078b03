// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import scenarios.Messages.Done;
import scenarios.Messages.Open;

/** The same as {@link Histories} for typed actors. */
final class TypedHistory {
  private static final int TASKS = 100;

  private TypedHistory() {}

  record Task(int number, ActorRef<Object> replyTo) implements Serializable {}

  /** Has a worker do its tasks twice, restarted and resumed, and sees each of them end. */
  static Behavior<Object> boss(Book book) {
    return Behaviors.setup(
        context -> {
          String me = name(context);
          return Behaviors.receive(Object.class)
              .onMessage(
                  Open.class,
                  o -> {
                    work(context, "restarted", book, SupervisorStrategy.restart());
                    return Behaviors.same();
                  })
              .onMessage(
                  Done.class,
                  d -> {
                    book.write(me, d.toString());
                    return Behaviors.same();
                  })
              .onSignal(
                  Terminated.class,
                  t -> {
                    book.write(me, "terminated " + t.getRef().path().name());
                    if (t.getRef().path().name().equals("restarted")) {
                      work(context, "resumed", book, SupervisorStrategy.resume());
                    } else {
                      book.signal();
                    }
                    return Behaviors.same();
                  })
              .build();
        });
  }

  private static void work(
      ActorContext<Object> context, String name, Book book, SupervisorStrategy strategy) {
    ActorRef<Object> worker =
        context.spawn(
            Behaviors.supervise(
                    Behaviors.<Object>setup(
                        c -> Behaviors.withStash(TASKS, stash -> worker(c, stash, book))))
                .onFailure(IllegalStateException.class, strategy),
            name);
    context.watch(worker);
    for (int i = 0; i < TASKS; i++) {
      worker.tell(new Task(i, context.getSelf()));
    }
    worker.tell(new Open());
    worker.tell(new Task(TASKS, context.getSelf()));
    worker.tell("stop");
  }

  private static Behavior<Object> worker(
      ActorContext<Object> context, StashBuffer<Object> stash, Book book) {
    String me = name(context);
    book.write(me, "starts");
    return Behaviors.receive(Object.class)
        .onMessage(
            Task.class,
            t -> {
              if (t.number() % 20 == 13) {
                book.write(me, "fails at " + t.number());
                throw new IllegalStateException("at " + t.number());
              }
              if (t.number() % 3 == 0 && t.number() < TASKS) {
                stash.stash(t);
                return Behaviors.same();
              }
              book.write(me, "does " + t.number());
              t.replyTo().tell(new Done(t.number()));
              return Behaviors.same();
            })
        .onMessage(
            Open.class,
            o -> {
              book.write(me, "opens, has " + stash.size());
              return stash.unstashAll(open(book, me));
            })
        .onSignal(
            PreRestart.class,
            s -> {
              book.write(me, "restarts, had " + stash.size());
              return Behaviors.same();
            })
        .build();
  }

  static Behavior<Object> open(Book book, String me) {
    return Behaviors.receive(Object.class)
        .onMessage(
            Task.class,
            t -> {
              book.write(me, "does at last " + t.number());
              t.replyTo().tell(new Done(-t.number()));
              return Behaviors.same();
            })
        .onMessageEquals("stop", Behaviors::stopped)
        .onSignal(
            PostStop.class,
            s -> {
              book.write(me, "stops");
              return Behaviors.same();
            })
        .build();
  }

  static String name(ActorContext<Object> context) {
    return context.getSelf().path().toStringWithoutAddress();
  }
}
