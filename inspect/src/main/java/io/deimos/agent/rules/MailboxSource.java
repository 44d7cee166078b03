// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Source;
import io.deimos.agent.check.Where;
import io.deimos.agent.observer.ActorLine;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.rules.DispatcherThroughput.Turns;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.counts.Mailboxes;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each {@link Mailbox} that is long, with its {@link Turns}, and those of each class
 * together.
 */
public final class MailboxSource implements Source {
  private static final String ACTOR = "mailbox";
  static final String CLASS = "mailboxes";

  /** Shorter ones are not noted. */
  static final int LONG = 50;

  private static final int MAX_ACTORS = 64;

  private final Observer observer;

  public MailboxSource(Observer observer) {
    this.observer = observer;
  }

  @Override
  public void note(Past.Notes notes) {
    Mailboxes seen = GaugeReaders.last().mailboxes();
    for (int id : seen.fullest(LONG, MAX_ACTORS)) {
      notes.size(ACTOR, Integer.toString(id), seen.waiting(id));
    }
    Map<String, Long> byClass = new HashMap<>();
    for (Map.Entry<List<String>, Long> one :
        GaugeReaders.last().of(Metric.MAILBOX_SIZE).entrySet()) {
      byClass.merge(one.getKey().get(1), one.getValue(), Long::sum);
    }
    byClass.forEach(
        (className, waiting) -> {
          if (waiting >= LONG && !className.equals(ActorKinds.OTHER)) {
            notes.size(CLASS, className, waiting);
          }
        });
  }

  private static void turns(ActorLine line, Series waiting, Facts facts) {
    String path = line.actor().path();
    double perSecond = line.work().ratePerSecond();
    ActorLook look = perSecond == 0 ? null : GaugeReaders.look(path);
    Integer most = look == null ? null : GaugeReaders.last().throughputs().get(look.dispatcher());
    if (look != null && most != null) {
      Where where = Where.actor(path, line.actor().className()).on(look.dispatcher());
      facts.add(new Turns(where, most, line.work().busyShare() / perSecond * 1e9, waiting));
    }
  }

  @Override
  public void look(Facts facts) {
    for (String id : facts.subjects(ACTOR)) {
      ActorLine line = observer.line(Integer.parseInt(id));
      if (line != null) {
        facts.add(
            new Mailbox(
                line.actor().path(),
                line.actor().className(),
                facts.past(ACTOR, id),
                line.work().ratePerSecond()));
        turns(line, facts.past(ACTOR, id), facts);
      }
    }
    for (String className : facts.subjects(CLASS)) {
      facts.add(new Mailbox("", className, facts.past(CLASS, className), 0));
    }
  }
}
