// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import io.opentelemetry.api.GlobalOpenTelemetry;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Deploy;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.remote.RemoteScope;
import wire.Messages.Done;
import wire.Messages.Work;

/** Many traces over three nodes of a cluster, of which the last node fails in some. */
final class RelayRows {
  private static final int TRACES = 300;
  private static final int FAILS_EACH = 10;

  private RelayRows() {}

  static void addTo(Rows all) {
    all.add("relay", RelayRows::relay);
  }

  private static void relay(Stage stage) throws Exception {
    ActorRef last = at(third(stage), Props.create(Last.class), stage, "last");
    ActorRef middle = at(stage.peer(), Props.create(Hop.class, last), stage, "middle");
    ActorRef first = stage.actor(Props.create(Hop.class, middle));
    ActorRef front = stage.actor(Front.props(stage, f -> {}), "-answered");
    for (int i = 1; i <= TRACES; i++) {
      first.tell(new Work(i), ActorRef.noSender());
    }
    first.tell(new Work(TRACES + 1), front);
    stage.await(1);
  }

  private static Address third(Stage stage) {
    Cluster cluster = Cluster.get(stage.system());
    for (Member member : cluster.state().getMembers()) {
      if (!member.address().equals(cluster.selfAddress())
          && !member.address().equals(stage.peer())) {
        return member.address();
      }
    }
    throw new IllegalStateException("no third node: " + cluster.state().getMembers());
  }

  private static ActorRef at(Address node, Props props, Stage stage, String name) {
    return stage.actor(props.withDeploy(new Deploy(new RemoteScope(node))), "-" + name);
  }

  /** A span that the SDK makes, as other instrumentations do. */
  private static void query() {
    GlobalOpenTelemetry.getTracer("rows").spanBuilder("query").startSpan().end();
  }

  /** Hands on what it gets. */
  static final class Hop extends AbstractActor {
    private final ActorRef next;

    Hop(ActorRef next) {
      this.next = next;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work -> {
                query();
                next.forward(work, getContext());
              })
          .build();
    }
  }

  /** Fails at each tenth, and answers the last; nobody else learns of a failure. */
  static final class Last extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work -> {
                query();
                if (work.number() % FAILS_EACH == 0) {
                  throw new IllegalStateException("number " + work.number());
                }
                if (work.number() > TRACES) {
                  getSender().tell(new Done(work.number()), getSelf());
                }
              })
          .build();
    }
  }
}
