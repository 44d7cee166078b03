// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.MessageMeter;
import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.wire.EnvelopeEncoder;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.compress.CompressionTable;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import scala.util.control.NonFatal;

/**
 * Makes bytes of a lane's messages: finds their serialisers, encodes, and tells of what could not
 * be encoded.
 *
 * <p><b>Threads.</b> The lane's run; tables are changed, and used, under the lock that is this
 * object.
 */
final class LaneEncoder {
  private final TransportEngine engine;
  private final EnvelopeEncoder encoder;
  private final EncodingFailures failures;
  private final boolean logSend;
  private @Nullable Class<?> lastType;
  private @Nullable Serializer lastSerializer;

  LaneEncoder(TransportEngine engine, long uid, Counters counters) {
    this.engine = engine;
    encoder = new EnvelopeEncoder(uid, engine.artery().Version(), engine.newInstruments());
    failures = new EncodingFailures(engine, counters);
    logSend = engine.artery().LogSend() && engine.log.isDebugEnabled();
  }

  /** The serialiser of a message, or null if there is none, which is told. */
  @Nullable Serializer serializerFor(Serialization serialization, OutboundEnvelope envelope) {
    Object message = envelope.message();
    if (message != null && message.getClass() == lastType) {
      return lastSerializer;
    }
    try {
      Serializer found = serialization.findSerializerFor(message);
      if (message != null) {
        lastType = message.getClass();
        lastSerializer = found;
      }
      return found;
    } catch (Exception e) {
      failures.failed(envelope, e, 0);
      return null;
    }
  }

  /** Fills the buffer; returns false if that failed, which is told. */
  boolean encode(
      OutboundEnvelope envelope,
      Serializer serializer,
      EnvelopeBuffer scratch,
      @Nullable MessageMeter meter) {
    try {
      encoder.encode(envelope, serializer, scratch, meter);
    } catch (Throwable e) {
      if (!NonFatal.apply(e)) {
        throw e;
      }
      failures.failed(envelope, e, scratch.byteBuffer().capacity());
      return false;
    }
    if (logSend) {
      engine.log.debug(
          "sending remote message [{}] to [{}] from [{}]",
          envelope.message(),
          envelope.recipient() == null ? "" : envelope.recipient(),
          envelope.sender() == null ? "" : envelope.sender());
    }
    engine.transport.flightRecorder().tcpOutboundSent(scratch.byteBuffer().remaining());
    return true;
  }

  void setRefTable(CompressionTable<ActorRef> table) {
    encoder.setRefTable(table);
  }

  void setManifestTable(CompressionTable<String> table) {
    encoder.setManifestTable(table);
  }

  /** Forgets what is kept for speed, after an error that may have left it half written. */
  void forget() {
    lastType = null;
    lastSerializer = null;
    encoder.forget();
  }
}
