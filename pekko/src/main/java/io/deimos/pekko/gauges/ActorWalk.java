// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.counts.Mailboxes;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.woven.NumberFields;
import io.deimos.recorder.woven.RefFields;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.StashSupport;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.PinnedDispatcher;
import org.apache.pekko.routing.RoutedActorCell;
import org.jspecify.annotations.Nullable;

/**
 * Looks at actors one after another, parents first, and never at more than {@value #MOST} in one
 * go. Actors are not asked; what another thread changes meanwhile is seen as it is.
 */
final class ActorWalk implements SystemGauges.Part {
  private static final int MOST = 20_000;
  private static final int COUNTED = 100_000;

  private final ExtendedActorSystem system;
  private final Executors executors;
  private final ShardCounts shards;
  private final Consumer<String> problems;

  /** Classes of Pekko's actors that have another shape in this version, each told once. */
  private final Set<String> unreadable = new HashSet<>();

  private @Nullable String address;

  ActorWalk(ExtendedActorSystem system, Executors executors, Consumer<String> problems) {
    this.system = system;
    this.executors = executors;
    this.problems = problems;
    this.shards = new ShardCounts(system.name());
  }

  @Override
  public String what() {
    return "mailboxes, stashes, routers and shards";
  }

  @Override
  public void read(Readings into) throws ReflectiveOperationException {
    Queue<ActorRef> next = new ArrayDeque<>();
    next.add(system.provider().rootGuardian());
    int seen = 0;
    for (ActorRef ref = next.poll(); ref != null; ref = next.poll()) {
      if (!(ref instanceof ActorRefWithCell with)
          || !(with.underlying() instanceof ActorCell cell)) {
        continue;
      }
      if (cell.dispatcher() instanceof PinnedDispatcher pinned) {
        executors.pinned(pinned, into);
      }
      int children = 0;
      for (scala.collection.Iterator<ActorRef> i = cell.children().iterator();
          i.hasNext() && seen < MOST; ) {
        next.add(i.next());
        seen++;
        children++;
      }
      look(ref, cell, children, into);
    }
    shards.settle();
  }

  private void look(ActorRef ref, ActorCell cell, int children, Readings into) {
    if (!(((RefFields) (Object) ref).deimos$identity() instanceof ActorTelemetry telemetry)) {
      return;
    }
    ActorKind kind = telemetry.kind();
    boolean shown = !kind.isSilent() && !kind.isHidden();
    boolean measured = shown && Mailboxes.areMeasured();
    long waiting = measured || Mailboxes.areWanted() ? waiting(cell) : 0;
    into.mailboxes().add(telemetry.id(), waiting, children);
    if (measured) {
      into.add(Metric.MAILBOX_SIZE, waiting, system.name(), kind.className());
      into.raise(Metric.MAILBOX_LARGEST, waiting, system.name(), kind.className());
    }
    if (shown) {
      if (cell.actor() instanceof StashSupport stash) {
        int stashed = stash.org$apache$pekko$actor$StashSupport$$theStash().size();
        into.add(Metric.STASH_SIZE, stashed, system.name(), kind.className());
        if (stash.org$apache$pekko$actor$StashSupport$$capacity() <= 0) {
          into.addUnboundedStash(telemetry.id(), stashed);
        }
      }
    } else if (cell instanceof RoutedActorCell routed && routed.router() != null) {
      into.add(
          Metric.ROUTEES,
          routed.router().routees().size(),
          system.name(),
          routed.routeeProps().actorClass().getName());
    } else if (cell.actor() != null) {
      pekkos(ref, cell, cell.actor(), into);
    }
  }

  /**
   * At most {@value #COUNTED}: the usual queue has no count, and is walked. A queue with a priority
   * is asked for its size, since to walk it is to copy it while its senders wait.
   */
  static long waiting(ActorCell cell) {
    if (!cell.mailbox().hasMessages()) {
      return 0;
    }
    MessageQueue queue = cell.mailbox().messageQueue();
    if (queue instanceof ConcurrentLinkedQueue<?> linked) {
      int count = 0;
      for (Iterator<?> i = linked.iterator(); i.hasNext() && count < COUNTED; i.next()) {
        count++;
      }
      return count;
    }
    return queue.numberOfMessages();
  }

  private void pekkos(ActorRef ref, ActorCell cell, Actor actor, Readings into) {
    String name = actor.getClass().getName();
    if (unreadable.contains(name)) {
      return;
    }
    try {
      // no switch: it holds the names' hash codes, which nobody renames for Akka
      if (name.equals("org.apache.pekko.cluster.sharding.ShardRegion")) {
        region(actor, into);
      } else if (name.equals("org.apache.pekko.cluster.sharding.Shard")) {
        shard(actor, into);
      } else if (name.equals("org.apache.pekko.cluster.singleton.ClusterSingletonManager")) {
        int singletons = hasNamedChild(cell) ? 1 : 0;
        into.add(Metric.CLUSTER_SINGLETON, singletons, system.name(), ref.path().name());
        if (singletons > 0) {
          into.addHome(address(), "", ref.path().toStringWithoutAddress());
        }
      } else if (name.equals("org.apache.pekko.cluster.ddata.Replicator")) {
        into.add(Metric.DDATA_ENTRIES, size(Reflect.call(actor, "dataEntries")), system.name());
      }
    } catch (InvocationTargetException | ConcurrentModificationException e) {
      // its actor changed it while it was read: the next time will do
    } catch (ReflectiveOperationException e) {
      unreadable.add(name);
      problems.accept(SystemGauges.unreadable(name, e));
    }
  }

  /** As the cluster knows this node. */
  private String address() {
    String known = address;
    if (known == null) {
      known = system.provider().getDefaultAddress().toString();
      address = known;
    }
    return known;
  }

  /** The singleton has a name, by default "singleton"; a manager's own helper has none. */
  private static boolean hasNamedChild(ActorCell manager) {
    for (scala.collection.Iterator<ActorRef> i = manager.children().iterator(); i.hasNext(); ) {
      if (!i.next().path().name().startsWith("$")) {
        return true;
      }
    }
    return false;
  }

  private void region(Actor region, Readings into) throws ReflectiveOperationException {
    String type = text(region, "typeName");
    into.add(Metric.SHARDING_REGIONS, size(Reflect.call(region, "regions")), system.name(), type);
    into.add(Metric.SHARDING_SHARDS, size(Reflect.call(region, "shards")), system.name(), type);
    into.add(Metric.SHARDING_ENTITIES, 0, system.name(), type);
    Object buffers = Reflect.call(region, "shardBuffers");
    into.add(
        Metric.SHARDING_BUFFERED,
        (Integer) Reflect.call(buffers, "totalSize"),
        system.name(),
        type);
  }

  private void shard(Actor shard, Readings into) throws ReflectiveOperationException {
    String type = text(shard, "typeName");
    Object entities = Reflect.call(shard, "entities");
    int active = (Integer) Reflect.call(entities, "nrActiveEntities");
    into.add(Metric.SHARDING_ENTITIES, active, system.name(), type);
    into.raise(Metric.SHARDING_LARGEST, active, system.name(), type);
    String id = text(shard, "shardId");
    into.addHome(address(), type, id);
    if (shard instanceof NumberFields && entities instanceof NumberFields) {
      shards.see(shard, type, id, entities);
    }
    Object buffers = Reflect.call(shard, "messageBuffers");
    into.add(
        Metric.SHARDING_BUFFERED,
        (Integer) Reflect.call(buffers, "totalSize"),
        system.name(),
        type);
  }

  private static String text(Actor actor, String field) throws ReflectiveOperationException {
    return String.valueOf(Reflect.field(actor.getClass(), field).get(actor));
  }

  private static int size(Object collection) throws ReflectiveOperationException {
    return ((scala.collection.Iterable<?>) collection).size();
  }
}
