// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.pekko;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.AssociationState;
import org.apache.pekko.remote.artery.Encoder.OutboundCompressionAccess;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.MessageDispatcher;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.SendQueue;
import org.apache.pekko.remote.artery.tcp.ArteryTcpTransport;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.apache.pekko.stream.SharedKillSwitch;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.Tuple2;
import scala.collection.immutable.Vector;
import scala.concurrent.Future;

/**
 * The private members of Pekko that the engine needs, found once. A missing one is named by the
 * exception of the constructor, and then nothing of this transport runs.
 */
public final class PekkoMembers {
  private final VarHandle queues;
  private final VarHandle queuesVisibility;
  private final VarHandle outboundCompressionAccess;
  private final VarHandle sslEngineProvider;
  private final MethodHandle queueWrapper;
  private final MethodHandle updateStreamMatValues;
  private final MethodHandle attachOutboundStreamRestart;
  private final MethodHandle runOutboundOrdinary;
  private final MethodHandle runInboundControl;
  private final MethodHandle runInboundOrdinary;
  private final MethodHandle runInboundLarge;
  private final VarHandle inboundKillSwitch;
  private final VarHandle messageDispatcher;
  private final @Nullable MethodHandle quarantinedButHarmless;

  public PekkoMembers() throws ReflectiveOperationException {
    Class<?> association = Association.class;
    queues = field(association, "queues");
    queuesVisibility = field(association, "queuesVisibility");
    outboundCompressionAccess = field(association, "outboundCompressionAccess");
    queueWrapper = method(association, "getOrCreateQueueWrapper", int.class, int.class);
    updateStreamMatValues =
        method(
            association, "updateStreamMatValues", int.class, SharedKillSwitch.class, Future.class);
    attachOutboundStreamRestart =
        method(
            association,
            "attachOutboundStreamRestart",
            String.class,
            int.class,
            int.class,
            Future.class,
            Function0.class);
    runOutboundOrdinary = method(association, "runOutboundOrdinaryMessagesStream");
    Class<?> transport = ArteryTcpTransport.class;
    sslEngineProvider = field(transport, "sslEngineProvider");
    runInboundControl = method(transport, "runInboundControlStream");
    runInboundOrdinary = method(transport, "runInboundOrdinaryMessagesStream");
    runInboundLarge = method(transport, "runInboundLargeMessagesStream");
    inboundKillSwitch = field(transport, "inboundKillSwitch"); // Scala 3 makes no accessors
    messageDispatcher = field(ArteryTransport.class, "messageDispatcher");
    quarantinedButHarmless = harmless();
  }

  /** Since Pekko 1.2; null before. */
  private static @Nullable MethodHandle harmless() throws ReflectiveOperationException {
    try {
      return method(AssociationState.class, "quarantinedButHarmless", long.class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static VarHandle field(Class<?> owner, String name) throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).unreflectVarHandle(field);
  }

  private static MethodHandle method(Class<?> owner, String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    Method method = owner.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return MethodHandles.lookup().unreflect(method);
  }

  @SuppressWarnings("unchecked") // the field's own type
  SendQueue.ProducerApi<OutboundEnvelope>[] queues(Association association) {
    return (SendQueue.ProducerApi<OutboundEnvelope>[]) queues.get(association);
  }

  /** The queue that is in use now. */
  public SendQueue.ProducerApi<OutboundEnvelope> queue(Association association, int index) {
    Object unused = queuesVisibility.getVolatile(association); // as the association itself does
    return queues(association)[index];
  }

  /** Replaces a queue and makes that visible, as the association itself does. */
  public void setQueue(
      Association association, int index, SendQueue.ProducerApi<OutboundEnvelope> queue) {
    queues(association)[index] = queue;
    queuesVisibility.setVolatile(association, true);
  }

  /** The queue that messages for a stream are already put into, wrapped. */
  public Association.QueueWrapper queueWrapper(Association association, int index, int capacity) {
    try {
      return (Association.QueueWrapper) queueWrapper.invoke(association, index, capacity);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  public void setOutboundCompressionAccess(
      Association association, Vector<OutboundCompressionAccess> access) {
    outboundCompressionAccess.setVolatile(association, access);
  }

  public void updateStreamMatValues(
      Association association, int index, SharedKillSwitch killSwitch, Future<?> completed) {
    try {
      updateStreamMatValues.invoke(association, index, killSwitch, completed);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  public void attachOutboundStreamRestart(
      Association association,
      String name,
      int index,
      int capacity,
      Future<?> completed,
      Function0<?> restart) {
    try {
      attachOutboundStreamRestart.invoke(association, name, index, capacity, completed, restart);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  public void runOutboundOrdinary(Association association) {
    try {
      runOutboundOrdinary.invoke(association);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  public @Nullable SSLEngineProvider sslEngineProvider(ArteryTcpTransport transport) {
    return (SSLEngineProvider) sslEngineProvider.get(transport);
  }

  public Hub runInbound(ArteryTcpTransport transport, int streamId) {
    try {
      Object hub;
      if (streamId == ArteryTransport.ControlStreamId()) {
        hub = runInboundControl.invoke(transport);
      } else if (streamId == ArteryTransport.LargeStreamId()) {
        hub = runInboundLarge.invoke(transport);
      } else {
        hub = runInboundOrdinary.invoke(transport);
      }
      return Hub.of((Tuple2<?, ?>) hub);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  public SharedKillSwitch inboundKillSwitch(ArteryTcpTransport transport) {
    return (SharedKillSwitch) inboundKillSwitch.getVolatile(transport);
  }

  public void setInboundKillSwitch(ArteryTcpTransport transport, SharedKillSwitch killSwitch) {
    inboundKillSwitch.setVolatile(transport, killSwitch);
  }

  /** Replaces the last step of Pekko's own streams. */
  public void setMessageDispatcher(ArteryTransport transport, MessageDispatcher dispatcher) {
    messageDispatcher.setVolatile(transport, dispatcher);
  }

  /** Whether a quarantined system need not be told so; a Pekko without that tells it always. */
  public boolean quarantinedButHarmless(AssociationState state, long uid) {
    if (quarantinedButHarmless == null) {
      return false;
    }
    try {
      return (boolean) quarantinedButHarmless.invoke(state, uid);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  private static RuntimeException rethrow(Throwable e) {
    if (e instanceof RuntimeException runtime) {
      return runtime;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(e);
  }

  /**
   * One of Pekko's running inbound streams.
   *
   * @param sink what frames go into
   * @param completed done when the stream is
   */
  public record Hub(
      org.apache.pekko.stream.scaladsl.Sink<EnvelopeBuffer, ?> sink,
      Future<org.apache.pekko.Done> completed) {
    @SuppressWarnings("unchecked") // what the private methods return
    static Hub of(Tuple2<?, ?> tuple) {
      return new Hub(
          (org.apache.pekko.stream.scaladsl.Sink<EnvelopeBuffer, ?>) tuple._1(),
          (Future<org.apache.pekko.Done>) tuple._2());
    }
  }
}
