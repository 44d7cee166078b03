// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.count.Refusals;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.MessageDispatcher;
import scala.util.control.NonFatal;

/**
 * Pekko's last step, from an envelope to its actor. One message that cannot be delivered, as it has
 * no recipient or is {@code null}, must not end the stream of all the others: it is dropped,
 * counted and logged.
 */
public final class GuardedDispatcher extends MessageDispatcher {
  private final Refusals refusals;

  public GuardedDispatcher(TransportEngine engine) {
    super(engine.system, engine.provider());
    refusals = engine.refusals;
  }

  @Override
  public void dispatch(InboundEnvelope envelope) {
    try {
      super.dispatch(envelope);
    } catch (Throwable e) {
      if (!NonFatal.apply(e)) {
        throw e;
      }
      refusals.refused(
          Refusal.BAD_FRAME,
          "Dropping message of the system with UID [" + envelope.originUid() + "] due to: " + e);
    }
  }
}
