// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.EnvelopeFields;
import io.deimos.recorder.woven.RefFields;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a request has no answer, at the moment at which time ran out and never before: by
 * looking at what was asked, what waits in its mailbox, and what each thread says it works on.
 *
 * <p><b>Threads.</b> Any. Its readings of other threads are plain and may be old.
 */
public final class Unanswered {
  /** The one who was asked has stopped. */
  static final String STOPPED = "stopped";

  /** The request has become a dead letter: there was nobody to get it. */
  static final String DEAD_LETTER = "dead_letter";

  /** The request is still in the mailbox of who was asked. */
  static final String IN_MAILBOX = "in_mailbox";

  /** The request is being processed. */
  static final String PROCESSING = "processing";

  /** The request was taken out of the mailbox and is not being processed by who was asked. */
  static final String PROCESSED = "processed";

  /** The request went to another node, and no more is known of it here. */
  static final String REMOTE = "remote";

  /** The request is for another node with which there has been no handshake: it never left. */
  static final String NOT_CONNECTED = "not_connected";

  /** The request is for another node that is quarantined: nothing more is sent to it. */
  static final String QUARANTINED = "quarantined";

  /** The request went to another node of the cluster, which is unreachable now. */
  static final String UNREACHABLE = "unreachable";

  /** The request waits in a buffer of the shard region that was asked, or of a shard. */
  static final String IN_BUFFER = "in_buffer";

  /** The shard region that was asked, or a shard, has given the request up. */
  static final String DROPPED = "dropped";

  /** The request was handed on, or what became of it cannot be seen. */
  static final String UNKNOWN = "unknown";

  /** How far into a mailbox is looked. */
  static final int MAX_ENVELOPES = 10_000;

  private Unanswered() {}

  /**
   * One of the words above.
   *
   * @param mailbox the envelopes that wait at the one who was asked; null if not known
   */
  public static String state(Ask ask, @Nullable Iterable<?> mailbox) {
    Object target = ask.target();
    Object identity = target instanceof RefFields ref ? ref.deimos$identity() : null;
    if (identity instanceof ActorTelemetry actor) {
      if (actor.hasStopped()) {
        return STOPPED;
      }
    } else if (target != null) {
      Object remote = RemoteTarget.of(target);
      if (remote != null) {
        return RemoteTarget.state(remote, ask.isUndelivered());
      }
    }
    if (ask.whereabouts() instanceof String word) {
      return word;
    }
    if (ask.isUndelivered()) {
      return DEAD_LETTER;
    }
    if (!ask.trace().isSampled() || !ask.isTraced()) {
      return UNKNOWN; // nothing tells this request from others
    }
    if (isProcessed(ask)) {
      return PROCESSING;
    }
    return identity instanceof ActorTelemetry actor ? inMailbox(ask, actor, mailbox) : UNKNOWN;
  }

  private static boolean isProcessed(Ask ask) {
    for (Lane lane : Lanes.all()) {
      ThreadState s = ThreadState.using(lane);
      if (s != null
          && s.isBusy()
          && s.at.record.work == OpenRecord.RECORD
          && s.at.record.parentId == ask.spanId()
          && s.at.record.lo == ask.trace().lo()
          && s.at.record.hi == ask.trace().hi()) {
        return true;
      }
    }
    return false;
  }

  private static String inMailbox(Ask ask, ActorTelemetry actor, @Nullable Iterable<?> mailbox) {
    if (mailbox == null) {
      return UNKNOWN;
    }
    int seen = 0;
    for (Object each : mailbox) {
      if (!(each instanceof EnvelopeFields envelope) || ++seen > MAX_ENVELOPES) {
        return UNKNOWN;
      }
      if (isRequest(envelope, ask)) {
        return IN_MAILBOX;
      }
    }
    return actor.kind().isPekkos() ? UNKNOWN : PROCESSED; // routers and regions hand it on
  }

  private static boolean isRequest(EnvelopeFields envelope, Ask ask) {
    Trace trace = envelope.deimos$trace();
    return trace != null
        && envelope.deimos$parent() == ask.spanId()
        && trace.lo() == ask.trace().lo()
        && trace.hi() == ask.trace().hi();
  }
}
