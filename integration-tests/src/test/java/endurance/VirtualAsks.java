// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;

/** Threads that ask an actor and wait, all at once; virtual ones where the JDK has them. */
final class VirtualAsks implements Load {
  private static final int AT_ONCE = 500;

  private final ActorRef echo;
  private final Object builder;

  VirtualAsks(ActorSystem system) {
    echo = system.actorOf(Props.create(Actors.Echo.class), "asked");
    Object virtual = null;
    try {
      virtual = Thread.class.getMethod("ofVirtual").invoke(null);
    } catch (ReflectiveOperationException e) {
      // A JDK before 21: platform threads, and fewer.
    }
    builder = virtual;
  }

  @Override
  public String name() {
    return builder == null ? "asks" : "virtual-asks";
  }

  @Override
  public long everyNanos() {
    return 1_000_000_000;
  }

  @Override
  public int once() throws Exception {
    int count = builder == null ? 50 : AT_ONCE;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(start(this::ask));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return count;
  }

  private void ask() {
    try {
      Patterns.ask(echo, "question", Duration.ofSeconds(90))
          .toCompletableFuture()
          .get(90, TimeUnit.SECONDS);
    } catch (Exception e) {
      System.out.println("@failed ask " + e);
    }
  }

  private Thread start(Runnable work) throws ReflectiveOperationException {
    if (builder != null) {
      return (Thread)
          Class.forName("java.lang.Thread$Builder")
              .getMethod("start", Runnable.class)
              .invoke(builder, work);
    }
    Thread thread = new Thread(work);
    thread.start();
    return thread;
  }
}
