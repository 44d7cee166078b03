// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.trouble.WaitingTask;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.dispatch.Dispatcher;
import org.apache.pekko.dispatch.Dispatchers;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.apache.pekko.dispatch.PinnedDispatcher;
import org.jspecify.annotations.Nullable;

/**
 * The executors of the dispatchers that actors share, and those of single actors, which the walk
 * over the actors finds. One that has not started yet is left alone.
 *
 * <p>How long tasks wait is tried out where an executor is shared: one empty task at a time, and
 * only where all threads are busy that there may be. Where one is idle, or could be started, the
 * wait is nothing and no task is needed to know it; one each second would start threads that nobody
 * else needs, or keep them from ending. That does not hold for virtual threads, so there it is
 * always tried out. The wait is not known for executors that do not tell.
 */
final class Executors implements SystemGauges.Part {
  private final ExtendedActorSystem system;
  private final Map<?, ?> configurators;
  private final Map<MessageDispatcher, Probe> probes = new HashMap<>();

  Executors(ExtendedActorSystem system) {
    this.system = system;
    this.configurators = configurators(system.dispatchers());
  }

  private static Map<?, ?> configurators(Dispatchers of) {
    try {
      Object map = Reflect.field(Dispatchers.class, "dispatcherConfigurators").get(of);
      return (Map<?, ?>) java.util.Objects.requireNonNull(map);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no dispatchers to read", e);
    }
  }

  @Override
  public String what() {
    return "dispatchers";
  }

  @Override
  public void read(Readings into) throws ReflectiveOperationException {
    Set<MessageDispatcher> seen = new HashSet<>();
    for (Object configurator : configurators.values()) {
      MessageDispatcher dispatcher = instance(configurator);
      if (dispatcher instanceof Dispatcher known && seen.add(known)) {
        read(known, into);
      }
    }
    probes.keySet().retainAll(seen);
  }

  /** Not asked for by the configurator's method, which makes a new one where none is shared. */
  private static @Nullable MessageDispatcher instance(Object configurator)
      throws ReflectiveOperationException {
    Field field = Reflect.fieldOrNull(configurator.getClass(), "instance");
    return field == null ? null : (MessageDispatcher) field.get(configurator);
  }

  /** One of an actor's own; all under one name are added up. */
  void pinned(PinnedDispatcher dispatcher, Readings into) throws ReflectiveOperationException {
    levels(dispatcher, into);
  }

  private void read(Dispatcher dispatcher, Readings into) throws ReflectiveOperationException {
    Levels levels = levels(dispatcher, into);
    if (levels == null) {
      return;
    }
    if (dispatcher.throughputDeadlineTime().toMillis() <= 0) {
      into.throughput(dispatcher.id(), dispatcher.throughput());
    }
    switch (levels.pool().room()) {
      case SOME -> Metric.DISPATCHER_WAIT.tally().duration(0, levels.names());
      case NONE ->
          probes
              .computeIfAbsent(dispatcher, d -> new Probe(levels.names()))
              .send(levels.executor());
      case UNKNOWN -> {}
    }
  }

  private @Nullable Levels levels(Dispatcher dispatcher, Readings into)
      throws ReflectiveOperationException {
    Object delegate = dispatcher.executorService();
    if (!(Reflect.lazy(delegate, "executor") instanceof ExecutorService executor)) {
      return null;
    }
    Probe probe = probes.get(dispatcher);
    boolean waited = Probe.waits(probe);
    Pool pool = Pool.of(executor);
    boolean ours = waited && Probe.waits(probe);
    String[] names = {system.name(), dispatcher.id(), pool.type()};
    add(into, Metric.DISPATCHER_PARALLELISM, pool.parallelism(), names);
    add(into, Metric.DISPATCHER_THREADS, pool.threads(), names);
    add(into, Metric.DISPATCHER_ACTIVE, pool.active(), names);
    add(
        into,
        Metric.DISPATCHER_QUEUED,
        ours && pool.queued() != null
            ? Long.valueOf(Math.max(0, pool.queued() - 1))
            : pool.queued(),
        names);
    add(into, Metric.DISPATCHER_ACTORS, dispatcher.inhabitants(), names);
    return new Levels(executor, pool, names);
  }

  /** An executor that has started, and the names under which it is told. */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Levels(ExecutorService executor, Pool pool, String[] names) {}

  /** Whether a task that is handed in now finds a thread. */
  private enum Room {
    /** At once, be it a new one. */
    SOME,
    /** Not before another task is done; and no thread is started for it. */
    NONE,
    UNKNOWN
  }

  private static void add(Readings into, Metric metric, @Nullable Long value, String... names) {
    if (value != null) {
      into.add(metric, value, names);
    }
  }

  /** An empty task that tells how long it waited; never two at a time. */
  private static final class Probe implements Runnable {
    private final String[] names;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private final WaitingTask task;

    Probe(String[] names) {
      this.names = names;
      this.task = new WaitingTask(names[0], names[1]);
    }

    /** Whether there is one among the tasks that wait. */
    static boolean waits(@Nullable Probe probe) {
      return probe != null && probe.underWay.get();
    }

    void send(ExecutorService to) {
      if (underWay.compareAndSet(false, true)) {
        task.handedIn();
        boolean waits = false;
        try {
          to.execute(this);
          waits = true;
        } catch (RejectedExecutionException e) {
          // it is ending, or full: then nothing waits in it
        } finally {
          if (!waits) { // whatever a user's executor has thrown, it must not look starved for ever
            task.taken();
            underWay.set(false);
          }
        }
      }
    }

    @Override
    public void run() {
      Metric.DISPATCHER_WAIT.tally().duration(task.taken(), names);
      underWay.set(false);
    }
  }

  /**
   * The figures that an executor tells of itself.
   *
   * @param type as an attribute names it
   * @param parallelism null, as the others, if it does not tell
   */
  private record Pool(
      String type,
      @Nullable Long parallelism,
      @Nullable Long threads,
      @Nullable Long active,
      @Nullable Long queued,
      Room room) {
    /** Places in a queue that others may take while a task is handed in. */
    private static final int SPARE = 64;

    static Pool of(Object executor) throws ReflectiveOperationException {
      String name = executor.getClass().getName();
      if (executor instanceof ForkJoinPool pool) {
        return new Pool(
            "fork-join",
            (long) pool.getParallelism(),
            (long) pool.getPoolSize(),
            (long) pool.getActiveThreadCount(),
            pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount(),
            pool.getActiveThreadCount() < pool.getParallelism() ? Room.SOME : Room.NONE);
      }
      if (executor instanceof ThreadPoolExecutor pool) {
        return new Pool(
            "thread-pool",
            (long) pool.getCorePoolSize(),
            (long) pool.getPoolSize(),
            (long) pool.getActiveCount(),
            (long) pool.getQueue().size(),
            room(pool));
      }
      if (name.endsWith(".AffinityPool")) {
        return affinity(executor);
      }
      Field underlying = Reflect.fieldOrNull(executor.getClass(), "underlying");
      Object below = underlying == null ? null : underlying.get(executor);
      if (name.endsWith(".VirtualizedExecutorService") && below != null) {
        Pool pool = of(below);
        return new Pool(
            "virtual-thread", pool.parallelism, pool.threads, pool.active, pool.queued, Room.NONE);
      }
      return name.contains("Virtual") || name.contains("ThreadPerTask")
          ? new Pool(
              "virtual-thread",
              VirtualThreads.parallelism(),
              VirtualThreads.threads(),
              VirtualThreads.active(),
              VirtualThreads.queued(),
              Room.NONE) // a task has a thread of its own, and waits for a carrier
          : new Pool("other", null, null, null, null, Room.UNKNOWN);
    }

    /** A pool makes threads up to its core's size, and more if its queue takes no task. */
    private static Room room(ThreadPoolExecutor pool) {
      int threads = pool.getPoolSize();
      if (threads < pool.getCorePoolSize() || pool.getActiveCount() < threads) {
        return Room.SOME;
      }
      boolean mayGrow = threads < pool.getMaximumPoolSize();
      return mayGrow && pool.getQueue().remainingCapacity() < SPARE ? Room.UNKNOWN : Room.NONE;
    }

    private static Pool affinity(Object executor) throws ReflectiveOperationException {
      Object[] queues = (Object[]) Reflect.field(executor.getClass(), "workQueues").get(executor);
      long queued = 0;
      for (Object queue : queues == null ? new Object[0] : queues) {
        queued += ((org.apache.pekko.dispatch.AbstractBoundedNodeQueue<?>) queue).size();
      }
      long parallelism = Reflect.field(executor.getClass(), "parallelism").getInt(executor);
      return new Pool("affinity", parallelism, parallelism, null, queued, Room.NONE);
    }
  }
}
