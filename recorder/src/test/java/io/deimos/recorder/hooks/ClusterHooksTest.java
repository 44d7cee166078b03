// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.woven.NumberFields;
import io.deimos.recorder.woven.RefFields;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The metrics are the process's, so each test has an actor system of its own. */
class ClusterHooksTest {
  private static final String DELETED =
      "org.apache.pekko.cluster.ddata.Replicator$Internal$DeletedData$";

  private static final String WORKER =
      "pekko://%s/system/sharding/Shopping+Cart%%2F1Coordinator/singleton/coordinator/$a";

  /** A worker of Pekko's, or a counter. */
  private static final class Worker implements NumberFields {
    private long number;

    @Override
    public long deimos$number() {
      return number;
    }

    @Override
    public void deimos$number(long to) {
      number = to;
    }
  }

  /** A region. */
  private static final class Region implements RefFields {
    private @Nullable Object kept;

    @Override
    public @Nullable Object deimos$identity() {
      return kept;
    }

    @Override
    public void deimos$identity(@Nullable Object identity) {
      kept = identity;
    }
  }

  private static long homes(String system) {
    return events(Metric.SHARD_HOME, system, "Shopping Cart/1");
  }

  private static void found(Region region, String shard, String system) {
    ClusterHooks.homeFound(region, shard, system, "Shopping+Cart%2F1");
  }

  @Test
  void homeFound_afterMessagesHaveWaited_isTimedOnceForEachShard() {
    Region region = new Region();
    ClusterHooks.waitsForShard(region, "7");
    ClusterHooks.waitsForShard(region, "7");
    ClusterHooks.waitsForShard(region, "8");
    found(region, "7", "homes");
    found(region, "7", "homes");
    assertThat(homes("homes")).isEqualTo(1);
    found(region, "8", "homes");
    assertThat(homes("homes")).isEqualTo(2);
  }

  @Test
  void homeFound_nobodyHasWaited_isNotTimed() {
    Region region = new Region();
    found(region, "7", "unasked");
    assertThat(homes("unasked")).isZero();
  }

  @Test
  void homeFound_afterTheShardOfThisNodeHasStarted_isNotTimed() {
    Region region = new Region();
    ClusterHooks.waitsForShard(region, "7");
    ClusterHooks.shardStarted(region, "7");
    found(region, "7", "started");
    assertThat(homes("started")).isZero();
  }

  @Test
  void waitsForShard_veryMany_timesAsManyAsItsBound() {
    Region region = new Region();
    for (int i = 0; i < 2000; i++) {
      ClusterHooks.waitsForShard(region, Integer.toString(i));
    }
    for (int i = 0; i < 2000; i++) {
      found(region, Integer.toString(i), "many");
    }
    assertThat(homes("many")).isEqualTo(1024);
  }

  private static long events(Metric metric, String... values) {
    long[] counts = metric.tally().read().get(List.of(values));
    return counts == null ? 0 : Arrays.stream(counts, 0, Math.max(1, counts.length - 1)).sum();
  }

  @Test
  void handedOff_timesWhatTheWorkerTook_byTheNameInItsPath() {
    Worker worker = new Worker();
    ClusterHooks.handOffBegun(worker);
    assertThat(worker.number).isPositive();
    ClusterHooks.handedOff(worker, "handoff", String.format(WORKER, "handoff"), true);
    assertThat(events(Metric.HAND_OFF, "handoff", "Shopping Cart/1", "success")).isEqualTo(1);
    ClusterHooks.handedOff(worker, "handoff", String.format(WORKER, "handoff"), false);
    assertThat(events(Metric.HAND_OFF, "handoff", "Shopping Cart/1", "timeout"))
        .as("what has ended does not end again")
        .isZero();
  }

  @Test
  void heartbeat_afterTheFirst_isTimedFromTheOneBefore() {
    Worker detector = new Worker();
    ClusterHooks.heartbeat(detector, "pekko://beats@127.0.0.1:1");
    assertThat(events(Metric.HEARTBEAT_INTERVAL, "pekko://beats@127.0.0.1:1")).isZero();
    detector.number = Clock.now() - TimeUnit.SECONDS.toNanos(3);
    ClusterHooks.heartbeat(detector, "pekko://beats@127.0.0.1:1");
    long[] counts =
        Metric.HEARTBEAT_INTERVAL.tally().read().get(List.of("pekko://beats@127.0.0.1:1"));
    assertThat(Objects.requireNonNull(counts)[counts.length - 1])
        .isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(3));
    assertThat(events(Metric.HEARTBEAT_INTERVAL, "pekko://beats@127.0.0.1:1")).isEqualTo(1);
  }

  @Test
  void heartbeat_ofTheSelfTest_isNotCounted() {
    Worker detector = new Worker();
    detector.number = 1;
    long before = Metric.HEARTBEAT_INTERVAL.tally().sum();
    ClusterHooks.heartbeat(detector, null);
    assertThat(Metric.HEARTBEAT_INTERVAL.tally().sum()).isEqualTo(before);
    assertThat(detector.number).isNotEqualTo(1);
  }

  @Test
  void handedOff_durations_areInSeconds() {
    Worker worker = new Worker();
    worker.number = Clock.now() - TimeUnit.SECONDS.toNanos(2);
    ClusterHooks.handedOff(worker, "slow", String.format(WORKER, "slow"), false);
    long[] counts =
        Objects.requireNonNull(
            Metric.HAND_OFF.tally().read().get(List.of("slow", "Shopping Cart/1", "timeout")));
    assertThat(counts[counts.length - 1]).isBetween(2_000_000_000L, 60_000_000_000L);
  }

  @Test
  void readAndWritten_outcomes_areToldApart() {
    String path = "pekko://ddata/system/ddataReplicator/$b";
    String data = "x.GCounter";
    ClusterHooks.read(begun(), "ddata", path, true, true);
    ClusterHooks.read(begun(), "ddata", path, true, false);
    ClusterHooks.read(begun(), "ddata", path, false, false);
    ClusterHooks.written(begun(), "ddata", path, data, true, true);
    ClusterHooks.written(begun(), "ddata", path, data, false, true);
    ClusterHooks.written(begun(), "ddata", path, DELETED, false, false);
    for (String[] operation :
        List.of(
            new String[] {"get", "success"},
            new String[] {"get", "not_found"},
            new String[] {"get", "failure"},
            new String[] {"update", "success"},
            new String[] {"update", "timeout"},
            new String[] {"delete", "failure"})) {
      assertThat(events(Metric.DDATA_OPERATION, "ddata", operation[0], operation[1]))
          .as("%s %s", operation[0], operation[1])
          .isEqualTo(1);
    }
  }

  private static Worker begun() {
    Worker worker = new Worker();
    ClusterHooks.operationBegun(worker);
    return worker;
  }

  @Test
  void readAndWritten_ofTheSelfTest_areNotTold() {
    ClusterHooks.read(begun(), "hidden", "pekko://hidden/system/deimos-self-test/$a", true, true);
    assertThat(events(Metric.DDATA_OPERATION, "hidden", "get", "success")).isZero();
  }

  @Test
  void decided_oneForTheSakeOfTheOther_isOneDecision() {
    ClusterHooks.deciding();
    ClusterHooks.deciding();
    ClusterHooks.decided("sbr", "DownUnreachable", 1);
    ClusterHooks.decided("sbr", "AcquireLeaseAndDownIndirectlyConnected(1 second)", 3);
    assertThat(events(Metric.DOWNING_DECISIONS, "sbr", "down_unreachable")).isZero();
    String told = "acquire_lease_and_down_indirectly_connected";
    assertThat(events(Metric.DOWNING_DECISIONS, "sbr", told)).isEqualTo(1);
    assertThat(events(Metric.DOWNED_NODES, "sbr", told)).isEqualTo(3);
  }

  @Test
  void decided_thatCameToNoEnd_isNoDecision() {
    ClusterHooks.deciding();
    ClusterHooks.decided("sbr2", "DownAll", -1);
    ClusterHooks.deciding();
    ClusterHooks.decided("sbr2", "DownAll", 2);
    assertThat(events(Metric.DOWNING_DECISIONS, "sbr2", "down_all")).isEqualTo(1);
  }

  @Test
  void pushed_elements_areAddedAndForgotten() {
    Worker interpreter = new Worker();
    interpreter.number = 5;
    StreamElements.pushed(interpreter, "streams");
    StreamElements.pushed(interpreter, "streams");
    assertThat(events(Metric.STREAM_ELEMENTS, "streams")).isEqualTo(5);
  }
}
