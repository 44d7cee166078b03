// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.task.SerialTask;
import io.deimos.remote.engine.wire.FrameCutter;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.NotUsed;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/**
 * The byte mover's end of an inbound stream of Pekko's, one for each connection.
 *
 * <p><b>Threads.</b> The event loop puts frames into the queue and wakes the stage, which is a
 * serial task: it rests when it finds nothing.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the handlers
public final class InboundSource extends GraphStage<SourceShape<EnvelopeBuffer>> {
  private final Outlet<EnvelopeBuffer> out = Outlet.create("deimos.remote.out");
  private final SourceShape<EnvelopeBuffer> shape = SourceShape.of(out);
  private final InboundConnection connection;
  private final int streamId;
  private final Queue<EnvelopeBuffer> queue = new ConcurrentLinkedQueue<>();
  private final SerialTask task = new SerialTask(this::invoke);
  private volatile boolean ended;
  private volatile boolean gone;
  private volatile @Nullable AsyncCallback<NotUsed> wake;

  public InboundSource(InboundConnection connection, int streamId) {
    this.connection = connection;
    this.streamId = streamId;
  }

  @Override
  public SourceShape<EnvelopeBuffer> shape() {
    return shape;
  }

  public FrameReceiver receiver() {
    return new Receiver();
  }

  /** Has the stage emit; one that has not started looks by itself when it has. */
  private void invoke() {
    AsyncCallback<NotUsed> callback = wake;
    if (callback != null) {
      callback.invoke(NotUsed.getInstance());
    }
  }

  private final class Receiver implements FrameReceiver {
    private final FrameCutter cutter = new FrameCutter(connection, this::frame);

    private void frame(ByteBuffer bytes) {
      connection.share.engine.transport.flightRecorder().tcpInboundReceived(bytes.limit());
      EnvelopeBuffer envelope = new EnvelopeBuffer(bytes);
      envelope.setStreamId(streamId);
      Counters counters = connection.counters;
      if (counters != null) {
        counters.messages.increment();
        counters.bytes.add(bytes.limit() + (long) Integer.BYTES);
      }
      if (!gone && connection.letsIn(bytes)) {
        queue.add(envelope);
        connection.take(bytes.limit());
      }
    }

    @Override
    public void data(ByteBuf bytes) {
      try {
        cutter.cut(bytes);
      } finally {
        bytes.release();
        Counters counters = connection.counters;
        if (counters != null) {
          counters.flushes.increment();
        }
        task.wake();
      }
    }

    @Override
    public void ended() {
      if (cutter.isInside()) {
        connection.share.engine.log.debug(
            "Inbound connection from [{}] ended inside a frame",
            connection.channel.remoteAddress());
      }
      ended = true;
      task.wake();
    }
  }

  @Override
  public GraphStageLogic createLogic(Attributes inherited) {
    return new Logic();
  }

  private final class Logic extends GraphStageLogic {
    Logic() {
      super(shape);
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              emit();
            }
          });
    }

    @Override
    public void preStart() {
      wake = createAsyncCallback(nothing -> emit());
    }

    private void emit() {
      if (!isAvailable(out)) {
        return;
      }
      do {
        boolean last = ended; // nothing comes after this
        EnvelopeBuffer envelope = queue.poll();
        if (envelope != null) {
          connection.give(envelope.byteBuffer().limit());
          push(out, envelope);
          return;
        }
        if (last) {
          complete(out);
          return;
        }
      } while (!task.tryRelease());
    }

    @Override
    public void postStop() {
      gone = true;
      queue.clear();
      connection.channel.close();
    }
  }
}
