// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import com.typesafe.config.ConfigFactory;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import scala.concurrent.Future;

/**
 * {@code <number>}: so many requests, each with an object in its context, leave behind what lives
 * longer than they: time-outs that were cancelled, futures that are kept, streams that stand idle.
 * Prints how many of the objects are still there.
 */
public final class Requests {
  private static final ContextKey<byte[]> REQUEST = ContextKey.named("request");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofMillis(50);

  /** The objects that the threads that worked last may still have at hand. */
  private static final int FEW = 64;

  private static final long PATIENCE_NANOS = 90_000_000_000L;

  private Requests() {}

  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[0]);
    ActorSystem system = ActorSystem.create("lifetimes", ConfigFactory.load());

    List<Cancellable> timeouts = new ArrayList<>();
    CountDownLatch inTheWheel = new CountDownLatch(1);
    report(
        "timers",
        number,
        i -> timeouts.add(schedule(system, HOUR, () -> {})),
        () -> {
          schedule(system, SOON, inTheWheel::countDown);
          await(inTheWheel);
          timeouts.forEach(Cancellable::cancel);
        });

    List<Future<?>> kept = new ArrayList<>();
    CountDownLatch mapped = new CountDownLatch(number);
    report("futures", number, i -> kept.add(mapped(system, mapped)), () -> await(mapped));

    CountDownLatch arrived = new CountDownLatch(number);
    List<SourceQueueWithComplete<String>> streams = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      streams.add(stream(system, arrived));
    }
    report("streams", number, i -> streams.get(i).offer("element"), () -> await(arrived));

    System.out.println("@kept " + timeouts.size() + " " + kept.size() + " " + streams.size());
    System.exit(0);
  }

  private static Cancellable schedule(ActorSystem system, Duration when, Runnable what) {
    return system.scheduler().scheduleOnce(when, what, system.dispatcher());
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(90, TimeUnit.SECONDS)) {
        throw new IllegalStateException(latch.getCount() + " are not done");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Future<?> mapped(ActorSystem system, CountDownLatch mapped) {
    return Futures.future(() -> "result", system.dispatcher())
        .map(
            result -> {
              mapped.countDown();
              return result;
            },
            system.dispatcher());
  }

  private static SourceQueueWithComplete<String> stream(
      ActorSystem system, CountDownLatch arrived) {
    return Source.<String>queue(8, OverflowStrategy.backpressure())
        .map(element -> element)
        .toMat(Sink.foreach(element -> arrived.countDown()), Keep.left())
        .run(system);
  }

  private static void report(String what, int number, IntConsumer each, Runnable then)
      throws InterruptedException {
    List<WeakReference<byte[]>> requests = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      requests.add(request(each, i));
    }
    then.run();
    System.out.println("@" + what + " " + alive(requests));
  }

  private static WeakReference<byte[]> request(IntConsumer each, int i) {
    byte[] request = new byte[16];
    try (Scope scope = Context.current().with(REQUEST, request).makeCurrent()) {
      each.accept(i);
    }
    return new WeakReference<>(request);
  }

  private static long alive(List<WeakReference<byte[]>> requests) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    long alive;
    do {
      System.gc();
      alive = requests.stream().filter(request -> request.get() != null).count();
      Thread.sleep(100);
    } while (alive > FEW && System.nanoTime() < until);
    return alive;
  }
}
