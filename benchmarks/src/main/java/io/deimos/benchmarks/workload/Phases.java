// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;

/**
 * Sending and receiving timed apart: the mailbox is filled while the actor is held in a {@link
 * Gate}, then the gate is opened and the actor empties it.
 *
 * <p>The sender's clock runs from its first tell to its last. The receiver's runs on the actor's
 * thread, from the moment it leaves the gate to the last message, so waking threads up is in
 * neither.
 */
public final class Phases {
  private static final int IDLE_COMPILER_MILLIS = 20;
  private static final int MAX_ROUNDS = 100_000;
  private static final long WARMUP_MESSAGES = 2_000_000;

  private final Probe probe = new Probe();
  private final ActorRef actor;
  private final double[] sendNanos = new double[MAX_ROUNDS];
  private final double[] receiveNanos = new double[MAX_ROUNDS];

  private Phases(ActorRef actor) {
    this.actor = actor;
  }

  public static void main(String[] args) throws Exception {
    Arguments arguments = new Arguments(args);
    ActorSystem system = Systems.create(arguments.integer("workers", 0));
    Phases program = new Phases(Systems.counter(system, arguments));
    double warmupSeconds = arguments.decimal("warmup-seconds", 3);
    double seconds = arguments.decimal("seconds", 4);
    Map<String, Object> sizes = new LinkedHashMap<>();
    for (int messages : arguments.integers("sizes", "3000,300000")) {
      program.warmUp(messages, warmupSeconds);
      sizes.put(Integer.toString(messages), program.measure(messages, seconds));
    }
    Map<String, Object> result = new LinkedHashMap<>();
    Probe.describe(result);
    result.put("sizes", sizes);
    Results.print(result);
    Results.exit();
  }

  /**
   * Runs rounds for {@code seconds}, then on until there were enough messages and the compiler has
   * been idle for a second; a slow mode on a busy machine gets at most six times as long. On one
   * core the compiler's work would else be taken for the actor's.
   */
  private void warmUp(int messages, double seconds) throws InterruptedException {
    long end = System.nanoTime() + (long) (6 * seconds * 1e9);
    long done = (long) rounds(messages, seconds) * messages;
    long compiled = compilationMillis();
    while (System.nanoTime() < end) {
      done += (long) rounds(messages, 1) * messages;
      long before = compiled;
      compiled = compilationMillis();
      if (done >= WARMUP_MESSAGES && compiled - before < IDLE_COMPILER_MILLIS) {
        return;
      }
    }
  }

  private static long compilationMillis() {
    return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
  }

  private Map<String, Object> measure(int messages, double seconds) throws InterruptedException {
    System.gc();
    long bytes = probe.allocatedBytes();
    long actorBytes = probe.allocatedByActorsBytes();
    long cpu = probe.cpuNanos();
    long collections = probe.collections();
    long moves = BusyActor.moves();
    int rounds = rounds(messages, seconds);
    double sent = (double) rounds * messages;
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("cpu_ns_per_msg", (probe.cpuNanos() - cpu) / sent);
    result.put("bytes_per_msg", (probe.allocatedBytes() - bytes) / sent);
    result.put("actor_bytes_per_msg", (probe.allocatedByActorsBytes() - actorBytes) / sent);
    result.put("collections", probe.collections() - collections);
    result.put("moves_per_1000_msg", 1000 * (BusyActor.moves() - moves) / sent);
    Arrays.sort(sendNanos, 0, rounds);
    Arrays.sort(receiveNanos, 0, rounds);
    result.put("rounds", rounds);
    result.put("send_ns", sendNanos[rounds / 2]);
    result.put("receive_ns", receiveNanos[rounds / 2]);
    result.put("send_min_ns", sendNanos[0]);
    result.put("receive_min_ns", receiveNanos[0]);
    return result;
  }

  /** Runs rounds for {@code seconds}, at least five, and leaves their times in the arrays. */
  private int rounds(int messages, double seconds) throws InterruptedException {
    Object[] kinds = Systems.messages();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    int round = 0;
    while (round < 5 || (round < MAX_ROUNDS && System.nanoTime() < end)) {
      round(messages, kinds, round);
      round++;
    }
    return round;
  }

  private void round(int messages, Object[] kinds, int round) throws InterruptedException {
    Gate gate = new Gate();
    Finish finish = new Finish();
    actor.tell(gate, ActorRef.noSender());
    gate.awaitEntered();
    long start = System.nanoTime();
    tellAll(messages, kinds);
    long sent = System.nanoTime();
    actor.tell(finish, ActorRef.noSender());
    gate.open();
    long reached = finish.awaitReachedNanos();
    sendNanos[round] = (sent - start) / (double) messages;
    receiveNanos[round] = (reached - gate.passedNanos()) / (double) messages;
  }

  private void tellAll(int messages, Object[] kinds) {
    int kind = 0;
    for (int i = 0; i < messages; i++) {
      actor.tell(kinds[kind], ActorRef.noSender());
      kind = kind == 2 ? 0 : kind + 1;
    }
  }
}
