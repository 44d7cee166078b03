// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.artery.ArteryTransport;
import wire.Messages.Done;

/** Questions to another node that have no answer, since something is wrong with the node. */
final class UnansweredRows {
  private UnansweredRows() {}

  static void addTo(Rows all) {
    all.add("ask-nobody", UnansweredRows::askNobody);
    all.add("ask-quarantined", UnansweredRows::askQuarantined);
    all.add("ask-unreachable", UnansweredRows::askUnreachable);
    all.add("select-nobody", UnansweredRows::selectNobody);
    all.add("select-unreachable", UnansweredRows::selectUnreachable);
  }

  private static void askNobody(Stage stage) throws Exception {
    ask(stage, provider(stage).resolveActorRef(nobody(stage, 1)), patience(stage));
  }

  /** Not the same node, at which classic remoting would not try again so soon. */
  private static void selectNobody(Stage stage) throws Exception {
    select(stage, stage.system().actorSelection(nobody(stage, 2)), patience(stage));
  }

  /** No node listens at such a port. */
  private static String nobody(Stage stage, int port) {
    Address peer = stage.peer();
    return peer.protocol() + "://" + peer.system() + "@127.0.0.1:" + port + "/user/echo";
  }

  /** Classic remoting has to find out that there is nobody. */
  private static Duration patience(Stage stage) {
    return Duration.ofMillis(stage.peer().protocol().equals("pekko") ? 500 : 2000);
  }

  /** Has to be the last that a system does with its peer. */
  private static void askQuarantined(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    ArteryTransport artery =
        (ArteryTransport) ((RemoteActorRefProvider) provider(stage)).transport();
    artery.association(stage.peer()).quarantine("the row wants it");
    ask(stage, echo, Duration.ofMillis(500));
  }

  /** Says that it found its peer, which then is to end, and waits until that is noticed. */
  private static void askUnreachable(Stage stage) throws Exception {
    ActorRef echo = stage.remote("/user/echo");
    stage.actor(Props.create(Watch.class, () -> new Watch(stage)), "-watch");
    System.out.println("@found " + stage.system().name());
    stage.await(1);
    ask(stage, echo, Duration.ofMillis(500));
  }

  /** After {@link #askUnreachable}. */
  private static void selectUnreachable(Stage stage) throws Exception {
    select(stage, stage.selection("/user/echo"), Duration.ofMillis(500));
  }

  private static void select(Stage stage, ActorSelection whom, Duration patience) throws Exception {
    stage.front(
        1,
        f ->
            Patterns.ask(whom, new Done(0), patience)
                .whenComplete((answer, failure) -> stage.signal()));
  }

  private static void ask(Stage stage, ActorRef whom, Duration patience) throws Exception {
    stage.front(
        1,
        f ->
            Patterns.ask(whom, new Done(0), patience)
                .whenComplete((answer, failure) -> stage.signal()));
  }

  private static ActorRefProvider provider(Stage stage) {
    return ((ExtendedActorSystem) stage.system()).provider();
  }

  /** Signals that the peer is unreachable. */
  static final class Watch extends AbstractActor {
    private final Stage stage;

    Watch(Stage stage) {
      this.stage = stage;
    }

    @Override
    public void preStart() {
      Cluster.get(getContext().getSystem())
          .subscribe(getSelf(), ClusterEvent.initialStateAsEvents(), UnreachableMember.class);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              UnreachableMember.class,
              lost -> lost.member().address().equals(stage.peer()),
              lost -> stage.signal())
          .matchAny(other -> {})
          .build();
    }
  }
}
