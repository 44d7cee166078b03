// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Refusal;
import org.apache.pekko.remote.MessageSerializer$;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.EnvelopeBufferPool;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.remote.artery.RemoteInstruments;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;
import scala.util.control.NonFatal;

/**
 * The step from bytes to a message in Pekko's own streams. Pekko's takes a message that is nested
 * too deep for the stack for a fatal error, which ends the JVM.
 */
public final class InboundDeserialiser
    extends GraphStage<FlowShape<InboundEnvelope, InboundEnvelope>> {
  private final Inlet<InboundEnvelope> in = Inlet.create("deimos.remote.deserialiser.in");
  private final Outlet<InboundEnvelope> out = Outlet.create("deimos.remote.deserialiser.out");
  private final FlowShape<InboundEnvelope, InboundEnvelope> shape = FlowShape.of(in, out);
  private final TransportEngine engine;
  private final EnvelopeBufferPool pool;

  public InboundDeserialiser(TransportEngine engine, EnvelopeBufferPool pool) {
    this.engine = engine;
    this.pool = pool;
  }

  @Override
  public FlowShape<InboundEnvelope, InboundEnvelope> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes inherited) {
    return new Logic();
  }

  /** Whether what reading a message threw is about that message alone. */
  static boolean isOfMessage(Throwable e) {
    return NonFatal.apply(e) || e instanceof StackOverflowError; // how deep is up to the peer
  }

  /** Counts and logs a message that could not be read. */
  static void unreadable(
      TransportEngine engine,
      InboundEnvelope envelope,
      @Nullable OutboundContext from,
      Throwable cause) {
    engine.refusals.refused(
        Refusal.UNREADABLE_MESSAGE,
        "Failed to deserialize message from ["
            + (from == null ? "unknown" : from.remoteAddress())
            + "] with serializer id ["
            + envelope.serializer()
            + "] and manifest ["
            + envelope.classManifest()
            + "]",
        cause);
  }

  private final class Logic extends GraphStageLogic {
    private final RemoteInstruments instruments = engine.newInstruments();

    Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              take(grab(in));
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(in);
            }
          });
    }

    private void take(InboundEnvelope envelope) {
      EnvelopeBuffer buffer = envelope.envelopeBuffer();
      InboundEnvelope read = null;
      try {
        read = read(envelope, buffer);
      } catch (Throwable e) {
        if (!isOfMessage(e)) {
          throw sneaky(e);
        }
        unreadable(engine, envelope, envelope.association(), e);
      } finally {
        envelope.releaseEnvelopeBuffer();
        pool.release(buffer);
      }
      if (read == null) {
        pull(in);
      } else {
        push(out, read);
      }
    }

    private InboundEnvelope read(InboundEnvelope envelope, EnvelopeBuffer buffer) {
      long start = instruments.timeSerialization() ? System.nanoTime() : 0;
      InboundEnvelope read =
          envelope.withMessage(
              MessageSerializer$.MODULE$.deserializeForArtery(
                  engine.system,
                  envelope.originUid(),
                  engine.serialization(),
                  envelope.serializer(),
                  envelope.classManifest(),
                  buffer));
      if (instruments.nonEmpty()) {
        instruments.deserialize(read);
        long nanos = instruments.timeSerialization() ? System.nanoTime() - start : 0;
        instruments.messageReceived(read, buffer.byteBuffer().limit(), nanos);
      }
      return read;
    }
  }

  @SuppressWarnings("unchecked") // throws what it is given, whatever that is
  static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
    throw (E) e;
  }
}
