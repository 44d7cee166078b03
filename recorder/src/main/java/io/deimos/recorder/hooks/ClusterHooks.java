// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Hook;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.woven.NumberFields;
import io.deimos.recorder.woven.RefFields;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code when the cluster's own services have done something: downed nodes, handed a
 * shard on, read or written distributed data, heard from another node. Safe for any thread.
 */
public final class ClusterHooks {
  private static final Hook DOWNING = Hook.named("DowningStrategy.nodesToDown");
  private static final Hook HAND_OFF_BEGUN = Hook.named("ShardCoordinator$RebalanceWorker.<init>");
  private static final Hook HAND_OFF = Hook.named("ShardCoordinator$RebalanceWorker.done");
  private static final Hook OPERATION_BEGUN = Hook.named("ReadWriteAggregator.<init>");
  private static final Hook READ = Hook.named("ReadAggregator.reply");
  private static final Hook WRITE = Hook.named("WriteAggregator.reply");
  private static final Hook WAITING = Hook.named("ShardRegion.bufferMessage");
  private static final Hook HOME = Hook.named("ShardRegion.receiveShardHome");
  private static final Hook DELIVERED = Hook.named("ShardRegion.deliverBufferedMessages");
  private static final Hook HEARTBEAT = Hook.named("PhiAccrualFailureDetector.heartbeat");

  /** Below this the self-test's own actors are, of which nobody is told. */
  private static final String SELF_TEST = "/deimos-self-test/";

  private static final String COORDINATOR = "Coordinator";

  /** How many decisions are being taken on this thread, one for the sake of the other. */
  private static final ThreadLocal<int[]> DECIDING = ThreadLocal.withInitial(() -> new int[1]);

  private ClusterHooks() {}

  /** The split-brain resolver looks whom a decision means. */
  public static void deciding() {
    DECIDING.get()[0]++;
  }

  /**
   * It knows.
   *
   * @param system name of the actor system; empty where there are no members, as in the self-test
   * @param decision in Pekko's words: {@code DownUnreachable}
   * @param nodes how many nodes are downed; -1 if it came to no end
   */
  public static void decided(String system, String decision, int nodes) {
    DOWNING.fires();
    if (--DECIDING.get()[0] == 0 && nodes >= 0 && !system.isEmpty()) {
      String word = words(decision);
      Metric.DOWNING_DECISIONS.tally().add(1, system, word);
      Metric.DOWNED_NODES.tally().add(nodes, system, word);
    }
  }

  /** {@code AcquireLeaseAndDownUnreachable(1 second)} becomes words with lines between. */
  private static String words(String decision) {
    int end = decision.indexOf('(');
    String name = end < 0 ? decision : decision.substring(0, end);
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  /**
   * The failure detector of a node has got a heartbeat from it.
   *
   * @param detector keeps when
   * @param peer the node's address; null in the self-test
   */
  public static void heartbeat(NumberFields detector, @Nullable String peer) {
    HEARTBEAT.fires();
    long now = Clock.now();
    long before = detector.deimos$number();
    detector.deimos$number(now);
    if (before != 0 && peer != null) {
      Metric.HEARTBEAT_INTERVAL.tally().duration(Math.max(0, now - before), peer);
    }
  }

  /** A shard is to leave a node. */
  public static void handOffBegun(NumberFields worker) {
    HAND_OFF_BEGUN.fires();
    worker.deimos$number(Clock.now());
  }

  /** Other nodes are to be read or written. */
  public static void operationBegun(NumberFields worker) {
    OPERATION_BEGUN.fires();
    worker.deimos$number(Clock.now());
  }

  /**
   * A shard has left a node, or has not in time.
   *
   * @param path of who sees to it: below the coordinator, which is named after the type of entity
   */
  public static void handedOff(NumberFields worker, String system, String path, boolean done) {
    HAND_OFF.fires();
    if (isAtWork(worker, path)) {
      ended(Metric.HAND_OFF, worker, system, entityType(path), done ? "success" : "timeout");
    }
  }

  private static String entityType(String path) {
    for (String element : path.split("/", -1)) {
      if (element.endsWith(COORDINATOR)) {
        return decoded(element.substring(0, element.length() - COORDINATOR.length()));
      }
    }
    return "unknown";
  }

  /** Pekko writes names into paths as they are written into addresses of the web. */
  private static String decoded(String element) {
    byte[] bytes = new byte[element.length()];
    int size = 0;
    for (int i = 0; i < element.length(); i++) {
      char c = element.charAt(i);
      if (c == '%' && i + 2 < element.length()) {
        bytes[size++] = (byte) Integer.parseInt(element, i + 1, i + 3, 16);
        i += 2;
      } else {
        bytes[size++] = (byte) (c == '+' ? ' ' : c);
      }
    }
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }

  /** A region keeps a message back, until it knows where the shard is or the shard has started. */
  public static void waitsForShard(RefFields region, @Nullable String shard) {
    WAITING.fires();
    if (shard != null) {
      homes(region).waits(shard);
    }
  }

  /**
   * A region has learned where a shard is.
   *
   * @param system name of the actor system; null in the self-test
   * @param name of the region's actor, which is that of the type of entity
   */
  public static void homeFound(
      RefFields region, @Nullable String shard, @Nullable String system, @Nullable String name) {
    HOME.fires();
    long nanos = shard == null ? -1 : homes(region).found(shard);
    if (nanos >= 0 && system != null && name != null) {
      Metric.SHARD_HOME.tally().duration(nanos, system, decoded(name));
    }
  }

  /** Messages kept back for a shard of this node are delivered, now that the shard has started. */
  public static void shardStarted(RefFields region, @Nullable String shard) {
    DELIVERED.fires();
    if (shard != null) {
      homes(region).found(shard);
    }
  }

  private static ShardHomes homes(RefFields region) {
    if (region.deimos$identity() instanceof ShardHomes known) {
      return known;
    }
    ShardHomes homes = new ShardHomes();
    region.deimos$identity(homes);
    return homes;
  }

  private static boolean isAtWork(NumberFields worker, String path) {
    return worker.deimos$number() != 0 && !path.contains(SELF_TEST);
  }

  /** As many nodes as were wanted have been read, or not in time. */
  public static void read(
      NumberFields worker, String system, String path, boolean done, boolean found) {
    READ.fires();
    if (isAtWork(worker, path)) {
      ended(
          Metric.DDATA_OPERATION,
          worker,
          system,
          "get",
          done ? found ? "success" : "not_found" : "failure");
    }
  }

  /** As many nodes as were wanted have been written, or not in time. */
  public static void written(
      NumberFields worker,
      String system,
      String path,
      String dataClass,
      boolean done,
      boolean timedOut) {
    WRITE.fires();
    if (isAtWork(worker, path)) {
      ended(
          Metric.DDATA_OPERATION,
          worker,
          system,
          dataClass.endsWith("$DeletedData$") ? "delete" : "update",
          done ? "success" : timedOut ? "timeout" : "failure");
    }
  }

  private static void ended(Metric metric, NumberFields worker, String... attributes) {
    long nanos = Math.max(0, Clock.now() - worker.deimos$number());
    worker.deimos$number(0);
    metric.tally().duration(nanos, attributes);
  }
}
