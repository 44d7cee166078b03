// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import java.util.List;

/** All features, in the order in which they are woven and tested. */
public final class Features {
  /** Spans and metrics of messages, and the life of actors. Without it nothing is woven. */
  public static final Feature ACTORS = ActorFeatures.ACTORS;

  public static final List<Feature> ALL =
      List.of(
          ActorFeatures.ACTORS,
          DispatchFeatures.DISPATCH,
          EventFeatures.EVENTS,
          AskFeatures.ASK,
          AskFeatures.TYPED_ASK,
          AskFeatures.ENTITY_ASK,
          RemoteFeatures.SERIALIZER,
          DispatchFeatures.FUTURES,
          TimeFeatures.SCHEDULER,
          TimeFeatures.RECEIVE_TIMEOUT,
          StashFeatures.STASH,
          TimeFeatures.TIMERS,
          ActorFeatures.TYPED,
          RouterFeatures.TYPED_ROUTER,
          StashFeatures.TYPED_STASH,
          BufferFeatures.MESSAGE_BUFFER,
          ShardingFeatures.ENTITY_START,
          ShardingFeatures.ENTITY_FOUND,
          DeliveryFeatures.DELIVERY,
          DeliveryFeatures.SHARDED_DELIVERY,
          RemoteFeatures.ARTERY,
          ClassicRemotingFeatures.CLASSIC_REMOTING,
          ActorFeatures.CREATION,
          StreamFeatures.STREAMS,
          StreamFeatures.STREAM_ACTORS,
          StreamFeatures.STREAM_QUEUES,
          PersistenceFeatures.PERSISTENCE,
          PersistenceFeatures.TYPED_PERSISTENCE,
          BreakerFeatures.CIRCUIT_BREAKER,
          RouterFeatures.ROUTER,
          StashFeatures.TYPED_STASH_SIZE,
          ClusterFeatures.DOWNING,
          ShardingFeatures.SHARDING,
          ClusterFeatures.DISTRIBUTED_DATA,
          StreamFeatures.STREAM_ELEMENTS,
          LoggingFeatures.LOGBACK,
          LoggingFeatures.LOG4J,
          LoggingFeatures.LOG4J_ASYNC,
          PersistenceFeatures.DURABLE_STATE);

  /** The class of {@link #STAGES}. */
  public static final String STAGES_TYPE = StageHookPoints.TYPE;

  /** The methods of {@code CompletableFuture}, which is the JDK's and woven apart. */
  public static final List<HookPoint> STAGES = StageHookPoints.ALL;

  private Features() {}
}
