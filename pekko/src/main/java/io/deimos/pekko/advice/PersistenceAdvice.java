// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.PersistenceHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.Eventsourced;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.journal.Tagged;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** Copied into Pekko's classic persistence and the journal's protocol. */
@SuppressWarnings("unused") // copied into Pekko
final class PersistenceAdvice {
  private PersistenceAdvice() {}

  /** {@code AtomicWrite.<init>}: one call of {@code persist} or {@code persistAll}. */
  static final class Write {
    private Write() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) Seq<PersistentRepr> events) {
      Object begun = PersistenceHooks.writeBegins(events.size());
      if (begun != null) {
        for (Iterator<PersistentRepr> each = events.iterator(); each.hasNext(); ) {
          PersistentRepr event = each.next();
          ((RefFields) event).deimos$identity(begun);
          PersistenceHooks.writes(begun, event.persistenceId(), event.sequenceNr());
        }
      }
    }
  }

  /** {@code WriteMessages.<init>}: what the journal is asked for, perhaps several writes. */
  static final class Request {
    private Request() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) Seq<?> writes) {
      if (writes.nonEmpty()
          && writes.head() instanceof AtomicWrite write
          && write.payload().nonEmpty()) {
        PersistenceHooks.writeSent(((RefFields) write.payload().head()).deimos$identity());
      }
    }
  }

  /** {@code Eventsourced.sendBatchedEventsToJournal}. */
  static final class Sending {
    private Sending() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return PersistenceHooks.sending(PersistenceHooks.SEND);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code Eventsourced.writeEventSucceeded}. */
  static final class Succeeded {
    private Succeeded() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) PersistentRepr event) {
      PersistenceHooks.written(
          PersistenceHooks.SUCCEEDED,
          ((RefFields) event).deimos$identity(),
          event.payload() instanceof Tagged tagged ? tagged.payload() : event.payload(),
          null);
    }
  }

  /** {@code Eventsourced.writeEventRejected}. */
  static final class Rejected {
    private Rejected() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(0) PersistentRepr event, @Advice.Argument(1) Throwable error) {
      PersistenceHooks.written(
          PersistenceHooks.REJECTED,
          ((RefFields) event).deimos$identity(),
          event.payload() instanceof Tagged tagged ? tagged.payload() : event.payload(),
          error);
    }
  }

  /** {@code Eventsourced.writeEventFailed}. */
  static final class Failed {
    private Failed() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(0) PersistentRepr event, @Advice.Argument(1) Throwable error) {
      PersistenceHooks.written(
          PersistenceHooks.FAILED,
          ((RefFields) event).deimos$identity(),
          event.payload() instanceof Tagged tagged ? tagged.payload() : event.payload(),
          error);
    }
  }

  /** {@code Eventsourced.peekApplyHandler}: also the handler of {@code defer}. */
  static final class Apply {
    private Apply() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable Object event) {
      PersistenceHooks.applying(event);
    }
  }

  /** {@code Eventsourced.requestRecoveryPermit}. */
  static final class Permit {
    private Permit() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.This Eventsourced actor) {
      return PersistenceHooks.recovers(
          PersistenceHooks.PERMIT, ((RefFields) (Object) actor.self()).deimos$identity());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code Eventsourced.startRecovery}. */
  static final class Start {
    private Start() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.This Eventsourced actor) {
      return PersistenceHooks.recovers(
          PersistenceHooks.START, ((RefFields) (Object) actor.self()).deimos$identity());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code ReplayMessages.<init>}. */
  static final class Replays {
    private Replays() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) long from,
        @Advice.Argument(3) String persistenceId,
        @Advice.Argument(4) ActorRef actor) {
      PersistenceHooks.replays(((RefFields) (Object) actor).deimos$identity(), from, persistenceId);
    }
  }

  /** {@code Eventsourced.onReplaySuccess}. */
  static final class Recovered {
    private Recovered() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Eventsourced actor) {
      PersistenceHooks.recovered(
          PersistenceHooks.RECOVERED,
          ((RefFields) (Object) actor.self()).deimos$identity(),
          actor.lastSequenceNr());
    }
  }
}
