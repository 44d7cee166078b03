// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.List;
import java.util.function.Consumer;

/** All scenarios by name; the name is also that of the scenario's actor system. */
public final class Scenarios {
  /**
   * Looked through in this order; what stands behind the one sought is not even loaded. Not method
   * references, which load the class they name: not every class path has all that they need.
   */
  private static final List<Consumer<Scenes>> GROUPS =
      List.of(
          seen -> Lifecycles.addTo(seen),
          seen -> Faulty.addTo(seen),
          seen -> Histories.addTo(seen),
          seen -> WholeHistories.addTo(seen),
          seen -> ClassicSending.addTo(seen),
          seen -> ClassicAsks.addTo(seen),
          seen -> Routing.addTo(seen),
          seen -> Later.addTo(seen),
          seen -> Supervision.addTo(seen),
          seen -> TypedSending.addTo(seen),
          seen -> TypedSupervision.addTo(seen),
          seen -> Delivering.addTo(seen),
          seen -> Mailboxes.addTo(seen),
          seen -> Dispatchers.addTo(seen),
          seen -> InCaller.addTo(seen),
          seen -> UserSpans.addTo(seen),
          seen -> UserLogs.addTo(seen),
          seen -> MdcLogs.addTo(seen),
          seen -> Leaving.addTo(seen),
          seen -> Controlled.addTo(seen),
          seen -> Profiled.addTo(seen),
          seen -> Slow.addTo(seen),
          seen -> Ticking.addTo(seen),
          seen -> Looping.addTo(seen),
          seen -> Marked.addTo(seen),
          seen -> MarkedKinds.addTo(seen),
          seen -> Troubles.addTo(seen),
          seen -> Many.addTo(seen),
          seen -> Flooding.addTo(seen),
          seen -> Parts.addTo(seen),
          seen -> Levels.addTo(seen),
          seen -> Unanswered.addTo(seen),
          seen -> Remoting.addTo(seen),
          seen -> Streaming.addTo(seen),
          seen -> addScalas(seen),
          seen -> Broadcasting.addTo(seen),
          seen -> Carrying.addTo(seen),
          seen -> CarryingFar.addTo(seen),
          seen -> Mixed.addTo(seen),
          seen -> Persisting.addTo(seen),
          seen -> Projecting.addTo(seen),
          seen -> Backlog.addTo(seen),
          seen -> CarryingEvents.addTo(seen),
          seen -> PersistentHistory.addTo(seen),
          seen -> ClusterHistory.addTo(seen),
          seen -> CarryingShards.addTo(seen),
          seen -> Waiting.addTo(seen),
          seen -> Messaging.addTo(seen),
          seen -> Serving.addTo(seen),
          seen -> Bodies.addTo(seen),
          seen -> Rounds.addTo(seen),
          seen -> Ailing.addTo(seen),
          seen -> Alarms.addTo(seen));

  private Scenarios() {}

  /** Compiled after these, by the other compiler. */
  public static void addScalas(Scenes all) {
    try {
      Class.forName("scenarios.ScalaSending").getMethod("addTo", Scenes.class).invoke(null, all);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the scenarios in Scala are not there", e);
    }
  }

  static Scenario named(String name) {
    Scenes seen = new Scenes();
    IllegalArgumentException unknown = new IllegalArgumentException("no scenario " + name);
    for (Consumer<Scenes> group : GROUPS) {
      try {
        group.accept(seen);
      } catch (NoClassDefFoundError e) {
        unknown.addSuppressed(e);
      }
      Scenario scenario = seen.named(name);
      if (scenario != null) {
        return scenario;
      }
    }
    throw unknown;
  }
}
