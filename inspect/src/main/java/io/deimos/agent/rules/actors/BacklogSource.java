// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.counts.Mailboxes;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.housekeeping.GaugeReaders;

/** Gives each long {@link Backlog}. The bound of a mailbox is looked for when somebody asks. */
final class BacklogSource implements Source {
  /** Shorter mailboxes are not noted. */
  private static final int LONG = 1000;

  private static final int MAX_ACTORS = 32;

  @Override
  public void note(Past.Notes notes) {
    Readings read = GaugeReaders.last();
    Mailboxes seen = read.mailboxes();
    for (int id : seen.fullest(LONG, MAX_ACTORS)) {
      notes.size(name(Backlog.Kind.MAILBOX), Integer.toString(id), seen.waiting(id));
    }
    read.unboundedStashes()
        .forEach((id, size) -> notes.size(name(Backlog.Kind.STASH), Integer.toString(id), size));
  }

  private static String name(Backlog.Kind kind) {
    return "long " + kind.word();
  }

  @Override
  public void look(Facts facts) {
    for (Backlog.Kind kind : Backlog.Kind.values()) {
      for (String id : facts.subjects(name(kind))) {
        ActorTelemetry actor = Actors.byId(Integer.parseInt(id));
        if (actor != null
            && !actor.hasStopped()
            && (kind == Backlog.Kind.STASH || isUnbounded(actor))) {
          facts.add(new Backlog(kind, actor.path(), actor.className(), facts.past(name(kind), id)));
        }
      }
    }
  }

  private static boolean isUnbounded(ActorTelemetry actor) {
    ActorLook look = GaugeReaders.look(actor.path());
    return look != null && isUnbounded(PekkoNames.of(look.mailbox()));
  }

  /** Pekko's queues say so in their names. Nothing is known of others. */
  static boolean isUnbounded(String queue) {
    return queue.startsWith("org.apache.pekko.dispatch.Unbounded")
        || queue.equals("org.apache.pekko.dispatch.NodeMessageQueue");
  }
}
