// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.pattern.Patterns;

/**
 * One actor counts millions of messages: all are told from one thread, then the actor is asked, and
 * its reply stops the clock.
 *
 * <p>Before each round the heap is collected. CPU time is read a little after the reply, so that
 * work an agent puts off to a thread of its own is counted too.
 */
public final class OneActor {
  private static final Duration ASK_TIMEOUT = Duration.ofMinutes(2);

  private final Probe probe = new Probe();
  private final ActorRef actor;
  private final int messages;
  private final int settleMillis;

  private OneActor(ActorRef actor, int messages, int settleMillis) {
    this.actor = actor;
    this.messages = messages;
    this.settleMillis = settleMillis;
  }

  public static void main(String[] args) throws Exception {
    Arguments arguments = new Arguments(args);
    ActorSystem system = Systems.create();
    OneActor program =
        new OneActor(
            Systems.counter(system, arguments),
            arguments.integer("messages", 3_000_000),
            arguments.integer("settle-millis", 100));
    for (int i = 0; i < arguments.integer("warmup", 5); i++) {
      program.round();
    }
    List<Object> rounds = new ArrayList<>();
    for (int i = 0; i < arguments.integer("rounds", 8); i++) {
      rounds.add(program.round());
    }
    Map<String, Object> result = new LinkedHashMap<>();
    Probe.describe(result);
    result.put("rounds", rounds);
    Results.print(result);
    Results.exit();
  }

  private Map<String, Object> round() throws Exception {
    System.gc();
    long bytes = probe.allocatedBytes();
    long actorBytes = probe.allocatedByActorsBytes();
    long collections = probe.collections();
    long collectionMillis = probe.collectionMillis();
    long cpu = probe.cpuNanos();
    long start = System.nanoTime();
    tellAll(Systems.messages());
    Object counted =
        Patterns.ask(actor, Collect.INSTANCE, ASK_TIMEOUT)
            .toCompletableFuture()
            .get(ASK_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    long wall = System.nanoTime() - start;
    Thread.sleep(settleMillis);
    cpu = probe.cpuNanos() - cpu;
    if (!counted.equals((long) messages)) {
      throw new IllegalStateException("told " + messages + " messages, counted " + counted);
    }
    Map<String, Object> round = new LinkedHashMap<>();
    round.put("msgs_per_s", messages * 1e9 / wall);
    round.put("cpu_ns_per_msg", cpu / (double) messages);
    round.put("bytes_per_msg", (probe.allocatedBytes() - bytes) / (double) messages);
    round.put(
        "actor_bytes_per_msg", (probe.allocatedByActorsBytes() - actorBytes) / (double) messages);
    round.put("collections", probe.collections() - collections);
    round.put("collection_ms", probe.collectionMillis() - collectionMillis);
    return round;
  }

  private void tellAll(Object[] kinds) {
    int kind = 0;
    for (int i = 0; i < messages; i++) {
      actor.tell(kinds[kind], ActorRef.noSender());
      kind = kind == 2 ? 0 : kind + 1;
    }
  }
}
