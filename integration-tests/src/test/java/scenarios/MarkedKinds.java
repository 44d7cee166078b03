// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import io.deimos.api.AlwaysTraced;
import io.deimos.api.Deimos;
import io.deimos.api.InstrumentSettings;
import io.deimos.api.NeverMeasured;
import io.deimos.api.NeverTraced;
import io.deimos.api.Traced;
import io.deimos.api.Unmeasured;
import io.deimos.api.Untraced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Ping;

/** Each mark, in each place where it may stand, against settings that say the contrary. */
final class MarkedKinds {
  private static final Duration LONG = Duration.ofSeconds(90);

  private MarkedKinds() {}

  static void addTo(Scenes all) {
    for (String how : new String[] {"on", "off", "deployed-on", "deployed-off"}) {
      all.add("marked-actors-" + how, s -> actors(s, InstrumentSettings.create()));
    }
    all.add("marked-actors-code-on", s -> actors(s, inCode(true)));
    all.add("marked-actors-code-off", s -> actors(s, inCode(false)));
    all.add("marked-messages-on", MarkedKinds::messages);
    all.add("marked-messages-off", MarkedKinds::messages);
    all.add("marked-asks", MarkedKinds::asks);
  }

  private static InstrumentSettings inCode(boolean on) {
    return InstrumentSettings.create().withTracing(on).withMetrics(on).withStartTraces(on);
  }

  /** Asks for an answer, whoever gets it. */
  record Job(ActorRef answerTo) {}

  private static void actors(Stage stage, InstrumentSettings inCode) throws Exception {
    stage.with(stage.argument());
    Map<String, Class<? extends AbstractActor>> classic = new LinkedHashMap<>();
    classic.put("quiet", Quiet.class);
    classic.put("untraced", UntracedActor.class);
    classic.put("heir", Heir.class);
    classic.put("both", Both.class);
    classic.put("loud", Loud.class);
    classic.put("traced", TracedActor.class);
    classic.put("uncounted", Uncounted.class);
    classic.put("unmeasured", UnmeasuredActor.class);
    Map<String, Behavior<Job>> typed = new LinkedHashMap<>();
    typed.put("typed-quiet", Behaviors.setup(TypedQuiet::new));
    typed.put("typed-functions", Functions.behavior());
    typed.put("typed-loud", Behaviors.setup(TypedLoud::new));
    typed.put("typed-uncounted", Behaviors.setup(TypedUncounted::new));
    List<ActorRef> all = new ArrayList<>();
    classic.forEach(
        (name, type) -> all.add(stage.actor(Deimos.instrument(Props.create(type), inCode), name)));
    typed.forEach(
        (name, behavior) ->
            all.add(
                Adapter.toClassic(
                    Adapter.spawn(
                        stage.system(),
                        behavior,
                        name,
                        Deimos.instrument(org.apache.pekko.actor.typed.Props.empty(), inCode)))));
    stage.begin(all.size(), f -> all.forEach(to -> to.tell(new Job(f.getSelf()), f.getSelf())));
  }

  private static void messages(Stage stage) throws Exception {
    stage.with(stage.argument());
    ActorRef plain = stage.actor(Props.create(Plain.class), "plain");
    List<Object> all =
        List.of(
            new Marked.Quiet(),
            new Marked.Hushed(),
            new HeirMessage(),
            new BothMessage(),
            new Marked.Loud(),
            new TracedMessage(),
            new UncountedMessage(),
            new UnmeasuredMessage());
    stage.begin(all.size(), f -> all.forEach(m -> plain.tell(m, f.getSelf())));
  }

  /** One question after another: without a span, and not counted. */
  private static void asks(Stage stage) throws Exception {
    stage.with(stage.argument());
    ActorRef plain = stage.actor(Props.create(Plain.class), "plain");
    stage.begin(
        2,
        f -> {
          for (Object question : new Object[] {new Marked.Quiet(), new UncountedMessage()}) {
            var unused =
                Patterns.ask(plain, question, LONG)
                    .whenComplete(
                        (answer, failure) -> {
                          if (answer instanceof Ping) {
                            stage.signal();
                          }
                        });
          }
        });
  }

  @NeverTraced
  static class Ancestor {}

  static final class HeirMessage extends Ancestor {}

  @AlwaysTraced
  record BothMessage() implements Untraced {}

  record TracedMessage() implements Traced {}

  @NeverMeasured
  record UncountedMessage() {}

  record UnmeasuredMessage() implements Unmeasured {}

  /** Answers each message by a ping. */
  static class Plain extends AbstractActor {
    @Override
    public AbstractActor.Receive createReceive() {
      return receiveBuilder()
          .match(Job.class, j -> j.answerTo().tell(new Ping(), getSelf()))
          .matchAny(m -> getSender().tell(new Ping(), getSelf()))
          .build();
    }
  }

  @NeverTraced
  static class Quiet extends Plain {}

  static final class Heir extends Quiet {}

  static final class UntracedActor extends Plain implements Untraced {}

  @AlwaysTraced
  static final class Both extends Plain implements Untraced {}

  @AlwaysTraced
  static final class Loud extends Plain {}

  static final class TracedActor extends Plain implements Traced {}

  @NeverMeasured
  static final class Uncounted extends Plain {}

  static final class UnmeasuredActor extends Plain implements Unmeasured {}

  private static void answer(ActorContext<Job> context, Job job) {
    job.answerTo().tell(new Ping(), Adapter.toClassic(context.getSelf()));
  }

  /** The same, typed. */
  static class TypedPlain extends AbstractBehavior<Job> {
    TypedPlain(ActorContext<Job> context) {
      super(context);
    }

    @Override
    public Receive<Job> createReceive() {
      return newReceiveBuilder()
          .onMessage(
              Job.class,
              job -> {
                answer(getContext(), job);
                return this;
              })
          .build();
    }
  }

  @NeverTraced
  static final class TypedQuiet extends TypedPlain {
    TypedQuiet(ActorContext<Job> context) {
      super(context);
    }
  }

  @AlwaysTraced
  static final class TypedLoud extends TypedPlain {
    TypedLoud(ActorContext<Job> context) {
      super(context);
    }
  }

  @NeverMeasured
  static final class TypedUncounted extends TypedPlain {
    TypedUncounted(ActorContext<Job> context) {
      super(context);
    }
  }

  /** No class of its own. */
  @NeverTraced
  static final class Functions {
    private Functions() {}

    static Behavior<Job> behavior() {
      return Behaviors.receive(
          (context, job) -> {
            answer(context, job);
            return Behaviors.same();
          });
    }
  }
}
