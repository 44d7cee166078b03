// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Source;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.nodes.Nodes.Said;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.processes.ClashFinder.Topic;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.source.PageSource;
import io.deimos.recorder.base.Faults;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Compares what the processes on the page say of their clusters, every two seconds, and tells
 * contradictions that last. It looks on the threads of links, so it does nothing while no other
 * process has joined, and no more than a hundredth of the time.
 *
 * <p>A contradiction lasts as long as nodes of at least two sides repeat their words in new
 * readings, by each node's own clock. So neither words that are late nor clocks that differ make a
 * hand-over look like two.
 *
 * <p><b>Full.</b> {@value #MAX_TOLD} that were are told, and twice as many in all.
 */
public final class ClusterWatch implements Source {
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int REST = 100;
  private static final int MAX_TOLD = 100;

  private final Supplier<List<Said>> said;
  private final Supplier<Settings> settings;
  private final ClashFinder finder = new ClashFinder();
  private final ReentrantLock lock = new ReentrantLock();
  private Map<Topic, Held> held = Map.of();
  private final Map<Topic, ToldClash> told = new LinkedHashMap<>();
  private volatile long next = System.nanoTime();

  ClusterWatch(Supplier<List<Said>> said, Supplier<Settings> settings) {
    this.said = said;
    this.settings = settings;
  }

  /** Has the processes on a page compared from now on. */
  public static void begin(PageSource source, Nodes nodes) {
    Checks checks = source.checks();
    ClusterWatch watch =
        new ClusterWatch(
            () -> said(source, nodes), checks == null ? Settings::defaults : checks::settings);
    nodes.watch(watch::look, watch::trouble);
    if (checks != null) {
      checks.with(watch);
    }
  }

  /** The words of all processes on a page, its own first. */
  static List<Said> said(PageSource source, Nodes nodes) {
    Node own = nodes.own();
    List<Said> said = new ArrayList<>();
    said.add(new Said(own, own.state() == Node.State.PAGE ? null : SelfCluster.of(source)));
    said.addAll(nodes.clusters());
    return said;
  }

  /** Looks, if it is time. */
  void look() {
    if (System.nanoTime() - next >= 0 && lock.tryLock()) {
      try {
        long begun = System.nanoTime();
        try {
          compare();
        } catch (RuntimeException | LinkageError e) {
          Faults.caught(e); // a link goes on
        }
        long end = System.nanoTime();
        next = end + Math.max(LEAST_NANOS, REST * (end - begun));
      } finally {
        lock.unlock();
      }
    }
  }

  /** Compares now; under the lock. */
  void compare() {
    long nowMillis = System.currentTimeMillis();
    Settings inForce = settings.get();
    Map<Topic, Held> now = new LinkedHashMap<>();
    Map<Topic, List<Held>> lasting = new LinkedHashMap<>();
    finder
        .find(said.get())
        .forEach(
            (topic, claims) -> {
              Held one = Held.of(topic, claims, held.get(topic), nowMillis);
              now.put(topic, one);
              if (one.nanos() >= inForce.get(topic.kind().time()).toNanos()) {
                lasting.computeIfAbsent(topic.whole(), any -> new ArrayList<>()).add(one);
              }
            });
    held = now;
    told.forEach(
        (topic, one) -> {
          if (!lasting.containsKey(topic)) {
            one.end(nowMillis);
          }
        });
    lasting.forEach((topic, all) -> told.computeIfAbsent(topic, ToldClash::new).say(all));
    Iterator<ToldClash> each = told.values().iterator();
    while (told.size() > MAX_TOLD && each.hasNext()) {
      if (!each.next().isSo() || told.size() > 2 * MAX_TOLD) {
        each.remove();
      }
    }
  }

  List<TroubleGroup> trouble() {
    look();
    lock.lock();
    try {
      return told.values().stream().map(ToldClash::group).toList();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void look(Facts facts) {
    look();
    lock.lock();
    try {
      facts.leaveOut(finder.homesLeftOut());
      told.values().stream().filter(ToldClash::isSo).forEach(one -> facts.add(one.clash()));
    } finally {
      lock.unlock();
    }
  }
}
