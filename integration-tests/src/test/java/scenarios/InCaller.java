// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;

/**
 * A dispatcher with a bounded task queue: what it does not take runs on the sender's thread, in the
 * middle of the sender's own message.
 */
public final class InCaller {
  /** One is at work on the dispatcher's only thread, one is in its queue, all others are not. */
  private static final int ACTORS = 90;

  private InCaller() {}

  public static void addTo(Scenes all) {
    all.add("in-caller", InCaller::run);
  }

  private static void run(Stage stage) throws Exception {
    stage.with(
        """
        test-dispatcher {
          type = Dispatcher
          executor = thread-pool-executor
          thread-pool-executor { fixed-pool-size = 1, task-queue-type = array, task-queue-size = 1 }
        }
        """);
    Seen seen = new Seen();
    ActorRef[] backs = new ActorRef[ACTORS];
    for (int i = 0; i < ACTORS; i++) {
      backs[i] =
          stage.actor(
              Props.create(Back.class, () -> new Back(stage, seen))
                  .withDispatcher("test-dispatcher"),
              "back-" + i);
    }
    // Started by the front's dispatcher, one after another, so that only messages meet the bound.
    for (ActorRef back : backs) {
      back.tell(new Begin(), ActorRef.noSender());
      stage.await(1);
    }
    stage.begin(
        ACTORS,
        f -> {
          seen.caller = Thread.currentThread();
          Span own = GlobalOpenTelemetry.getTracer("shop").spanBuilder("own").startSpan();
          seen.callersSpan = own.getSpanContext().getSpanId();
          try (Scope ignored = own.makeCurrent()) {
            for (ActorRef back : backs) {
              back.tell(new Ping(), f.getSelf());
            }
            seen.scopeIsBack = isCurrent(own);
          } finally {
            own.end();
            seen.sent.countDown();
          }
        });
    System.out.printf(
        "@in-caller messages=%d without-span=%d scope-hidden=%d scope-left=%d callers-scope=%s%n",
        seen.inCaller.get(),
        seen.withoutSpan.get(),
        seen.scopeHidden.get(),
        seen.scopeLeft.get(),
        seen.scopeIsBack);
  }

  private static boolean isCurrent(Span span) {
    return Span.current().getSpanContext().getSpanId().equals(span.getSpanContext().getSpanId());
  }

  /** The contexts that the actors found. */
  private static final class Seen {
    private final CountDownLatch sent = new CountDownLatch(1);
    private final AtomicInteger inCaller = new AtomicInteger();
    private final AtomicInteger withoutSpan = new AtomicInteger();
    private final AtomicInteger scopeHidden = new AtomicInteger();
    private final AtomicInteger scopeLeft = new AtomicInteger();
    private volatile Thread caller;
    private volatile String callersSpan = "";
    private volatile boolean scopeIsBack;
  }

  static final class Back extends AbstractActor {
    private final Stage stage;
    private final Seen seen;

    Back(Stage stage, Seen seen) {
      this.stage = stage;
      this.seen = seen;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Begin.class, b -> stage.signal())
          .match(Ping.class, p -> take())
          .build();
    }

    private void take() throws InterruptedException {
      if (Thread.currentThread() == seen.caller) {
        seen.inCaller.incrementAndGet();
        look();
      } else {
        seen.sent.await(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS); // keeps the thread busy
      }
      stage.signal();
    }

    private void look() {
      Span span = Span.current();
      if (!span.getSpanContext().isValid()
          || span.getSpanContext().getSpanId().equals(seen.callersSpan)) {
        seen.withoutSpan.incrementAndGet();
      }
      Span mine = GlobalOpenTelemetry.getTracer("shop").spanBuilder("look").startSpan();
      try (Scope ignored = mine.makeCurrent()) {
        if (!isCurrent(mine)) {
          seen.scopeHidden.incrementAndGet();
        }
      } finally {
        mine.end();
      }
      if (isCurrent(mine)) {
        seen.scopeLeft.incrementAndGet();
      }
    }
  }
}
