// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.link.OutboundLink;
import io.deimos.remote.engine.pekko.Scala;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.EnvelopeBufferPool;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.GraphStageWithMaterializedValue;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.concurrent.Future;

/** The byte mover's end of an outbound stream of Pekko's: puts encoded envelopes into a link. */
public final class OutboundSink
    extends GraphStageWithMaterializedValue<SinkShape<EnvelopeBuffer>, Future<Done>> {
  private final TransportEngine engine;
  private final OutboundContext context;
  private final int streamId;
  private final EnvelopeBufferPool pool;
  private final Inlet<EnvelopeBuffer> in = Inlet.create("deimos.remote.in");
  private final SinkShape<EnvelopeBuffer> shape = SinkShape.of(in);

  public OutboundSink(
      TransportEngine engine, OutboundContext context, int streamId, EnvelopeBufferPool pool) {
    this.engine = engine;
    this.context = context;
    this.streamId = streamId;
    this.pool = pool;
  }

  @Override
  public SinkShape<EnvelopeBuffer> shape() {
    return shape;
  }

  @Override
  public Tuple2<GraphStageLogic, Future<Done>> createLogicAndMaterializedValue(
      Attributes inherited) {
    CompletableFuture<Done> completed = new CompletableFuture<>();
    return new Tuple2<>(new Logic(completed), Scala.future(completed));
  }

  private final class Logic extends GraphStageLogic {
    private final CompletableFuture<Done> completed;
    private final AsyncCallback<Done> writable = createAsyncCallback(done -> demand());
    private final AsyncCallback<Ended> ended = createAsyncCallback(this::end);
    private @Nullable OutboundLink link;
    private @Nullable Throwable cause;

    Logic(CompletableFuture<Done> completed) {
      super(shape);
      this.completed = completed;
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              push();
            }

            @Override
            public void onUpstreamFinish() {
              end(new Ended(null));
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              end(new Ended(failure == ArteryTransport.ShutdownSignal$.MODULE$ ? null : failure));
            }
          });
    }

    @Override
    public void preStart() {
      link =
          OutboundLink.of(engine, context, streamId, failure -> ended.invoke(new Ended(failure)));
      demand();
    }

    private void wake() {
      writable.invoke(Done.getInstance());
    }

    private void push() {
      EnvelopeBuffer envelope = grab(in);
      if (link != null) {
        engine.transport.flightRecorder().tcpOutboundSent(envelope.byteBuffer().limit());
        link.append(envelope.byteBuffer());
      }
      pool.release(envelope);
      demand();
    }

    private void demand() {
      if (link != null
          && !isClosed(in)
          && !hasBeenPulled(in)
          && link.parkIfFull(this::wake) == OutboundLink.Room.FREE) {
        pull(in);
      }
    }

    private void end(Ended how) {
      cause = how.failure;
      if (how.failure == null) {
        completed.complete(Done.getInstance());
        completeStage();
      } else {
        completed.completeExceptionally(how.failure);
        failStage(how.failure);
      }
    }

    @Override
    public void postStop() {
      if (link != null) {
        link.close(cause);
      }
      completed.complete(Done.getInstance());
    }
  }

  /** How a stream ended; null is well. */
  private record Ended(@Nullable Throwable failure) {}
}
