// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.agent.observer.ActorLine;
import io.deimos.agent.observer.Observer;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Actors;
import java.util.PriorityQueue;

/** Gives the actors that were {@link Restarted} most often. Looks for them only after a restart. */
public final class RestartSource implements Source {
  private static final String NAME = "restarts";
  private static final int MAX_ACTORS = 32;

  private final Observer observer;
  private long seen;

  public RestartSource(Observer observer) {
    this.observer = observer;
  }

  @Override
  public void note(Past.Notes notes) {
    long restarts = ActorKinds.all().stream().mapToLong(ActorKind::restarted).sum();
    if (restarts == seen) {
      return;
    }
    seen = restarts;
    PriorityQueue<Long> most = new PriorityQueue<>();
    Actors.forEach(
        actor -> {
          int times = Actors.restarts(actor);
          if (times > 0 && !actor.hasStopped() && !actor.kind().isHidden()) {
            most.add((long) times << 32 | actor.id());
            if (most.size() > MAX_ACTORS) {
              most.remove();
            }
          }
        });
    most.forEach(one -> notes.count(NAME, Integer.toString(one.intValue()), one >> 32));
  }

  @Override
  public void look(Facts facts) {
    for (String id : facts.subjects(NAME)) {
      ActorLine line = observer.line(Integer.parseInt(id));
      if (line != null) {
        facts.add(
            new Restarted(
                line.actor().path(),
                line.actor().className(),
                facts.past(NAME, id),
                line.work().ratePerSecond()));
      }
    }
  }
}
