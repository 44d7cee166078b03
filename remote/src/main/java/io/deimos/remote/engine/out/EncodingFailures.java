// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Counters;
import java.nio.BufferOverflowException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.event.Logging;
import org.apache.pekko.remote.OversizedPayloadException;
import org.apache.pekko.remote.artery.OutboundEnvelope;

/**
 * Says of a message that could not be made bytes what Artery's encoder says, and counts it.
 *
 * <p><b>Threads.</b> Any.
 */
final class EncodingFailures {
  private final TransportEngine engine;
  private final Counters counters;

  EncodingFailures(TransportEngine engine, Counters counters) {
    this.engine = engine;
    this.counters = counters;
  }

  /**
   * Tells of one message.
   *
   * @param capacity the bytes that there were for it; 0 if it never came to that
   */
  void failed(OutboundEnvelope envelope, Throwable cause, int capacity) {
    counters.dropped.increment();
    Object message = envelope.message();
    String type = Logging.messageClassName(message);
    if (cause instanceof BufferOverflowException) {
      String reason =
          "Discarding oversized payload sent to "
              + envelope.recipient()
              + ": max allowed size "
              + capacity
              + " bytes. Message type ["
              + type
              + "].";
      engine.log.error(
          new OversizedPayloadException(reason),
          "Failed to serialize oversized message [{}].",
          type);
      ActorRef recipient =
          envelope.recipient() == null ? ActorRef.noSender() : envelope.recipient();
      engine
          .system
          .eventStream()
          .publish(
              envelope.sender() == null
                  ? Dropped.apply(message, reason, recipient)
                  : Dropped.apply(message, reason, envelope.sender(), recipient));
    } else {
      engine.log.error(cause, "Failed to serialize message [{}].", type);
    }
  }
}
