// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/**
 * The price of a message as actors and message classes grow, the memory of a live actor, and the
 * price of making and stopping one.
 *
 * <p>A round tells every actor its share in turn, from one thread, and ends when the last actor has
 * had it. Actors are made and stopped first; then actors grow, with one message class; then classes
 * grow, with one actor.
 */
public final class Scale {
  private static final int CHILDREN_A_PARENT = 1_000;
  private static final int ROUND_TIMEOUT_SECONDS = 120;

  private final Probe probe = new Probe();
  private final ScaleActor.Round round = new ScaleActor.Round();
  private final ActorSystem system = Systems.create();
  private final ActorRef[] actors;
  private final int messages;
  private final int warmup;
  private final int rounds;
  private final int churned;
  private int started;

  private Scale(Arguments arguments, int mostActors) {
    actors = new ActorRef[mostActors];
    messages = arguments.integer("messages", 1_000_000);
    warmup = arguments.integer("warmup", 3);
    rounds = arguments.integer("rounds", 5);
    churned = arguments.integer("churned", 200_000);
  }

  public static void main(String[] args) throws Exception {
    Arguments arguments = new Arguments(args);
    int[] actorSteps = arguments.integers("actors", "1,10,100,1000,10000,100000,1000000");
    int[] classSteps = arguments.integers("classes", "1,10,100,1000");
    Scale program = new Scale(arguments, actorSteps[actorSteps.length - 1]);
    Object[] classes = new MessageClasses().instances(classSteps[classSteps.length - 1]);

    Map<String, Object> result = new LinkedHashMap<>();
    Probe.describe(result);
    result.put("churn", program.churn());
    Map<String, Object> byActors = new LinkedHashMap<>();
    result.put("actors", byActors);
    long emptyBytes = 0;
    for (int count : actorSteps) {
      program.start(count);
      byActors.put(Integer.toString(count), program.measure(count, classes, 1));
      if (count == actorSteps[0]) {
        emptyBytes = program.probe.usedAfterCollectionBytes();
      }
    }
    int added = actorSteps[actorSteps.length - 1] - actorSteps[0];
    result.put(
        "bytes_per_actor",
        (program.probe.usedAfterCollectionBytes() - emptyBytes) / (double) Math.max(1, added));
    Map<String, Object> byClasses = new LinkedHashMap<>();
    result.put("classes", byClasses);
    for (int count : classSteps) {
      byClasses.put(Integer.toString(count), program.measure(1, classes, count));
    }
    Results.print(result);
    Results.exit();
  }

  private void start(int count) throws InterruptedException {
    int parents = (count - started + CHILDREN_A_PARENT - 1) / CHILDREN_A_PARENT;
    CountDownLatch done = new CountDownLatch(parents);
    Props props = Props.create(ScaleParent.class, () -> new ScaleParent(round));
    while (started < count) {
      int to = Math.min(count, started + CHILDREN_A_PARENT);
      ActorRef parent = system.actorOf(props, "parent-" + started);
      parent.tell(new ScaleParent.Fill(actors, started, to, done), ActorRef.noSender());
      started = to;
    }
    await(done);
  }

  private Map<String, Object> measure(int actorCount, Object[] classes, int classCount)
      throws InterruptedException {
    int share = Math.max(2, messages / actorCount);
    double told = (double) share * actorCount;
    for (int i = 0; i < warmup; i++) {
      round(actorCount, share, classes, classCount);
    }
    double[] nanos = new double[rounds];
    System.gc();
    long cpu = probe.cpuNanos();
    long bytes = probe.allocatedBytes();
    for (int i = 0; i < rounds; i++) {
      nanos[i] = round(actorCount, share, classes, classCount) / told;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    Arrays.sort(nanos);
    result.put("ns_per_msg", nanos[rounds / 2]);
    result.put("min_ns_per_msg", nanos[0]);
    result.put("cpu_ns_per_msg", (probe.cpuNanos() - cpu) / (told * rounds));
    result.put("bytes_per_msg", (probe.allocatedBytes() - bytes) / (told * rounds));
    return result;
  }

  private Map<String, Object> churn() throws InterruptedException {
    ActorRef parent = system.actorOf(Props.create(ScaleChurn.class, ScaleChurn::new), "churn");
    for (int i = 0; i < warmup; i++) {
      churn(parent);
    }
    double[] nanos = new double[rounds];
    System.gc();
    long cpu = probe.cpuNanos();
    long bytes = probe.allocatedBytes();
    for (int i = 0; i < rounds; i++) {
      nanos[i] = churn(parent) / (double) churned;
    }
    double all = (double) churned * rounds;
    Map<String, Object> result = new LinkedHashMap<>();
    Arrays.sort(nanos);
    result.put("ns_per_actor", nanos[rounds / 2]);
    result.put("min_ns_per_actor", nanos[0]);
    result.put("cpu_ns_per_actor", (probe.cpuNanos() - cpu) / all);
    result.put("bytes_per_actor", (probe.allocatedBytes() - bytes) / all);
    return result;
  }

  private long churn(ActorRef parent) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    long start = System.nanoTime();
    parent.tell(new ScaleChurn.Round(churned, done), ActorRef.noSender());
    await(done);
    return System.nanoTime() - start;
  }

  private long round(int actorCount, int share, Object[] classes, int classCount)
      throws InterruptedException {
    round.share = share;
    round.finished = new CountDownLatch(actorCount);
    long start = System.nanoTime();
    int kind = 0;
    for (int i = 0; i < share; i++) {
      for (int actor = 0; actor < actorCount; actor++) {
        actors[actor].tell(classes[kind], ActorRef.noSender());
        kind = kind + 1 == classCount ? 0 : kind + 1;
      }
    }
    await(round.finished);
    return System.nanoTime() - start;
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(ROUND_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          latch.getCount() + " actors had not finished after " + ROUND_TIMEOUT_SECONDS + " s");
    }
  }
}
