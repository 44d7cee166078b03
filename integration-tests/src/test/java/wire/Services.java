// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import java.util.LinkedHashMap;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import scenarios.Tool;
import wire.Messages.Baggages;
import wire.Messages.Done;
import wire.Messages.Large;
import wire.Messages.Tracestates;
import wire.Messages.WhatBaggage;
import wire.Messages.WhatTracestate;
import wire.Messages.Work;

/** The services of every node for its peers. */
final class Services {
  private Services() {}

  static void start(ActorSystem system) {
    system.actorOf(Props.create(Echo.class), "echo");
    system.actorOf(Props.create(Echo.class), "echo-large");
    Adapter.spawn(system, typed(), "typed");
  }

  /** A question with the address for its answer, as typed actors ask. */
  record Question(int number, ActorRef<Done> replyTo, String token)
      implements java.io.Serializable {
    /** The number of a question that gets no answer. */
    static final int SILENT = 0;

    Question(int number, ActorRef<Done> replyTo) {
      this(number, replyTo, Tool.token());
    }
  }

  static Behavior<Question> typed() {
    return Behaviors.receive(Question.class)
        .onMessage(
            Question.class,
            q -> {
              Tool.seen(q.token());
              if (q.number() != Question.SILENT) {
                q.replyTo().tell(new Done(q.number(), q.token()));
              }
              return Behaviors.same();
            })
        .build();
  }

  /** The current contexts, in their order. */
  static String tracestate() {
    return new LinkedHashMap<>(Span.current().getSpanContext().getTraceState().asMap()).toString();
  }

  /** Answers. */
  static class Echo extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                Tool.seen(w.token());
                getSender().tell(new Done(w.number(), w.token()), getSelf());
              })
          .match(
              Large.class,
              l -> {
                Tool.seen(l.token());
                getSender().tell(new Done(l.bytes().length, l.token()), getSelf());
              })
          .match(
              WhatBaggage.class,
              b ->
                  getSender()
                      .tell(
                          new Baggages(String.valueOf(Baggage.current().getEntryValue("user"))),
                          getSelf()))
          .match(
              Messages.WhatUid.class,
              u -> getSender().tell(Quarantines.uid(getContext().getSystem()), getSelf()))
          .match(
              WhatTracestate.class,
              t -> getSender().tell(new Tracestates(Services.tracestate()), getSelf()))
          .build();
    }
  }
}
