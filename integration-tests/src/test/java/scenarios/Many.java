// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/** More actors and more message classes than anybody wants to see apart. */
final class Many {
  private static final int ACTORS = 1_000_000;
  private static final int CLASSES = 10_000;
  private static final int HOT = 100;
  private static final int PATIENCE_SECONDS = 170;

  private Many() {}

  static void addTo(Scenes all) {
    all.add("many-classes", Many::classes);
    all.add("many-actors", Many::actors);
    all.add("late-hot", Many::lateHot);
  }

  /** One message of each class; the classes are kept, so that they are classes for good. */
  private static final Object[] MESSAGES = new Object[CLASSES];

  private static void classes(Stage stage) throws Exception {
    Copies copies = new Copies();
    ActorRef sink = stage.actor(Props.create(Sink.class, () -> new Sink(stage)), "sink");
    for (int i = 0; i < CLASSES; i++) {
      MESSAGES[i] = copies.message(i);
      sink.tell(MESSAGES[i], ActorRef.noSender());
    }
    sink.tell("end", ActorRef.noSender());
    stage.await(1);
    hold();
  }

  /** The last class, folded if any is, gets most of the messages until the test has seen enough. */
  private static void lateHot(Stage stage) throws Exception {
    ActorRef sink = stage.actor(Props.create(Sink.class, () -> new Sink(stage)), "sink");
    for (int round = 0; System.in.available() == 0; round++) {
      for (int i = 0; i < HOT; i++) {
        sink.tell(MESSAGES[CLASSES - 1], ActorRef.noSender());
      }
      sink.tell(MESSAGES[round % CLASSES], ActorRef.noSender());
      sink.tell("end", ActorRef.noSender());
      stage.await(1);
    }
    System.in.read();
  }

  private static void actors(Stage stage) throws Exception {
    CountDownLatch begun = new CountDownLatch(ACTORS);
    stage
        .actor(Props.create(Parent.class, () -> new Parent(begun)), "parent")
        .tell(ACTORS, ActorRef.noSender());
    if (!begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(begun.getCount() + " actors have not begun");
    }
    hold();
  }

  /** Goes on when the test has looked. */
  private static void hold() throws IOException {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.println("@holding " + (runtime.totalMemory() - runtime.freeMemory()));
    int next = System.in.read();
    if (next != '\n') {
      throw new IOException("asked to go on by " + next);
    }
  }

  /** Takes anything. */
  static final class Sink extends AbstractActor {
    private final Stage stage;

    Sink(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchEquals("end", end -> stage.signal())
          .matchAny(message -> {})
          .build();
    }
  }

  /** Has as many children as it is told to. */
  static final class Parent extends AbstractActor {
    private final CountDownLatch begun;

    Parent(CountDownLatch begun) {
      this.begun = begun;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Integer.class,
              count -> {
                for (int i = 0; i < count; i++) {
                  getContext()
                      .actorOf(Props.create(Child.class, () -> new Child(begun)), "order-" + i)
                      .tell(i, getSelf());
                }
              })
          .build();
    }
  }

  /** One of many. */
  static final class Child extends AbstractActor {
    private final CountDownLatch begun;

    Child(CountDownLatch begun) {
      this.begun = begun;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> begun.countDown()).build();
    }
  }

  /** The class copied under other names. */
  public static final class Copied00000 {}

  /** Makes classes that differ in nothing but the name. */
  private static final class Copies extends ClassLoader {
    private final byte[] bytes;

    Copies() throws IOException {
      super(Many.class.getClassLoader());
      try (InputStream in = Many.class.getResourceAsStream("/scenarios/Many$Copied00000.class")) {
        bytes = in.readAllBytes();
      }
    }

    Object message(int number) throws ReflectiveOperationException {
      byte[] named = bytes.clone();
      String name = "Copied%05d".formatted(number + 1);
      byte[] from = "Copied00000".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      byte[] to = name.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      for (int i = 0; i + from.length <= named.length; i++) {
        if (java.util.Arrays.equals(named, i, i + from.length, from, 0, from.length)) {
          System.arraycopy(to, 0, named, i, to.length);
        }
      }
      return defineClass("scenarios.Many$" + name, named, 0, named.length)
          .getConstructor()
          .newInstance();
    }
  }
}
