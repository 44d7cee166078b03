// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.agent.observer.ActorLine;
import io.deimos.agent.observer.ActorQuery;
import io.deimos.agent.observer.Observer;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives each {@link ActorsNeverStopped.Population}. The oldest actors are looked at when somebody
 * asks.
 */
final class PopulationSource implements Source {
  private static final String STARTED = "started";

  /** Classes with fewer actors are not noted. */
  private static final int MANY = 50;

  private static final int OLDEST = 100;

  private final Observer observer;

  PopulationSource(Observer observer) {
    this.observer = observer;
  }

  @Override
  public void note(Past.Notes notes) {
    unstopped()
        .forEach(
            (type, started) -> {
              if (started >= MANY) {
                notes.count(STARTED, type, started);
              }
            });
  }

  /** How many actors were made of each class of which none has stopped. */
  private static Map<String, Long> unstopped() {
    Map<String, Long> started = new HashMap<>();
    Set<String> stopped = new HashSet<>();
    for (ActorKind kind : ActorKinds.all()) {
      if (kind.stopped() > 0) {
        stopped.add(kind.className());
      } else if (!kind.isSilent() && !kind.isHidden()) {
        started.merge(kind.className(), kind.started(), Long::sum);
      }
    }
    started.keySet().removeAll(stopped);
    started.remove(ActorKinds.OTHER);
    return started;
  }

  @Override
  public void look(Facts facts) {
    Set<String> unstopped = unstopped().keySet();
    for (String type : facts.subjects(STARTED)) {
      if (unstopped.contains(type)) {
        facts.add(
            new ActorsNeverStopped.Population(
                type, facts.past(STARTED, type), idleShare(type, facts)));
      }
    }
  }

  private double idleShare(String type, Facts facts) {
    List<ActorLine> oldest =
        observer
            .page(
                new ActorQuery(ActorQuery.Sort.AGE, true, List.of(), type, "", "", false),
                0,
                OLDEST,
                facts.scan())
            .lines();
    long idle = oldest.stream().filter(line -> line.work().ratePerSecond() == 0).count();
    return oldest.isEmpty() ? 0 : (double) idle / oldest.size();
  }
}
