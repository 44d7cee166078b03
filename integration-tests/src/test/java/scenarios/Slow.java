// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/**
 * One message for each reason to be slow: one waits for a lock that another holds asleep, one
 * sleeps, one reads a socket that answers late, one waits for a notification, and one allocates
 * much. Beside each a twin that does nothing of this, as long. It goes on until the argument, a
 * number of rounds, is through.
 */
final class Slow {
  private static final long MILLIS = 20;
  private static final long TWIN_NANOS = 3_000_000;
  private static final int ARRAYS = 200;
  private static final int BYTES = 64 << 10;

  private Slow() {}

  /** The messages. */
  static final class Hold {}

  static final class Take {}

  static final class Nap {}

  static final class Fetch {}

  static final class Notify {}

  static final class Fill {}

  /** Those of the twins. */
  static final class TakeAlone {}

  static final class FetchAtOnce {}

  static final class FillNothing {}

  /** The lock. */
  static final class Purse {
    private volatile Thread taker;
    private volatile boolean held;

    /** Until somebody else has been waiting for it for a while. */
    synchronized void hold() throws InterruptedException {
      held = true;
      while (taker == null || taker.getState() != Thread.State.BLOCKED) {
        Thread.sleep(1);
      }
      Thread.sleep(MILLIS);
      taker = null;
      held = false;
    }

    void awaitHeld() throws InterruptedException {
      while (!held) {
        Thread.sleep(1);
      }
    }

    void take() {
      taker = Thread.currentThread();
      spend();
    }

    private synchronized void spend() {}

    synchronized void awaitNobody() throws InterruptedException {
      long until = System.nanoTime() + MILLIS * 1_000_000;
      while (System.nanoTime() < until) {
        wait(MILLIS);
      }
    }
  }

  private interface Act {
    void run() throws Exception;
  }

  static void addTo(Scenes all) {
    all.add("slow", Slow::run);
  }

  private static void run(Stage stage) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket answering = server.accept()) {
      Thread late = new Thread(() -> answerLate(answering), "answers-late");
      late.start();
      Purse purse = new Purse();
      ActorRef holder = stage.actor(Props.create(Holder.class, stage, purse), "holder");
      ActorRef slow = stage.actor(Props.create(Worker.class, stage, purse, client), "slow");
      ActorRef twin = stage.actor(Props.create(Twin.class, stage), "twin");
      List<Object> own = List.of(new Take(), new Nap(), new Fetch(), new Notify(), new Fill());
      List<Object> twins = List.of(new TakeAlone(), new FetchAtOnce(), new FillNothing());
      for (int round = Integer.parseInt(stage.argument()); round > 0; round--) {
        holder.tell(new Hold(), ActorRef.noSender());
        purse.awaitHeld();
        own.forEach(message -> slow.tell(message, ActorRef.noSender()));
        stage.await(1 + own.size());
        twins.forEach(message -> twin.tell(message, ActorRef.noSender()));
        stage.await(twins.size());
      }
    }
  }

  private static void answerLate(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        Thread.sleep(MILLIS);
        socket.getOutputStream().write(1);
      }
    } catch (IOException | InterruptedException e) {
      // the end of the scenario
    }
  }

  static final class Holder extends AbstractActor {
    private final Stage stage;
    private final Purse purse;

    Holder(Stage stage, Purse purse) {
      this.stage = stage;
      this.purse = purse;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Hold.class,
              hold -> {
                purse.hold();
                stage.signal();
              })
          .build();
    }
  }

  static final class Worker extends AbstractActor {
    private final Stage stage;
    private final Purse purse;
    private final Purse other = new Purse();
    private final Socket socket;
    private byte[] kept = new byte[0];

    Worker(Stage stage, Purse purse, Socket socket) {
      this.stage = stage;
      this.purse = purse;
      this.socket = socket;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Take.class, take -> done(purse::take))
          .match(Nap.class, nap -> done(() -> Thread.sleep(MILLIS)))
          .match(Fetch.class, fetch -> done(this::fetch))
          .match(Notify.class, any -> done(other::awaitNobody))
          .match(Fill.class, fill -> done(this::fill))
          .build();
    }

    private void done(Act act) throws Exception {
      act.run();
      stage.signal();
    }

    private void fetch() throws IOException {
      socket.getOutputStream().write(1);
      if (socket.getInputStream().read() < 0) {
        throw new IOException("no answer");
      }
    }

    private void fill() {
      for (int i = 0; i < ARRAYS; i++) {
        kept = new byte[BYTES];
        kept[i] = 1;
      }
    }
  }

  static final class Twin extends AbstractActor {
    private final Stage stage;
    private final Purse own = new Purse();
    private final byte[] kept = new byte[BYTES];
    private final InputStream in = new ByteArrayInputStream(kept);

    Twin(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(TakeAlone.class, take -> work(own::spend))
          .match(FetchAtOnce.class, fetch -> work(this::read))
          .match(FillNothing.class, fill -> work(() -> kept[0]++))
          .build();
    }

    private void read() {
      try {
        in.reset();
        kept[1] = (byte) in.read();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private void work(Runnable again) {
      long until = System.nanoTime() + TWIN_NANOS;
      while (System.nanoTime() < until) {
        again.run();
      }
      stage.signal();
    }
  }
}
