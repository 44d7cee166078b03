// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.deimos.api.AlwaysTraced;
import io.deimos.api.ContentRedactor;
import io.deimos.api.Deimos;
import io.deimos.api.InstrumentSettings;
import io.deimos.api.NeverMeasured;
import io.deimos.api.NeverTraced;
import io.deimos.api.TraceFilter;
import io.deimos.api.Untraced;
import io.opentelemetry.api.trace.Span;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;

/** Applications' code; the one group that uses a library of ours. */
final class Marked {
  private static final int LOOKS = 20;

  private Marked() {}

  static void addTo(Scenes all) {
    all.add("marked-messages", Marked::messages);
    all.add("marked-actors", Marked::actors);
    all.add("marked-props", Marked::props);
    all.add("marked-current", Marked::current);
    all.add("marked-filter", Marked::filter);
    all.add("marked-filter-looks", Marked::looks);
    all.add("marked-content", Marked::content);
    all.add("marked-content-late", Marked::content);
    all.add("marked-content-off", Marked::content);
  }

  /** Marked never, by an annotation. */
  @NeverTraced
  record Quiet() {}

  /** Marked never, by an interface, and not counted. */
  @NeverMeasured
  record Hushed() implements Untraced {}

  /** Marked always. */
  @AlwaysTraced
  record Loud() {}

  /** Messages that the filter does not want. */
  record Filtered() {}

  /** Answers each message, to the sender, by a ping. */
  static class Plain extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> getSender().tell(new Ping(), getSelf())).build();
    }
  }

  @NeverTraced
  static final class QuietActor extends Plain {}

  @AlwaysTraced
  static final class LoudActor extends Plain {}

  /** Found by a {@code ServiceLoader}. Looks at the context, which must not become anybody's. */
  public static final class NoFiltered implements TraceFilter {
    @Override
    public boolean shouldTrace(Object message, boolean alreadyInTrace) {
      boolean inTrace = Span.current().getSpanContext().isValid();
      if (inTrace != alreadyInTrace) {
        System.out.println("@filter " + alreadyInTrace + " but sees " + Span.current());
      }
      return !(message instanceof Filtered);
    }
  }

  /** Says something that nobody should see. */
  record Secret(String card) {}

  /** Cannot be printed. */
  static final class Unprintable {
    @Override
    public String toString() {
      throw new IllegalStateException("not to be printed");
    }
  }

  /** Changes when it is processed. */
  static final class Mutable {
    private volatile String state = "before";

    @Override
    public String toString() {
      return "Mutable " + state;
    }
  }

  /** Like {@link Mutable}, but rendered early whatever else is said. */
  static final class Fickle {
    private volatile String state = "before";

    @Override
    public String toString() {
      return "Fickle " + state;
    }
  }

  /** Hides digits; found by a {@code ServiceLoader}. */
  public static final class NoDigits implements ContentRedactor {
    @Override
    public String redact(Object message, String content) {
      return content.replaceAll("[0-9]", "#");
    }
  }

  /** Changes what can be changed, and answers. */
  static final class Changer extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              m -> {
                if (m instanceof Mutable mutable) {
                  mutable.state = "after";
                } else if (m instanceof Fickle fickle) {
                  fickle.state = "after";
                }
                getSender().tell(new Ping(), getSelf());
              })
          .build();
    }
  }

  private static void content(Stage stage) throws Exception {
    stage.with(stage.argument());
    send(
        stage,
        stage.actor(Props.create(Changer.class), "changer"),
        new Secret("4711"),
        new Secret("x".repeat(200)),
        new Unprintable(),
        new Mutable(),
        new Fickle());
  }

  private static void send(Stage stage, ActorRef to, Object... messages) throws Exception {
    stage.start(
        "front",
        f -> {
          for (Object message : messages) {
            to.tell(message, f.getSelf());
          }
        });
    stage.await(messages.length);
  }

  private static void messages(Stage stage) throws Exception {
    stage.with(stage.argument());
    send(
        stage,
        stage.actor(Props.create(Plain.class), "plain"),
        new Quiet(),
        new Hushed(),
        new Loud());
  }

  private static void actors(Stage stage) throws Exception {
    stage.with(stage.argument());
    ActorRef quiet = stage.actor(Props.create(QuietActor.class), "quiet");
    ActorRef loud = stage.actor(Props.create(LoudActor.class), "loud");
    stage.begin(
        2,
        f -> {
          quiet.tell(new Messages.Work(1), f.getSelf());
          loud.tell(new Messages.Work(2), f.getSelf());
        });
  }

  /** A classic and a typed actor that were told in code, with what lies below. */
  private static void props(Stage stage) throws Exception {
    InstrumentSettings off = InstrumentSettings.create().withTracing(false).withChildren(true);
    ActorRef middle =
        stage.actor(Deimos.instrument(Props.create(Controlled.Middle.class), off), "middle");
    Behavior<Object> echo =
        Behaviors.receive(
            (context, message) -> {
              ((ActorRef) message).tell(new Ping(), Adapter.toClassic(context.getSelf()));
              return Behaviors.same();
            });
    org.apache.pekko.actor.typed.ActorRef<Object> typed =
        Adapter.spawn(
            stage.system(),
            echo,
            "typed",
            Deimos.instrument(org.apache.pekko.actor.typed.Props.empty(), off));
    stage.begin(
        2,
        f -> {
          middle.tell(new Ping(), f.getSelf());
          typed.tell(f.getSelf());
        });
  }

  /** Uses the span and makes one of its own. */
  private static void current(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          var now = Deimos.current(f.getContext());
          now.span().setAttribute("mine", "yes");
          now.tracer().spanBuilder("own").startSpan().end();
          now.meter().counterBuilder("own.count").build().add(1);
          now.baggage();
          stage.signal();
        });
  }

  /** Messages from outside of all traces, each with a span of the user's inside. */
  private static void looks(Stage stage) throws Exception {
    AtomicInteger ended = new AtomicInteger();
    Set<String> traces = ConcurrentHashMap.newKeySet();
    ActorRef front =
        stage.front(
            "front",
            f -> {
              Span span = Span.current();
              traces.add(span.getSpanContext().getTraceId());
              if (!span.isRecording()) {
                ended.incrementAndGet();
              }
              Deimos.current(f.getContext()).tracer().spanBuilder("look").startSpan().end();
              stage.signal();
            });
    for (int i = 0; i < LOOKS; i++) {
      front.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(LOOKS);
    System.out.printf(
        "@looks in-another-trace=%d in-an-ended-span=%d%n", LOOKS - traces.size(), ended.get());
  }

  private static void filter(Stage stage) throws Exception {
    send(stage, stage.actor(Props.create(Plain.class), "plain"), new Filtered(), new Ping());
  }
}
