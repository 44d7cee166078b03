// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.agent.observer.ActorLine;
import io.deimos.agent.observer.ActorPage;
import io.deimos.agent.observer.ActorQuery;
import io.deimos.agent.observer.Observer;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.counts.Mailboxes;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.util.List;

/** Gives the actors that are {@link Busy} while messages wait for them. */
final class BusySource implements Source {
  private static final String NAME = "busy";

  /** With fewer messages in its mailbox, an actor keeps up. */
  private static final int WAITING = 20;

  private static final int MAX_ACTORS = 32;
  private static final int MAX_ROUTEES = 1000;

  private final Observer observer;

  BusySource(Observer observer) {
    this.observer = observer;
  }

  @Override
  public void note(Past.Notes notes) {
    Mailboxes seen = GaugeReaders.last().mailboxes();
    for (int id : seen.fullest(WAITING, MAX_ACTORS)) {
      ActorLine line = observer.line(id);
      if (line != null) {
        notes.size(NAME, Integer.toString(id), Math.round(line.work().busyShare() * 1000));
      }
    }
  }

  @Override
  public void look(Facts facts) {
    for (String id : facts.subjects(NAME)) {
      ActorLine line = observer.line(Integer.parseInt(id));
      if (line != null && facts.past(NAME, id).last() > 0) {
        Integer waiting = line.mailbox();
        facts.add(
            new Busy(
                line.actor().path(),
                line.actor().className(),
                waiting == null ? 0 : waiting,
                line.work().ratePerSecond(),
                facts.past(NAME, id),
                group(line, facts.scan())));
      }
    }
  }

  private Busy.Group group(ActorLine line, Scan scan) {
    String path = line.actor().path();
    String parent = path.substring(0, path.lastIndexOf('/'));
    Busy.Role role = role(parent);
    return role == Busy.Role.ROUTEE || role == Busy.Role.ENTITY
        ? siblings(role, parent, line.work().ratePerSecond(), scan)
        : new Busy.Group(role, parent, 1, 1, 1);
  }

  private Busy.Group siblings(Busy.Role role, String parent, double rate, Scan scan) {
    ActorPage routees =
        observer.page(
            new ActorQuery(ActorQuery.Sort.RATE, true, List.of(), "", "", parent, true),
            0,
            MAX_ROUTEES,
            scan);
    double all = routees.lines().stream().mapToDouble(one -> one.work().ratePerSecond()).sum();
    double least =
        routees.lines().stream().mapToDouble(one -> one.work().busyShare()).min().orElse(0);
    return new Busy.Group(
        role, parent, routees.total(), all == 0 ? 0 : Math.min(1, rate / all), least);
  }

  /** By the class of its parent. */
  private static Busy.Role role(String parent) {
    ActorLook look = GaugeReaders.look(parent);
    return switch (look == null ? "" : PekkoNames.of(look.actor().className())) {
      case "org.apache.pekko.routing.RouterPoolActor",
          "org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl" ->
          Busy.Role.ROUTEE;
      case "org.apache.pekko.cluster.sharding.Shard" -> Busy.Role.ENTITY;
      case "org.apache.pekko.cluster.singleton.ClusterSingletonManager" -> Busy.Role.SINGLETON;
      default -> Busy.Role.ONE;
    };
  }
}
