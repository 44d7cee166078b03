// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.recorder.counts.ClusterLook;
import io.deimos.recorder.counts.Readings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words of one process on the clusters it is in, on its ways to other nodes, and on its
 * settings. An unknown value is null.
 *
 * @param views a cluster for each of its actor systems
 * @param settings those that are not as they are by default
 * @param alive the shards and singletons that run here
 * @param leftOut how many things of all kinds had no room
 */
public record ClusterCard(
    List<ClusterLook> views,
    List<Singleton> singletons,
    List<Shards> shards,
    List<Heavy> heavy,
    List<Line> lines,
    List<Setting> settings,
    Alive alive,
    int leftOut) {
  /**
   * A singleton's manager.
   *
   * @param isHere whether the singleton runs here
   */
  public record Singleton(String system, String name, boolean isHere) {}

  /**
   * The region of one type of entity.
   *
   * @param largest entities in its largest shard
   * @param buffered messages that wait for a shard or an entity
   */
  public record Shards(
      String system, String type, long shards, long entities, long largest, long buffered) {}

  /**
   * The shards and singletons that are alive here.
   *
   * @param readAtNanos when all this was read, by a clock of the process's own
   */
  public record Alive(long readAtNanos, List<Readings.Home> homes) {}

  /**
   * One of the shards that get the most messages.
   *
   * @param messages since it is here
   */
  public record Heavy(String system, String type, String shard, long messages) {}

  /**
   * The way to one other node.
   *
   * @param peer its address
   * @param sent what is sent to it
   * @param queued messages that wait to be sent
   * @param dropped messages that were lost on this side
   * @param heartbeatP99Nanos time between two of its heartbeats
   * @param phi how far the failure detector suspects it
   * @param batchMean messages in a batch
   * @param flushP99Nanos until a batch is written to the socket
   */
  public record Line(
      String peer,
      @Nullable Rate sent,
      long queued,
      @Nullable Long dropped,
      @Nullable Double heartbeatP99Nanos,
      @Nullable Double phi,
      @Nullable Double batchMean,
      @Nullable Double flushP99Nanos) {
    /** 0 if it is not known. */
    public double messagesPerSecond() {
      return sent == null ? 0 : sent.messages;
    }
  }

  /** Messages and bytes to one node in a second. */
  public record Rate(double messages, double bytes) {}

  /** A setting of Deimos. */
  public record Setting(String key, String value) {}
}
