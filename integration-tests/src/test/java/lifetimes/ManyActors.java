// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/**
 * {@code <number> <per second> <KiB>}: makes so many actors, each of which gets one message and is
 * stopped, as fast as it can if the second number is 0. Prints by how much the heap has grown since
 * the first few thousand, as soon as that is not more than the last number.
 */
public final class ManyActors {
  private static final int BATCH = 1000;
  private static final int WARM_UP = 10_000;

  private ManyActors() {}

  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[0]);
    int perSecond = Integer.parseInt(args[1]);
    ActorSystem system = ActorSystem.create("lifetimes");
    ActorRef parent = system.actorOf(Props.create(Parent.class, Parent::new), "parent");
    make(parent, WARM_UP, 0);
    long before = Heap.kib();
    System.out.println("@before " + before);
    make(parent, number, perSecond);
    System.out.println("@grown " + Heap.grownKib(before, Long.parseLong(args[2])));
    System.out.println("@threads " + Thread.getAllStackTraces().size());
    System.exit(0);
  }

  private static void make(ActorRef parent, int number, int perSecond) throws InterruptedException {
    long begun = System.nanoTime();
    for (int made = 0; made < number; made += BATCH) {
      CountDownLatch stopped = new CountDownLatch(BATCH);
      parent.tell(stopped, ActorRef.noSender());
      stopped.await();
      long due = perSecond == 0 ? begun : begun + made * 1_000_000_000L / perSecond;
      while (due - System.nanoTime() > 0) {
        Thread.sleep(1);
      }
    }
  }

  /** Makes a batch of children each time it is told to. */
  static final class Parent extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(CountDownLatch.class, this::makeBatch).build();
    }

    private void makeBatch(CountDownLatch stopped) {
      for (int i = 0; i < BATCH; i++) {
        ActorRef child = getContext().actorOf(Props.create(Child.class, () -> new Child(stopped)));
        child.tell("end", getSelf());
      }
    }
  }

  /** Ends with its first message. */
  static final class Child extends AbstractActor {
    private final CountDownLatch stopped;

    Child(CountDownLatch stopped) {
      this.stopped = stopped;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> getContext().stop(getSelf())).build();
    }

    @Override
    public void postStop() {
      stopped.countDown();
    }
  }
}
