// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.ActorVisit;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.housekeeping.ActorInside;
import io.deimos.recorder.woven.RefFields;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.EmptyLocalActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.dispatch.sysmsg.Unwatch;
import org.jspecify.annotations.Nullable;

/**
 * Has actors looked into by their own threads: after the message that they process, or at once if
 * they have none. A system message calls them, which ends a watch that does not exist. It touches
 * no message, stash, timer or receive time-out.
 *
 * <p><b>Bounds.</b> One visit of an actor at a time, {@value #MAX_OPEN} in all, and {@value
 * #PER_SECOND} a second. A visit that the actor has not come to is found again by the next request,
 * which does not wait, so that waiting has the same bound.
 */
final class Visits {
  private static final int MAX_OPEN = 64;
  private static final int PER_SECOND = 20;
  private static final long WAIT_MILLIS = 1000;

  private final ExtendedActorSystem system;
  private final Map<ActorTelemetry, Visit> open = new ConcurrentHashMap<>();
  private final RateLimit limit = new RateLimit(PER_SECOND);

  Visits(ExtendedActorSystem system) {
    this.system = system;
  }

  /**
   * By any thread; who begins a visit waits for a second at most. Null if there is no such actor
   * now.
   */
  @Nullable ActorInside inside(String path) {
    ActorRef ref = system.provider().resolveActorRef(path);
    if (!(ref instanceof ActorRefWithCell with)
        || !(with.underlying() instanceof ActorCell cell)
        || !(((RefFields) (Object) ref).deimos$identity() instanceof ActorTelemetry actor)) {
      return null;
    }
    if (cell.dispatcher().getClass().getName().endsWith("CallingThreadDispatcher")) {
      return ActorInside.unreadable("It has no thread of its own, but runs on who writes to it.");
    }
    Visit visit = open.get(actor);
    if (visit == null) {
      open.keySet().removeIf(ActorTelemetry::hasStopped);
      if (open.size() >= MAX_OPEN || !limit.tryTake()) {
        return ActorInside.unreadable("Too many actors are looked into at once. Ask again.");
      }
      Visit made = new Visit(cell, actor.className());
      visit = open.putIfAbsent(actor, made);
      if (visit == null) {
        visit = made;
        send(with, made);
        made.await();
      }
    }
    ActorInside found = visit.found;
    if (!found.isWaiting()) {
      open.remove(actor, visit);
    }
    return found.shownBy(InForce.rules());
  }

  private void send(InternalActorRef to, Visit visit) {
    ActorRef nobody =
        new EmptyLocalActorRef(
            system.provider(), system.deadLetters().path().child("deimos"), system.eventStream());
    ((RefFields) (Object) nobody).deimos$identity(visit);
    to.sendSystemMessage(new Unwatch(to, nobody));
  }

  /** One look. It keeps no actor that has stopped before it came to it. */
  private static final class Visit implements ActorVisit {
    private final WeakReference<ActorCell> cell;
    private final String className;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile ActorInside found = ActorInside.WAITING;

    Visit(ActorCell cell, String className) {
      this.className = className;
      this.cell = new WeakReference<>(cell);
    }

    @Override
    public void visit() {
      ActorCell at = cell.get();
      try {
        if (at != null) {
          Rules rules = InForce.rules();
          found = InsideReader.read(at, rules.showsState(className) ? rules::showsState : null);
        }
      } catch (Throwable t) {
        found = ActorInside.unreadable("It could not be read: " + t.getClass().getName() + ".");
        Faults.caught(t);
      } finally {
        done.countDown();
      }
    }

    void await() {
      try {
        boolean unused = done.await(WAIT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
