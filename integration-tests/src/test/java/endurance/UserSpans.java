// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** An endless loop whose handler opens a span of its own around each send. */
final class UserSpans implements Load {
  private final ActorRef loop;
  private final ActorRef far;

  UserSpans(ActorSystem system, ActorRef far) {
    this.far = far;
    loop = system.actorOf(Props.create(Loop.class, Loop::new), "loop");
    loop.tell(1, ActorRef.noSender());
  }

  @Override
  public String name() {
    return "user-spans";
  }

  @Override
  public long everyNanos() {
    return 10_000_000;
  }

  @Override
  @SuppressWarnings("try") // a scope is there to be closed
  public int once() {
    Span span = GlobalOpenTelemetry.getTracer("endurance").spanBuilder("request").startSpan();
    try (Scope scope = span.makeCurrent()) {
      far.tell("in a span", ActorRef.noSender());
    } finally {
      span.end();
    }
    return 1;
  }

  /** Some two thousand messages a second, for ever. */
  static final class Loop extends AbstractActor {
    private final Tracer tracer = GlobalOpenTelemetry.getTracer("endurance");

    @Override
    @SuppressWarnings("try") // as above
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              any -> {
                LockSupport.parkNanos(300_000);
                Span span = tracer.spanBuilder("step").startSpan();
                try (Scope scope = span.makeCurrent()) {
                  getSelf().tell(any, getSelf());
                } finally {
                  span.end();
                }
              })
          .build();
    }
  }
}
