// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.housekeeping.ActorInside;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.housekeeping.GaugeReader;
import io.deimos.recorder.housekeeping.MessageSearch;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.jspecify.annotations.Nullable;

/** Everything that is read off one actor system. */
public final class SystemGauges implements GaugeReader {
  private static final String STREAMS = "org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter";

  private final ExtendedActorSystem system;
  private final List<Part> parts = new CopyOnWriteArrayList<>();
  private final Consumer<String> problems;

  private final Visits visits;

  /** The parts that cannot be searched on this version of Pekko, each told once. */
  private final Set<String> unsearchable = ConcurrentHashMap.newKeySet();

  /**
   * Made by name, from the agent.
   *
   * @param problems told of what cannot be read on this version of Pekko
   */
  public SystemGauges(Object started, Consumer<String> problems) {
    this.problems = problems;
    system = (ExtendedActorSystem) started;
    visits = new Visits(system);
    Executors executors = new Executors(system);
    parts.add(executors);
    parts.add(new ActorWalk(system, executors, problems));
    parts.add(new Lateness(system));
    parts.add(new NodeIdentity(system));
    parts.add(new Serializers(system));
    addIfThere("org.apache.pekko.cluster.Cluster", "ClusterState");
    addIfThere("org.apache.pekko.cluster.Cluster", "ClusterMembers");
    addIfThere("org.apache.pekko.remote.artery.ArteryTransport", "Peers");
    addIfThere("org.apache.pekko.actor.typed.internal.StashBufferImpl", "TypedStashes");
    addIfThere("org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl", "TypedRouters");
  }

  /** Gauges that need an optional module are loaded only if the module is there. */
  private void addIfThere(String needed, String part) {
    try {
      Class.forName(needed, false, system.getClass().getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return;
    }
    parts.add(
        switch (part) {
          case "Peers" -> new Peers(system);
          case "TypedStashes" -> new TypedStashes(system);
          case "TypedRouters" -> new TypedRouters(system);
          case "ClusterMembers" -> new ClusterMembers(system);
          default -> new ClusterState(system);
        });
  }

  @Override
  public boolean read(Readings into) {
    if (isEnding()) {
      return false;
    }
    parts.removeIf(part -> !tried(part, into));
    streams(into);
    return true;
  }

  @Override
  public @Nullable ActorLook look(String path) {
    return isEnding() ? null : OneActor.look(system, path);
  }

  @Override
  public @Nullable ActorInside inside(String path) {
    return isEnding() ? null : visits.inside(path);
  }

  @Override
  public void search(MessageSearch search) {
    if (isEnding()) {
      return;
    }
    WaitingMessages.search(system, search);
    tried("asks without an answer", () -> AskSearch.search(system, search));
    for (Part part : parts) {
      if (search.goesOn()) {
        tried(part.what(), () -> part.search(search));
      }
    }
  }

  /** A part that cannot be searched is told once, and the rest goes on. */
  private void tried(String what, Looking looking) {
    try {
      looking.look();
    } catch (ReflectiveOperationException | LinkageError e) {
      if (!isEnding() && unsearchable.add(what)) {
        problems.accept(
            "messages cannot be looked for among the "
                + what
                + " on this version of Pekko ("
                + e
                + "); the rest is searched. Use a supported version, or report it");
      }
    } catch (RuntimeException e) {
      if (!isEnding()) {
        Faults.caught(e);
      }
    }
  }

  private boolean isEnding() {
    return system.whenTerminated().isCompleted() || system.systemImpl().isTerminating();
  }

  /** A part that fails is left out from then on, and the rest goes on. */
  private boolean tried(Part part, Readings into) {
    try {
      part.read(into);
      return true;
    } catch (ReflectiveOperationException | LinkageError e) {
      if (!isEnding()) {
        problems.accept(unreadable(part.what(), e));
      }
    } catch (RuntimeException e) {
      if (!isEnding()) { // what fails then is that there is no scheduler any more, say
        Faults.caught(e);
      }
    }
    return false;
  }

  /** Says that some gauges are not there. */
  static String unreadable(String what, Throwable why) {
    return "the gauges of "
        + what
        + " cannot be read on this version of Pekko ("
        + why
        + "); the rest is recorded. Use a supported version, or report it";
  }

  private void streams(Readings into) {
    long running = 0;
    for (ActorKind kind : ActorKinds.all()) {
      if (kind.className().equals(STREAMS) && kind.system().equals(system.name())) {
        running += kind.live();
      }
    }
    into.add(Metric.STREAMS, running, system.name());
  }

  /** One subject. */
  interface Part {
    /** The actor system whose gauges it reads. */
    String what();

    void read(Readings into) throws ReflectiveOperationException;

    /** Shows what waits to somebody who looks for a message. By any thread. */
    default void search(MessageSearch search) throws ReflectiveOperationException {}
  }

  private interface Looking {
    void look() throws ReflectiveOperationException;
  }
}
