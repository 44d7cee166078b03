// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

/**
 * Hook points that are woven together or not at all: half of a feature would record nonsense.
 *
 * <p>A feature whose classes are not on the application's class path is not woven and not missed;
 * one that is there in another shape than we know is switched off and named.
 */
public enum Feature {
  /** Spans and metrics of messages, and the life of actors. Without it nothing is woven. */
  ACTORS("org.apache.pekko.actor.ActorCell", false),
  /** The context of actors stays out of the hands of executors. */
  DISPATCH("org.apache.pekko.dispatch.ExecutorServiceDelegate", true),
  EVENTS("org.apache.pekko.event.EventStream", false),
  ASK("org.apache.pekko.pattern.PromiseActorRef", true),
  TYPED_ASK("org.apache.pekko.actor.typed.scaladsl.AskPattern$PromiseRef", true),
  ENTITY_ASK(
      "org.apache.pekko.cluster.sharding.typed.internal.EntityRefImpl$EntityPromiseRef", true),
  FUTURES("scala.concurrent.impl.Promise$Transformation", true),
  SCHEDULER("org.apache.pekko.actor.LightArrayRevolverScheduler", true),
  TIMERS("org.apache.pekko.actor.TimerSchedulerImpl", false),
  RECEIVE_TIMEOUT("org.apache.pekko.actor.dungeon.ReceiveTimeout", true),
  CREATION("org.apache.pekko.dispatch.sysmsg.Create", true),
  PERSISTENCE("org.apache.pekko.persistence.AtomicWrite", false),
  TYPED_PERSISTENCE("org.apache.pekko.persistence.typed.internal.EventSourcedBehaviorImpl", false),
  DURABLE_STATE(
      "org.apache.pekko.persistence.typed.state.internal.DurableStateBehaviorImpl", false),
  STASH("org.apache.pekko.actor.StashSupport", true),
  TYPED("org.apache.pekko.actor.typed.internal.adapter.ActorAdapter", false),
  TYPED_STASH("org.apache.pekko.actor.typed.internal.StashBufferImpl", true),
  /** What Pekko's own actors keep until they know where to send it keeps its sender's context. */
  MESSAGE_BUFFER("org.apache.pekko.util.MessageBuffer", true),
  /** Whom such a message is for is made in its context. */
  ENTITY_START("org.apache.pekko.cluster.sharding.Shard", true),
  /** Which entity of this node a question got to. */
  ENTITY_FOUND("org.apache.pekko.cluster.sharding.Shard", true),
  /** What reliable delivery sends again keeps the context of the first time. */
  DELIVERY("org.apache.pekko.actor.typed.delivery.ConsumerController$SequencedMessage", true),
  /** The same where it is sent to sharded entities. */
  SHARDED_DELIVERY("org.apache.pekko.cluster.sharding.typed.ShardingEnvelope", true),
  /** The context goes with messages to other nodes, and comes with theirs. */
  ARTERY("org.apache.pekko.remote.artery.RemoteInstruments", true),
  /** The same where Artery is switched off. */
  CLASSIC_REMOTING("org.apache.pekko.remote.EndpointWriter", true),
  /** Elements keep their context where streams let them wait. */
  STREAMS("org.apache.pekko.stream.impl.fusing.GraphInterpreter", true),
  /** The same in sources and sinks that are told when there may be more. */
  STREAM_ACTORS("org.apache.pekko.stream.impl.ActorRefBackpressureSinkStage", true),
  /** The same in queues that never let who offers wait. */
  STREAM_QUEUES("org.apache.pekko.stream.impl.BoundedSourceQueueStage", true),
  /** Messages, bytes and time at the border to other nodes. */
  SERIALIZER("org.apache.pekko.remote.MessageSerializer$", false),
  CIRCUIT_BREAKER("org.apache.pekko.pattern.CircuitBreaker", false),
  ROUTER("org.apache.pekko.routing.RoutedActorCell", false),
  TYPED_ROUTER("org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl", false),
  /** How much typed actors have put aside. */
  TYPED_STASH_SIZE("org.apache.pekko.actor.typed.internal.StashBufferImpl", false),
  /** What the split-brain resolver decides. */
  DOWNING("org.apache.pekko.cluster.sbr.DowningStrategy", false),
  /** How shards move, what is delivered to them, and which entities are put to rest. */
  SHARDING("org.apache.pekko.cluster.sharding.Shard", false),
  DISTRIBUTED_DATA("org.apache.pekko.cluster.ddata.ReadWriteAggregator", false),
  STREAM_ELEMENTS("org.apache.pekko.stream.impl.fusing.GraphInterpreter", false),
  /** What actors log without Pekko's own logging; not Pekko's classes, but a library's. */
  LOGBACK("ch.qos.logback.classic.Logger", false),
  /** The same of Log4j 2, of those versions in which a logger may be told where it is called. */
  LOG4J("org.apache.logging.log4j.core.config.LocationAwareReliabilityStrategy", false),
  /** The same of its loggers that hand each event to another thread at once. */
  LOG4J_ASYNC(LOG4J.marker, "com.lmax.disruptor.dsl.Disruptor");

  private final String marker;
  private final String beside;
  private final boolean tracingOnly;

  Feature(String marker, boolean tracingOnly) {
    this(marker, marker, tracingOnly);
  }

  Feature(String marker, String beside) {
    this(marker, beside, false);
  }

  Feature(String marker, String beside, boolean tracingOnly) {
    this.marker = marker;
    this.beside = beside;
    this.tracingOnly = tracingOnly;
  }

  /** The class whose absence means that the application does not use the feature. */
  String marker() {
    return marker;
  }

  /** Another such class; the same if one is enough. */
  String beside() {
    return beside;
  }

  /** True for a feature of a library's that actors log with, wherever it was loaded. */
  boolean isOfLogging() {
    return this == LOGBACK || this == LOG4J || this == LOG4J_ASYNC;
  }

  /** True for a feature that only takes contexts from node to node. */
  boolean isRemote() {
    return this == ARTERY || this == CLASSIC_REMOTING;
  }

  /** True for a feature that only metrics need. */
  boolean isMetricsOnly() {
    return switch (this) {
      case SERIALIZER,
          CIRCUIT_BREAKER,
          ROUTER,
          TYPED_ROUTER,
          TYPED_STASH_SIZE,
          DOWNING,
          SHARDING,
          DISTRIBUTED_DATA,
          STREAM_ELEMENTS,
          LOGBACK,
          LOG4J,
          LOG4J_ASYNC ->
          true;
      default -> false;
    };
  }

  /** True for a feature that only takes contexts through streams. */
  boolean isOfStreams() {
    return this == STREAMS || this == STREAM_ACTORS || this == STREAM_QUEUES;
  }

  /** True for a feature that metrics do not need. */
  boolean isTracingOnly() {
    return tracingOnly;
  }
}
