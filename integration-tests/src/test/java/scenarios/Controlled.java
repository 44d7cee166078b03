// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;

/**
 * Users' control; each scenario's argument is HOCON for its actor system. Most do the same, so that
 * what differs is what was asked for.
 */
final class Controlled {
  private static final String[] SAME = {
    "tell",
    "user-off",
    "system-on",
    "deployment",
    "children",
    "starts",
    "never",
    "only",
    "unsampled",
    "events",
    "events-one",
    "messages",
    "metrics",
    "class-never",
    "class-always",
    "live-off",
    "live-on",
    "page-off"
  };

  private Controlled() {}

  static void addTo(Scenes all) {
    for (String name : SAME) {
      all.add("controlled-" + name, Controlled::tell);
    }
    all.add("controlled-inside", Controlled::inside);
    for (String how : new String[] {"", "-never", "-only"}) {
      all.add("controlled-asks" + how, Controlled::asks);
    }
    all.add("controlled-limited", Controlled::limited);
    all.add("controlled-singles", s -> singles(s, () -> {}));
    all.add(
        "controlled-singles-rich",
        s -> singles(s, () -> Span.current().setAttribute("rich", "yes")));
  }

  /** Front asks middle, which has its child answer. */
  private static void tell(Stage stage) throws Exception {
    begin(front(stage.with(stage.argument())), stage);
  }

  private static ActorRef front(Stage stage) {
    ActorRef middle = stage.actor(Props.create(Middle.class), "middle");
    return stage.front("front", f -> middle.tell(new Ping(), f.getSelf()));
  }

  private static void begin(ActorRef front, Stage stage) throws Exception {
    front.tell(new Begin(), ActorRef.noSender());
    stage.await(1);
  }

  /** Once outside of all traces, once inside one. */
  private static void inside(Stage stage) throws Exception {
    ActorRef front = front(stage.with(stage.argument()));
    begin(front, stage);
    Span request = GlobalOpenTelemetry.getTracer("app").spanBuilder("request").startSpan();
    try (Scope scope = request.makeCurrent()) {
      begin(front, stage);
    } finally {
      request.end();
    }
  }

  private static void asks(Stage stage) throws Exception {
    stage.with(stage.argument());
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.begin(
        1,
        f ->
            Patterns.ask(back, new Ping(), Duration.ofSeconds(90))
                .whenComplete((answer, failure) -> stage.signal()));
  }

  /** Begins three traces, one after another. */
  private static void limited(Stage stage) throws Exception {
    ActorRef front = front(stage.with(stage.argument()));
    for (int i = 0; i < 3; i++) {
      begin(front, stage);
    }
  }

  /** As many traces as the argument says, of one message each. */
  private static void singles(Stage stage, Runnable work) throws Exception {
    int count = Integer.parseInt(stage.argument());
    ActorRef front =
        stage.front(
            "front",
            f -> {
              work.run();
              stage.signal();
            });
    for (int i = 0; i < count; i++) {
      front.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(count);
  }

  static final class Middle extends AbstractActor {
    private final ActorRef child = getContext().actorOf(Echo.props(), "child");

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> child.forward(m, getContext())).build();
    }
  }
}
