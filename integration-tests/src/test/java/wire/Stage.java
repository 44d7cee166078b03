// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.Props;
import scenarios.Tool;

/** The tools of a row: */
final class Stage {
  static final Duration PATIENCE = Duration.ofSeconds(90);

  private final WireSystem wire;
  private final String row;
  private final String peer;
  private final Semaphore signals = new Semaphore(0);

  Stage(WireSystem wire, String row, String peer) {
    this.wire = wire;
    this.row = row;
    this.peer = peer;
  }

  /** The same for a part of the row, with signals of its own. */
  Stage part(String suffix) {
    return new Stage(wire, row + suffix, peer);
  }

  ActorSystem system() {
    return wire.system();
  }

  String row() {
    return row;
  }

  org.apache.pekko.actor.Address peer() {
    return AddressFromURIString.parse(peer);
  }

  ActorSelection selection(String path) {
    return system().actorSelection(peer + path);
  }

  /** An actor of the peer's, found before the row begins. */
  ActorRef remote(String path) throws Exception {
    return found(selection(path));
  }

  /**
   * Asks twice: the first message to a node may go with a connection that does not come about in
   * time, on a busy machine.
   */
  private static ActorRef found(ActorSelection selection) throws Exception {
    return selection
        .resolveOne(PATIENCE)
        .exceptionallyCompose(notFound -> selection.resolveOne(PATIENCE))
        .toCompletableFuture()
        .get(3 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /**
   * Waits until an actor has started. Messages sent to it before are in the context in which it was
   * made, under the OpenTelemetry agent.
   */
  void started(ActorRef actor) throws Exception {
    found(system().actorSelection(actor.path()));
  }

  /** Makes an actor named after the row. */
  ActorRef actor(Props props) {
    return actor(props, "");
  }

  /** The same, with this behind its name. */
  ActorRef actor(Props props, String suffix) {
    return system().actorOf(props, row + suffix);
  }

  /** An actor named after the row, for what the row does. */
  ActorRef front(Consumer<Front> begin) {
    return actor(Front.props(this, begin));
  }

  /** Runs what a row does inside of such an actor, and waits for so many answers. */
  void front(int answers, Consumer<Front> begin) throws InterruptedException {
    front(begin).tell(new Messages.Begin(), ActorRef.noSender());
    await(answers);
  }

  void signal() {
    Tool.seen(Tool.token());
    signals.release();
  }

  void await(int count) throws InterruptedException {
    if (!signals.tryAcquire(count, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          row + ": waited in vain for " + count + " signals, had " + signals.availablePermits());
    }
  }
}
