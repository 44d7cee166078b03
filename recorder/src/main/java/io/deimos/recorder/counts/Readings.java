// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.base.Distinct;
import io.deimos.recorder.base.RecorderConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The gauges of all actor systems, as read off at one time. Not for use by two threads. */
public final class Readings {
  private static final int MAX_CLUSTERS = 16;
  private static final int MAX_JAVA_SERIALIZED = 100;
  private static final int MAX_DISPATCHERS = 1000;

  /** So many shards and singletons of a process are told one by one. */
  public static final int MAX_HOMES = 2_000;

  private static final int MAX_ID = 200;

  /** So many stashes are told one by one, and shorter ones are not. */
  private static final int MAX_STASHES = 100;

  private static final int LONG_STASH = 100;

  private final Map<Metric, Map<List<String>, Long>> values = new EnumMap<>(Metric.class);
  private final Map<Metric, Distinct> folded = new EnumMap<>(Metric.class);
  private final Mailboxes mailboxes = new Mailboxes();
  private final List<ClusterLook> clusters = new ArrayList<>();
  private final List<Home> homes = new ArrayList<>();
  private int homesTold;
  private int homesLeftOut;
  private long atNanos;
  private final Map<Integer, Integer> stashes = new HashMap<>();
  private final Set<String> javaSerialized = new TreeSet<>();
  private final Map<String, Integer> throughputs = new HashMap<>();

  /** Adds to what a gauge shows for the values of its attributes. */
  public void add(Metric metric, long value, String... attributes) {
    Map<List<String>, Long> series = values.computeIfAbsent(metric, m -> new HashMap<>());
    List<String> key = List.of(attributes);
    series.merge(within(metric, series, key), value, Long::sum);
  }

  /** Raises what a gauge shows to a value. */
  public void raise(Metric metric, long value, String... attributes) {
    Map<List<String>, Long> series = values.computeIfAbsent(metric, m -> new HashMap<>());
    series.merge(within(metric, series, List.of(attributes)), value, Math::max);
  }

  private List<String> within(
      Metric metric, Map<List<String>, Long> series, List<String> attributes) {
    if (series.containsKey(attributes)
        || series.size() < RecorderConfig.current().series().max() - 1) {
      return attributes;
    }
    folded.computeIfAbsent(metric, m -> new Distinct()).add(attributes);
    return Collections.nCopies(attributes.size(), "other");
  }

  /** About how many series of a gauge are read under {@code other}. */
  public int folded(Metric metric) {
    Distinct of = folded.get(metric);
    return of == null ? 0 : of.count();
  }

  /** The readings of a gauge. */
  public Map<List<String>, Long> of(Metric metric) {
    return values.getOrDefault(metric, Map.of());
  }

  /** Adds a cluster; of more than {@value #MAX_CLUSTERS} the others are not told. */
  public void add(ClusterLook cluster) {
    if (clusters.size() < MAX_CLUSTERS) {
      clusters.add(cluster);
    }
  }

  /** The clusters that this process is in, one for each actor system. */
  public List<ClusterLook> clusters() {
    return Collections.unmodifiableList(clusters);
  }

  /**
   * Some of the shards of one type on one node, or of its singletons.
   *
   * @param address the node's own
   * @param type of the entities; empty for singletons
   * @param ids of shards, or paths of singletons' managers; up to {@link ClusterLook#MAX_NAMES}
   */
  public record Home(String address, String type, List<String> ids) {}

  /** Adds a shard by its id, or a singleton by its manager's path, that is alive on a node. */
  public void addHome(String address, String type, String id) {
    if (homesTold == MAX_HOMES || id.length() > MAX_ID) {
      homesLeftOut++;
      return;
    }
    Home last = homes.isEmpty() ? null : homes.get(homes.size() - 1);
    if (last == null
        || !last.type.equals(type)
        || !last.address.equals(address)
        || last.ids.size() == ClusterLook.MAX_NAMES) {
      last = new Home(address, type, new ArrayList<>());
      homes.add(last);
    }
    last.ids.add(id);
    homesTold++;
  }

  /** The shards and singletons that are alive here. */
  public List<Home> homes() {
    return Collections.unmodifiableList(homes);
  }

  /** How many there are beyond {@link #MAX_HOMES}, or with very long names. */
  public int homesLeftOut() {
    return homesLeftOut;
  }

  /** Says when this was read, by the recorder's clock. */
  public void at(long nanos) {
    atNanos = nanos;
  }

  /** When this was read; 0 if nothing has been read yet. */
  public long atNanos() {
    return atNanos;
  }

  /** Notes the stash of one actor, if that has no bound. */
  public void addUnboundedStash(int actor, int messages) {
    if (messages >= LONG_STASH && actor != 0 && stashes.size() < MAX_STASHES) {
      stashes.put(actor, messages);
    }
  }

  /** How many messages are in long stashes without a bound, by the actor's number. */
  public Map<Integer, Integer> unboundedStashes() {
    return Collections.unmodifiableMap(stashes);
  }

  /**
   * Adds a class that was handed to Java's serialization; beyond {@value #MAX_JAVA_SERIALIZED} the
   * others are not told.
   */
  public void javaSerialized(String className) {
    if (javaSerialized.size() < MAX_JAVA_SERIALIZED) {
      javaSerialized.add(className);
    }
  }

  /** The classes that were handed to Java's serialization. */
  public Set<String> javaSerialized() {
    return Collections.unmodifiableSet(javaSerialized);
  }

  /** Notes how many messages an actor may process before its dispatcher's thread goes on. */
  public void throughput(String dispatcher, int messages) {
    if (throughputs.size() < MAX_DISPATCHERS) {
      throughputs.put(dispatcher, messages);
    }
  }

  /** The throughputs of the dispatchers that bound a turn by nothing else. */
  public Map<String, Integer> throughputs() {
    return Collections.unmodifiableMap(throughputs);
  }

  /** The looks at single actors. */
  public Mailboxes mailboxes() {
    return mailboxes;
  }
}
