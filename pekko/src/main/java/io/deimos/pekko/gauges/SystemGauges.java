// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.housekeeping.GaugeReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.jspecify.annotations.Nullable;

/** Everything that is read off one actor system. */
public final class SystemGauges implements GaugeReader {
  private static final String STREAMS = "org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter";

  private final ExtendedActorSystem system;
  private final List<Part> parts = new ArrayList<>();
  private final Consumer<String> problems;

  /**
   * Made by name, from the agent.
   *
   * @param problems told of what cannot be read on this version of Pekko
   */
  public SystemGauges(Object started, Consumer<String> problems) {
    this.problems = problems;
    system = (ExtendedActorSystem) started;
    Executors executors = new Executors(system);
    parts.add(executors);
    parts.add(new ActorWalk(system, executors, problems));
    parts.add(new Lateness(system));
    addIfThere("org.apache.pekko.cluster.Cluster", "ClusterState");
    addIfThere("org.apache.pekko.remote.artery.ArteryTransport", "Peers");
    addIfThere("org.apache.pekko.actor.typed.internal.StashBufferImpl", "TypedStashes");
    addIfThere("org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl", "TypedRouters");
  }

  /** What needs an optional module is loaded only if the module is there. */
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
    /** Whose gauges it reads. */
    String what();

    void read(Readings into) throws ReflectiveOperationException;
  }
}
