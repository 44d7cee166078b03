// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static java.util.Map.entry;

import io.deimos.recorder.CellFields;
import io.deimos.recorder.ContextFields;
import io.deimos.recorder.EnvelopeFields;
import io.deimos.recorder.NumberFields;
import io.deimos.recorder.RefFields;
import io.deimos.recorder.ThreadFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Every hook point and every class that gets fields. Verified against Pekko 1.7.0 for Scala 2.13,
 * whose jars are inlined by scalac: what stands here is called there, not merely present.
 */
final class HookPoints {
  private static final String ACTOR = "org.apache.pekko.actor.";
  private static final String TYPED = ACTOR + "typed.internal.";
  private static final String DUNGEON = ACTOR + "dungeon.";
  private static final String DISPATCH = "org.apache.pekko.dispatch.";
  private static final String PERSISTENCE = "org.apache.pekko.persistence.";
  private static final String WORKER =
      DISPATCH + "MonitorableThreadFactory$PekkoForkJoinWorkerThread";
  static final String ADVICE = "io.deimos.pekko.advice.";
  private static final String OBJECT = "java.lang.Object";
  private static final String RUNNABLE = "java.lang.Runnable";
  private static final String THROWABLE = "java.lang.Throwable";
  private static final String FINITE = "scala.concurrent.duration.FiniteDuration";
  private static final String EXECUTION_CONTEXT = "scala.concurrent.ExecutionContext";
  private static final String SEQUENCED =
      ACTOR + "typed.delivery.ConsumerController$SequencedMessage";
  private static final String DELIVERY = ACTOR + "typed.delivery.internal.";
  private static final String UNCONFIRMED =
      DELIVERY + "WorkPullingProducerControllerImpl$Unconfirmed";
  private static final String REMOTE = "org.apache.pekko.remote.";
  private static final String ARTERY = REMOTE + "artery.";
  private static final String MESSAGE_BUFFER = "org.apache.pekko.util.MessageBuffer";
  private static final String STREAM = "org.apache.pekko.stream.";
  private static final String STREAM_IMPL = STREAM + "impl.";
  private static final String STAGE_LOGIC = STREAM + "stage.GraphStageLogic";
  private static final String CALLBACK = STAGE_LOGIC + "$ConcurrentAsyncCallback";
  private static final String CALLBACK_EVENT = STREAM + "stage.ConcurrentAsyncCallbackState$Event";
  private static final String CONNECTION = STREAM_IMPL + "fusing.GraphInterpreter$Connection";
  private static final String BOUNDARY =
      STREAM_IMPL + "fusing.ActorGraphInterpreter$BatchingActorInputBoundary";
  private static final String STREAM_BUFFER = STREAM_IMPL + "FixedSizeBuffer$FixedSizeBuffer";
  private static final String PROPAGATION = STREAM_IMPL + "ContextPropagationImpl";
  private static final String ACTOR_SINK = STREAM_IMPL + "ActorRefBackpressureSinkStage$$anon$1";
  private static final String ACTOR_SOURCE = STREAM_IMPL + "ActorRefBackpressureSource$$anon$1";
  private static final String NODE_QUEUE = DISPATCH + "AbstractBoundedNodeQueue";
  private static final String TIMEOUT = "org.apache.pekko.util.Timeout";
  private static final String BREAKER = "org.apache.pekko.pattern.CircuitBreaker";
  private static final String SHARDING = "org.apache.pekko.cluster.sharding.";
  private static final String REBALANCE = SHARDING + "ShardCoordinator$RebalanceWorker";
  private static final String DDATA = "org.apache.pekko.cluster.ddata.";
  private static final String INTERPRETER = "org.apache.pekko.stream.impl.fusing.GraphInterpreter";

  /** Fields are added to these, in this process at their first load only. */
  static final Map<String, Class<?>> FIELDS =
      Map.ofEntries(
          entry(DISPATCH + "Envelope", EnvelopeFields.class),
          entry(ACTOR + "ActorCell", CellFields.class),
          entry(ACTOR + "ActorRef", RefFields.class),
          entry(WORKER, ThreadFields.class),
          entry("scala.concurrent.impl.Promise$Transformation", ContextFields.class),
          entry(ACTOR + "LightArrayRevolverScheduler$TaskHolder", ContextFields.class),
          entry(DISPATCH + "TaskInvocation", ContextFields.class),
          entry(TYPED + "StashBufferImpl$Node", ContextFields.class),
          entry(ARTERY + "ReusableOutboundEnvelope", ContextFields.class),
          entry(ARTERY + "ReusableInboundEnvelope", ContextFields.class),
          entry(MESSAGE_BUFFER, ContextFields.class),
          entry(MESSAGE_BUFFER + "$Node", ContextFields.class),
          entry(SEQUENCED, ContextFields.class),
          entry(UNCONFIRMED, ContextFields.class),
          entry(REMOTE + "EndpointManager$Send", ContextFields.class),
          entry(REMOTE + "WireFormats$SerializedMessage", ContextFields.class),
          entry(DISPATCH + "sysmsg.Create", ContextFields.class),
          entry(DISPATCH + "sysmsg.Supervise", ContextFields.class),
          entry(STAGE_LOGIC, ContextFields.class),
          entry(CALLBACK_EVENT, ContextFields.class),
          entry(CONNECTION, ContextFields.class),
          entry(PROPAGATION, ContextFields.class),
          entry(BOUNDARY, RefFields.class),
          entry(STREAM_BUFFER, RefFields.class),
          entry(ACTOR_SINK, RefFields.class),
          entry(ACTOR_SOURCE, RefFields.class),
          entry(NODE_QUEUE + "$Node", ContextFields.class),
          entry(PERSISTENCE + "PersistentImpl", RefFields.class),
          entry(BREAKER, RefFields.class),
          entry(REBALANCE, NumberFields.class),
          entry(SHARDING + "Shard", NumberFields.class),
          entry(SHARDING + "Shard$Entities", NumberFields.class),
          entry(DDATA + "ReadWriteAggregator", NumberFields.class),
          entry(INTERPRETER, NumberFields.class));

  /** The feature that cannot be without the fields of a class. */
  static final Map<String, Feature> FIELD_FEATURES =
      Map.ofEntries(
          entry(DISPATCH + "Envelope", Feature.ACTORS),
          entry(ACTOR + "ActorCell", Feature.ACTORS),
          entry(ACTOR + "ActorRef", Feature.ACTORS),
          entry(WORKER, Feature.ACTORS),
          entry("scala.concurrent.impl.Promise$Transformation", Feature.FUTURES),
          entry(ACTOR + "LightArrayRevolverScheduler$TaskHolder", Feature.SCHEDULER),
          entry(DISPATCH + "TaskInvocation", Feature.DISPATCH),
          entry(TYPED + "StashBufferImpl$Node", Feature.TYPED_STASH),
          entry(ARTERY + "ReusableOutboundEnvelope", Feature.ARTERY),
          entry(ARTERY + "ReusableInboundEnvelope", Feature.ARTERY),
          entry(MESSAGE_BUFFER, Feature.MESSAGE_BUFFER),
          entry(MESSAGE_BUFFER + "$Node", Feature.MESSAGE_BUFFER),
          entry(SEQUENCED, Feature.DELIVERY),
          entry(UNCONFIRMED, Feature.DELIVERY),
          entry(REMOTE + "EndpointManager$Send", Feature.CLASSIC_REMOTING),
          entry(REMOTE + "WireFormats$SerializedMessage", Feature.CLASSIC_REMOTING),
          entry(DISPATCH + "sysmsg.Create", Feature.CREATION),
          entry(DISPATCH + "sysmsg.Supervise", Feature.CREATION),
          entry(STAGE_LOGIC, Feature.STREAMS),
          entry(CALLBACK_EVENT, Feature.STREAMS),
          entry(CONNECTION, Feature.STREAMS),
          entry(PROPAGATION, Feature.STREAMS),
          entry(BOUNDARY, Feature.STREAMS),
          entry(STREAM_BUFFER, Feature.STREAMS),
          entry(ACTOR_SINK, Feature.STREAM_ACTORS),
          entry(ACTOR_SOURCE, Feature.STREAM_ACTORS),
          entry(NODE_QUEUE + "$Node", Feature.STREAM_QUEUES),
          entry(PERSISTENCE + "PersistentImpl", Feature.PERSISTENCE),
          entry(BREAKER, Feature.CIRCUIT_BREAKER),
          entry(REBALANCE, Feature.SHARDING),
          entry(SHARDING + "Shard", Feature.SHARDING),
          entry(SHARDING + "Shard$Entities", Feature.SHARDING),
          entry(DDATA + "ReadWriteAggregator", Feature.DISTRIBUTED_DATA),
          entry(INTERPRETER, Feature.STREAM_ELEMENTS));

  static final List<HookPoint> ALL = all();

  private HookPoints() {}

  private static List<HookPoint> all() {
    List<HookPoint> p = new ArrayList<>();
    Feature f = Feature.ACTORS;
    add(p, f, DISPATCH + "Envelope", "<init>", "SendAdvice", OBJECT, ACTOR + "ActorRef");
    add(
        p,
        f,
        ACTOR + "ActorCell",
        "<init>",
        "CellAdvice$Created",
        ACTOR + "ActorSystemImpl",
        ACTOR + "InternalActorRef",
        ACTOR + "Props",
        DISPATCH + "MessageDispatcher",
        ACTOR + "InternalActorRef");
    add(p, f, ACTOR + "ActorCell", "invoke", "InvokeAdvice", DISPATCH + "Envelope");
    add(
        p,
        f,
        ACTOR + "ActorCell",
        "systemInvoke",
        "SystemInvokeAdvice",
        DISPATCH + "sysmsg.SystemMessage");
    add(p, f, ACTOR + "ActorCell", "create", "CellAdvice$Started", "scala.Option");
    add(
        p,
        f,
        DUNGEON + "FaultHandling",
        "handleInvokeFailure",
        "CellAdvice$Failed",
        "scala.collection.immutable.Iterable",
        THROWABLE);
    add(p, f, DUNGEON + "FaultHandling", "finishRecreate", "CellAdvice$Restarted", THROWABLE);
    add(p, f, DUNGEON + "FaultHandling", "finishTerminate", "CellAdvice$Stopped");
    add(p, f, DISPATCH + "Mailbox", "run", "MailboxAdvice");
    add(p, f, ACTOR + "ActorSystemImpl", "start", "SystemAdvice");

    f = Feature.DISPATCH;
    add(p, f, DISPATCH + "ExecutorServiceDelegate", "execute", "HideAdvice", RUNNABLE);
    add(
        p,
        f,
        DISPATCH + "TaskInvocation",
        "<init>",
        "CallbackAdvice$Register",
        "org.apache.pekko.event.EventStream",
        RUNNABLE,
        "scala.Function0");
    add(p, f, DISPATCH + "TaskInvocation", "run", "CallbackAdvice$Run");

    add(
        p,
        Feature.EVENTS,
        "org.apache.pekko.event.EventStream",
        "publish",
        "PublishAdvice",
        OBJECT);

    f = Feature.ASK;
    String promiseRef = "org.apache.pekko.pattern.PromiseActorRef";
    add(
        p,
        f,
        promiseRef,
        "<init>",
        "AskAdvice$Created",
        ACTOR + "ActorRefProvider",
        "scala.concurrent.Promise",
        "java.lang.String",
        "java.lang.String");
    add(p, f, promiseRef, "ask", "AskAdvice$Ask", ACTOR + "ActorRef", OBJECT, TIMEOUT);
    named(
        p,
        f,
        "PromiseActorRef.ask(ActorSelection)",
        promiseRef,
        "ask",
        "AskAdvice$Ask",
        ACTOR + "ActorSelection",
        OBJECT,
        TIMEOUT);
    add(p, f, promiseRef, "stop", "AskAdvice$Ended");
    add(
        p,
        Feature.TYPED_ASK,
        ACTOR + "typed.scaladsl.AskPattern$PromiseRef",
        "ask",
        "TypedAskAdvice",
        TYPED + "InternalRecipientRef",
        OBJECT,
        TIMEOUT);

    add(
        p,
        Feature.ENTITY_ASK,
        "org.apache.pekko.cluster.sharding.typed.internal.EntityRefImpl$EntityPromiseRef",
        "ask",
        "EntityAskAdvice",
        ACTOR + "ActorRef",
        "java.lang.String",
        OBJECT,
        TIMEOUT);

    f = Feature.SERIALIZER;
    String remote = "org.apache.pekko.remote.";
    String serialization = "org.apache.pekko.serialization.Serialization";
    add(
        p,
        f,
        remote + "MessageSerializer$",
        "serializeForArtery",
        "SerializerAdvice$Serialize",
        serialization,
        remote + "artery.OutboundEnvelope",
        remote + "artery.HeaderBuilder",
        remote + "artery.EnvelopeBuffer");
    add(
        p,
        f,
        remote + "MessageSerializer$",
        "deserializeForArtery",
        "SerializerAdvice$Deserialize",
        ACTOR + "ExtendedActorSystem",
        "long",
        serialization,
        "int",
        "java.lang.String",
        remote + "artery.EnvelopeBuffer");

    f = Feature.FUTURES;
    String transformation = "scala.concurrent.impl.Promise$Transformation";
    add(
        p,
        f,
        transformation,
        "<init>",
        "CallbackAdvice$Register",
        "int",
        "scala.Function1",
        EXECUTION_CONTEXT);
    add(p, f, transformation, "run", "CallbackAdvice$Run");

    f = Feature.SCHEDULER;
    String scheduler = ACTOR + "LightArrayRevolverScheduler";
    add(
        p,
        f,
        scheduler,
        "scheduleOnce",
        "ScheduleAdvice$Once",
        FINITE,
        RUNNABLE,
        EXECUTION_CONTEXT);
    add(
        p,
        f,
        scheduler,
        "scheduleWithFixedDelay",
        "ScheduleAdvice$Periodic",
        FINITE,
        FINITE,
        RUNNABLE,
        EXECUTION_CONTEXT);
    add(
        p,
        f,
        scheduler,
        "schedule",
        "ScheduleAdvice$Periodic",
        FINITE,
        FINITE,
        RUNNABLE,
        EXECUTION_CONTEXT);
    add(
        p,
        f,
        scheduler + "$TaskHolder",
        "<init>",
        "ScheduleAdvice$Task",
        RUNNABLE,
        "int",
        EXECUTION_CONTEXT);
    add(p, f, scheduler + "$TaskHolder", "executeTask", "CallbackAdvice$Run");

    add(
        p,
        Feature.RECEIVE_TIMEOUT,
        DUNGEON + "ReceiveTimeout",
        "rescheduleReceiveTimeout",
        "ScheduleAdvice$ReceiveTimeout",
        FINITE);
    add(p, Feature.STASH, ACTOR + "StashSupport", "stash", "StashAdvice$Stashed");

    add(
        p,
        Feature.TIMERS,
        ACTOR + "TimerSchedulerImpl",
        "interceptTimerMsg",
        "UnwrapAdvice$Returned",
        ACTOR + "TimerSchedulerImpl$TimerMsg");

    f = Feature.TYPED;
    add(p, f, TYPED + "adapter.ActorAdapter", "handleMessage", "UnwrapAdvice$Argument", OBJECT);
    named(
        p,
        f,
        "typed.TimerSchedulerImpl.interceptTimerMsg",
        TYPED + "TimerSchedulerImpl",
        "interceptTimerMsg",
        "UnwrapAdvice$Returned",
        "org.slf4j.Logger",
        TYPED + "TimerSchedulerImpl$TimerMsg");
    add(
        p,
        f,
        ACTOR + "typed.Behavior$",
        "interpretMessage",
        "TypedAdvice$Failed",
        ACTOR + "typed.Behavior",
        ACTOR + "typed.TypedActorContext",
        OBJECT);
    add(
        p,
        f,
        TYPED + "RestartSupervisor",
        "restartCompleted",
        "TypedAdvice$Restarted",
        ACTOR + "typed.TypedActorContext");

    f = Feature.TYPED_STASH;
    typedRouters(p);
    String stash = TYPED + "StashBufferImpl";
    add(p, f, stash + "$Node", "<init>", "StashAdvice$Kept", stash + "$Node", OBJECT);
    add(
        p,
        f,
        stash,
        "org$apache$pekko$actor$typed$internal$StashBufferImpl$$dropHeadForUnstash",
        "StashAdvice$Next");
    named(
        p,
        f,
        "StashBufferImpl.unstash(Function1)",
        stash,
        "unstash",
        "StashAdvice$Done",
        ACTOR + "typed.Behavior",
        "int",
        "scala.Function1");
    named(
        p,
        f,
        "StashBufferImpl.unstash(Function)",
        stash,
        "unstash",
        "StashAdvice$Done",
        ACTOR + "typed.Behavior",
        "int",
        "java.util.function.Function");
    messageBuffer(p);
    delivery(p);
    artery(p);
    classicRemoting(p);
    add(
        p,
        Feature.CREATION,
        DISPATCH + "sysmsg.Create",
        "<init>",
        "CallbackAdvice$Register",
        "scala.Option");
    add(
        p,
        Feature.CREATION,
        DISPATCH + "sysmsg.Supervise",
        "<init>",
        "CallbackAdvice$Register",
        ACTOR + "ActorRef",
        "boolean");
    streams(p);
    streamEnds(p);
    persistence(p);
    typedPersistence(p);
    breakers(p);
    services(p);
    logging(p);
    durableState(p);
    return List.copyOf(p);
  }

  /** Where shard regions, shards, singleton proxies and the like keep what they cannot send yet. */
  private static void messageBuffer(List<HookPoint> p) {
    Feature f = Feature.MESSAGE_BUFFER;
    String node = MESSAGE_BUFFER + "$Node";
    add(p, f, node, "<init>", "BufferAdvice$Kept", node, OBJECT, ACTOR + "ActorRef");
    add(p, f, node, "apply", "BufferAdvice$Sending", "scala.Function2");
    add(p, f, MESSAGE_BUFFER, "append", "BufferAdvice$First", OBJECT, ACTOR + "ActorRef");
    add(
        p,
        Feature.ENTITY_START,
        SHARDING + "Shard",
        "getOrCreateEntity",
        "BufferAdvice$Making",
        "java.lang.String");
    f = Feature.ENTITY_FOUND;
    named(
        p,
        f,
        "Shard.deliverMessage.asked",
        SHARDING + "Shard",
        "org$apache$pekko$cluster$sharding$Shard$$deliverMessage",
        "EntityAdvice$Delivering",
        OBJECT,
        ACTOR + "ActorRef");
    add(p, f, SHARDING + "Shard$Active", "ref", "EntityAdvice$Found");
    named(
        p,
        f,
        "Shard.getOrCreateEntity.asked",
        SHARDING + "Shard",
        "getOrCreateEntity",
        "EntityAdvice$Found",
        "java.lang.String");
  }

  /** What reliable delivery sends again, when it got lost, is what it was. */
  private static void delivery(List<HookPoint> p) {
    Feature f = Feature.DELIVERY;
    add(
        p,
        f,
        SEQUENCED,
        "<init>",
        "CallbackAdvice$Register",
        "java.lang.String",
        "long",
        OBJECT,
        "boolean",
        "boolean",
        ACTOR + "typed.ActorRef");
    add(p, f, SEQUENCED, "asFirst", "RemoteAdvice$Copied");
    add(
        p,
        f,
        DELIVERY + "ConsumerControllerImpl",
        "deliver",
        "RemoteAdvice$Delivered",
        DELIVERY + "ConsumerControllerImpl$State",
        SEQUENCED);
    add(
        p,
        f,
        UNCONFIRMED,
        "<init>",
        "CallbackAdvice$Register",
        "long",
        "long",
        OBJECT,
        "scala.Option");
    add(p, f, UNCONFIRMED, "msg", "RemoteAdvice$Unconfirmed");
    add(
        p,
        Feature.SHARDED_DELIVERY,
        SHARDING + "typed.ShardingEnvelope",
        "<init>",
        "RemoteAdvice$Wrapped",
        "java.lang.String",
        OBJECT);
  }

  /** Both of Artery's transports, and ours. */
  private static void artery(List<HookPoint> p) {
    Feature f = Feature.ARTERY;
    String out = ARTERY + "ReusableOutboundEnvelope";
    String in = ARTERY + "ReusableInboundEnvelope";
    String instruments = ARTERY + "RemoteInstruments";
    String buffer = "java.nio.ByteBuffer";
    String remoteRef = "org.apache.pekko.remote.RemoteActorRef";
    add(p, f, out, "init", "RemoteAdvice$Leaving", remoteRef, OBJECT, ACTOR + "ActorRef");
    add(p, f, out, "copy", "RemoteAdvice$Copied");
    add(p, f, out, "clear", "RemoteAdvice$Forget");
    add(
        p,
        f,
        in,
        "init",
        "RemoteAdvice$Forget",
        ACTOR + "InternalActorRef",
        ACTOR + "ActorRef",
        "long",
        "int",
        "java.lang.String",
        "byte",
        ARTERY + "EnvelopeBuffer",
        ARTERY + "OutboundContext",
        "int");
    add(p, f, in, "clear", "RemoteAdvice$Forget");
    add(p, f, instruments, "nonEmpty", "RemoteAdvice$NonEmpty");
    add(p, f, instruments, "serialize", "RemoteAdvice$Write", ARTERY + "OutboundEnvelope", buffer);
    add(p, f, instruments, "deserialize", "RemoteAdvice$Read", ARTERY + "InboundEnvelope");
    named(
        p,
        f,
        "artery.MessageDispatcher.dispatch",
        ARTERY + "MessageDispatcher",
        "dispatch",
        "RemoteAdvice$Dispatch",
        ARTERY + "InboundEnvelope");
    add(
        p,
        f,
        REMOTE + "RemoteActorRefProvider$RemoteDeadLetterActorRef",
        "$bang",
        "RemoteAdvice$GivenUp",
        OBJECT,
        ACTOR + "ActorRef");
  }

  private static void classicRemoting(List<HookPoint> p) {
    Feature f = Feature.CLASSIC_REMOTING;
    String send = REMOTE + "EndpointManager$Send";
    String codec = REMOTE + "transport.PekkoPduProtobufCodec$";
    String bytes = "org.apache.pekko.util.ByteString";
    String serialized = REMOTE + "WireFormats$SerializedMessage";
    add(
        p,
        f,
        send,
        "<init>",
        "CallbackAdvice$Register",
        OBJECT,
        ACTOR + "ActorRef",
        REMOTE + "RemoteActorRef",
        "scala.Option");
    add(p, f, REMOTE + "EndpointWriter", "writeSend", "ClassicAdvice$Sending", send);
    add(
        p,
        f,
        codec,
        "constructMessage",
        "ClassicAdvice$Construct",
        ACTOR + "Address",
        ACTOR + "ActorRef",
        serialized,
        ACTOR + "ActorRef",
        "scala.Option",
        "scala.Option");
    add(
        p,
        f,
        codec,
        "decodeMessage",
        "ClassicAdvice$Decode",
        bytes,
        REMOTE + "RemoteActorRefProvider",
        ACTOR + "Address");
    add(
        p,
        f,
        REMOTE + "DefaultMessageDispatcher",
        "dispatch",
        "ClassicAdvice$Dispatch",
        ACTOR + "InternalActorRef",
        ACTOR + "Address",
        serialized,
        ACTOR + "ActorRef");
  }

  /** Where the interpreter and the stages of Pekko's let elements wait. */
  private static void streams(List<HookPoint> p) {
    Feature f = Feature.STREAMS;
    String advice = "StreamAdvice$";
    String interpreter = STREAM_IMPL + "fusing.GraphInterpreter";
    add(p, f, PROPAGATION, "suspendContext", advice + "Suspend");
    add(p, f, PROPAGATION, "resumeContext", advice + "Resume");
    add(p, f, PROPAGATION, "currentContext", advice + "Current");
    named(
        p,
        f,
        "ContextPropagationImpl.resumeContext(Object)",
        PROPAGATION,
        "resumeContext",
        advice + "ResumeGiven",
        OBJECT);
    add(p, f, STAGE_LOGIC, "<init>", advice + "Made", "int", "int");
    add(p, f, CALLBACK_EVENT, "<init>", advice + "CallbackIn", OBJECT, "scala.concurrent.Promise");
    named(
        p,
        f,
        "GraphStageLogic$ConcurrentAsyncCallback.onStart",
        CALLBACK,
        "$anonfun$onStart$1", // for each that waits
        advice + "CallbackOut",
        CALLBACK,
        CALLBACK_EVENT);
    add(p, f, interpreter, "chasePush", advice + "Pushing", CONNECTION);
    add(p, f, interpreter, "processPush", advice + "Push", CONNECTION);
    add(p, f, interpreter, "chasePull", advice + "Pulling", CONNECTION);
    add(p, f, interpreter, "processPull", advice + "Pull", CONNECTION);
    add(p, f, BOUNDARY, "onNext", advice + "BoundaryIn", OBJECT);
    add(p, f, BOUNDARY, "dequeue", advice + "BoundaryOut");
    add(p, f, STREAM_BUFFER, "enqueue", advice + "BufferIn", OBJECT);
    add(p, f, STREAM_BUFFER, "dequeue", advice + "BufferOut");
  }

  private static void streamEnds(List<HookPoint> p) {
    String advice = "StreamAdvice$";
    Feature f = Feature.STREAM_ACTORS;
    add(p, f, ACTOR_SINK, "onPush", advice + "SinkIn");
    add(p, f, ACTOR_SINK, "dequeueAndSend", advice + "SinkOut");
    add(p, f, ACTOR_SOURCE, "tryPush", advice + "Source");
    f = Feature.STREAM_QUEUES;
    add(p, f, NODE_QUEUE + "$Node", "<init>", advice + "QueueIn");
    add(p, f, NODE_QUEUE, "poll", advice + "QueueOut");
  }

  private static void persistence(List<HookPoint> p) {
    Feature f = Feature.PERSISTENCE;
    String advice = "PersistenceAdvice$";
    String sequence = "scala.collection.immutable.Seq";
    String event = PERSISTENCE + "PersistentRepr";
    String journal = PERSISTENCE + "JournalProtocol$";
    String actor = PERSISTENCE + "Eventsourced";
    String own = "org$apache$pekko$persistence$Eventsourced$$";
    String ref = ACTOR + "ActorRef";
    add(p, f, PERSISTENCE + "AtomicWrite", "<init>", advice + "Write", sequence);
    add(p, f, journal + "WriteMessages", "<init>", advice + "Request", sequence, ref, "int");
    add(
        p,
        f,
        journal + "ReplayMessages",
        "<init>",
        advice + "Replays",
        "long",
        "long",
        "long",
        "java.lang.String",
        ref);
    add(
        p,
        f,
        actor,
        "sendBatchedEventsToJournal",
        advice + "Sending",
        "scala.collection.immutable.Vector");
    add(p, f, actor, own + "writeEventSucceeded", advice + "Succeeded", event);
    add(p, f, actor, own + "writeEventRejected", advice + "Rejected", event, THROWABLE);
    add(p, f, actor, own + "writeEventFailed", advice + "Failed", event, THROWABLE);
    add(p, f, actor, own + "peekApplyHandler", advice + "Apply", OBJECT);
    add(p, f, actor, "requestRecoveryPermit", advice + "Permit");
    add(p, f, actor, own + "startRecovery", advice + "Start", PERSISTENCE + "Recovery");
    add(p, f, actor, "onReplaySuccess", advice + "Recovered");
    snapshots(p);
  }

  private static void snapshots(List<HookPoint> p) {
    Feature f = Feature.PERSISTENCE;
    String advice = "SnapshotAdvice$";
    String protocol = PERSISTENCE + "SnapshotProtocol$";
    String metadata = PERSISTENCE + "SnapshotMetadata";
    add(
        p,
        f,
        protocol + "LoadSnapshot",
        "<init>",
        advice + "Load",
        "java.lang.String",
        PERSISTENCE + "SnapshotSelectionCriteria",
        "long");
    add(p, f, protocol + "SaveSnapshot", "<init>", advice + "Save", metadata, OBJECT);
    add(p, f, PERSISTENCE + "Snapshotter", "saveSnapshot", advice + "Saving", OBJECT);
    add(p, f, PERSISTENCE + "SaveSnapshotSuccess", "<init>", advice + "Saved", metadata);
    add(
        p,
        f,
        PERSISTENCE + "SaveSnapshotFailure",
        "<init>",
        advice + "Failed",
        metadata,
        THROWABLE);
  }

  /** State that is written as a whole, in place of events. */
  private static void durableState(List<HookPoint> p) {
    Feature f = Feature.DURABLE_STATE;
    String advice = "StateAdvice$";
    String state = PERSISTENCE + "typed.state.internal.";
    String context = ACTOR + "typed.scaladsl.ActorContext";
    String store = state + "DurableStateStoreInteractions";
    add(
        p,
        f,
        state + "DurableStateBehaviorImpl",
        "apply",
        advice + "Named",
        ACTOR + "typed.TypedActorContext");
    add(p, f, store, "requestRecoveryPermit", advice + "Permit");
    add(p, f, store, "internalGet", advice + "Get", context);
    add(
        p,
        f,
        state + "Recovering",
        "onRecoveryCompleted",
        advice + "Recovered",
        state + "Recovering$RecoveryState");
    add(
        p,
        f,
        store,
        "internalUpsert",
        advice + "Write",
        context,
        OBJECT,
        state + "Running$RunningState",
        OBJECT);
    add(
        p,
        f,
        state + "Running$PersistingState",
        "onMessage",
        advice + "Answer",
        state + "InternalProtocol");
  }

  private static void typedPersistence(List<HookPoint> p) {
    Feature f = Feature.TYPED_PERSISTENCE;
    String advice = "TypedPersistenceAdvice$";
    String typed = PERSISTENCE + "typed.internal.";
    String context = ACTOR + "typed.scaladsl.ActorContext";
    String state = typed + "Running$RunningState";
    String journal = typed + "JournalInteractions";
    add(
        p,
        f,
        typed + "EventSourcedBehaviorImpl",
        "apply",
        advice + "Named",
        ACTOR + "typed.TypedActorContext");
    add(
        p,
        f,
        journal,
        "internalPersist",
        advice + "Persist",
        context,
        OBJECT,
        state,
        OBJECT,
        "java.lang.String",
        OBJECT);
    add(
        p,
        f,
        journal,
        "internalPersistAll",
        advice + "PersistAll",
        context,
        OBJECT,
        state,
        "scala.collection.immutable.Seq");
    add(p, f, journal, "requestRecoveryPermit", advice + "Permit");
    add(
        p,
        f,
        typed + "SnapshotInteractions",
        "internalSaveSnapshot",
        "SnapshotAdvice$TypedSaving",
        state);
    add(
        p,
        f,
        typed + "SnapshotInteractions",
        "loadSnapshot",
        advice + "Load",
        PERSISTENCE + "SnapshotSelectionCriteria",
        "long");
    add(
        p,
        f,
        typed + "Running$PersistingEvents",
        "onJournalResponse",
        advice + "Response",
        PERSISTENCE + "JournalProtocol$Response");
    add(
        p,
        f,
        typed + "ReplayingEvents",
        "onRecoveryCompleted",
        advice + "Recovered",
        typed + "ReplayingEvents$ReplayingState");
  }

  private static void breakers(List<HookPoint> p) {
    Feature f = Feature.CIRCUIT_BREAKER;
    String advice = "BreakerAdvice$";
    String notify = "org$apache$pekko$pattern$CircuitBreaker$$notifyCall";
    add(
        p,
        f,
        BREAKER,
        "<init>",
        advice + "Made",
        ACTOR + "Scheduler",
        "int",
        FINITE,
        FINITE,
        FINITE,
        "double",
        "double",
        "scala.collection.immutable.Set",
        "org.apache.pekko.pattern.internal.CircuitBreakerTelemetry",
        EXECUTION_CONTEXT);
    add(
        p,
        f,
        "org.apache.pekko.pattern.CircuitBreakersRegistry",
        "createCircuitBreaker",
        advice + "Named",
        "java.lang.String");
    add(p, f, BREAKER, "swapState", advice + "Changed", BREAKER + "$State", BREAKER + "$State");
    add(p, f, BREAKER, notify + "SuccessListeners", advice + "Succeeded", "long");
    add(p, f, BREAKER, notify + "FailureListeners", advice + "Failed", "long");
    add(p, f, BREAKER, notify + "TimeoutListeners", advice + "TimedOut", "long");
    add(p, f, BREAKER, notify + "BreakerOpenListeners", advice + "Rejected");
  }

  /** What seldom happens, in parts of Pekko that are actors themselves. */
  private static void services(List<HookPoint> p) {
    add(
        p,
        Feature.ROUTER,
        "org.apache.pekko.routing.RoutedActorCell",
        "sendMessage",
        "RouterAdvice",
        DISPATCH + "Envelope");
    String stash = TYPED + "StashBufferImpl";
    add(
        p,
        Feature.TYPED_STASH_SIZE,
        stash,
        "<init>",
        "StashAdvice$Made",
        ACTOR + "typed.scaladsl.ActorContext",
        "int",
        stash + "$Node",
        stash + "$Node");
    String advice = "ClusterAdvice$";
    String downing = "org.apache.pekko.cluster.sbr.DowningStrategy";
    add(p, Feature.DOWNING, downing, "nodesToDown", advice + "Decided", downing + "$Decision");
    Feature f = Feature.SHARDING;
    add(
        p,
        f,
        REBALANCE,
        "<init>",
        advice + "HandOff",
        "java.lang.String",
        "java.lang.String",
        ACTOR + "ActorRef",
        FINITE,
        "scala.collection.immutable.Set",
        "boolean");
    add(p, f, REBALANCE, "done", advice + "HandedOff", "boolean");
    add(
        p,
        f,
        SHARDING + "Shard",
        "org$apache$pekko$cluster$sharding$Shard$$deliverMessage",
        advice + "Counted",
        OBJECT,
        ACTOR + "ActorRef");
    add(
        p,
        f,
        SHARDING + "Shard$Entities",
        "entityPassivating",
        advice + "Counted",
        "java.lang.String");
    f = Feature.DISTRIBUTED_DATA;
    add(p, f, DDATA + "ReadWriteAggregator", "<init>", advice + "Operation");
    add(p, f, DDATA + "ReadAggregator", "reply", advice + "Read", "boolean");
    add(p, f, DDATA + "WriteAggregator", "reply", advice + "Written", "boolean");
    f = Feature.STREAM_ELEMENTS;
    named(
        p,
        f,
        "GraphInterpreter.processPush.counted",
        INTERPRETER,
        "processPush",
        advice + "Counted",
        INTERPRETER + "$Connection");
    add(p, f, INTERPRETER, "execute", "ElementsAdvice", "int");
  }

  private static void typedRouters(List<HookPoint> p) {
    Feature f = Feature.TYPED_ROUTER;
    String advice = "TypedRouterAdvice$";
    String pool = TYPED + "routing.PoolRouterImpl";
    String group = TYPED + "routing.GroupRouterImpl";
    String context = ACTOR + "typed.scaladsl.ActorContext";
    String logic = TYPED + "routing.RoutingLogic";
    add(
        p,
        f,
        pool,
        "<init>",
        advice + "PoolMade",
        context,
        "int",
        ACTOR + "typed.Behavior",
        logic,
        "scala.Function1",
        ACTOR + "typed.Props");
    add(p, f, pool, "onMessage", advice + "Pool", OBJECT);
    add(
        p,
        f,
        group,
        "<init>",
        advice + "GroupMade",
        context,
        ACTOR + "typed.receptionist.ServiceKey",
        "boolean",
        logic,
        "boolean");
    add(p, f, group, "onMessage", advice + "Group", OBJECT);
  }

  /** Where a library's logger is given what it lets through, once for each event. */
  private static void logging(List<HookPoint> p) {
    named(
        p,
        Feature.LOGBACK,
        "logback.Logger.callAppenders",
        Feature.LOGBACK.marker(),
        "callAppenders",
        "LogbackAdvice",
        "ch.qos.logback.classic.spi.ILoggingEvent");
    log4j(p, Feature.LOG4J, "Logger", "Logger");
    log4j(p, Feature.LOG4J_ASYNC, "AsyncLogger", "async.AsyncLogger");
  }

  private static void log4j(List<HookPoint> p, Feature f, String name, String type) {
    String log4j = "org.apache.logging.log4j.";
    named(
        p,
        f,
        "log4j." + name + ".log",
        log4j + "core." + type,
        "log",
        "Log4jAdvice$Log",
        log4j + "Level",
        log4j + "Marker",
        "java.lang.String",
        "java.lang.StackTraceElement",
        log4j + "message.Message",
        THROWABLE);
    named(
        p,
        f,
        "log4j." + name + ".logMessage",
        log4j + "core." + type,
        "logMessage",
        "Log4jAdvice$LogMessage",
        "java.lang.String",
        log4j + "Level",
        log4j + "Marker",
        log4j + "message.Message",
        THROWABLE);
  }

  private static void add(
      List<HookPoint> to,
      Feature feature,
      String type,
      String method,
      String advice,
      String... parameters) {
    String shortMethod = method.substring(method.lastIndexOf('$') + 1);
    String name = type.substring(type.lastIndexOf('.') + 1) + "." + shortMethod;
    to.add(new HookPoint(name, feature, type, method, List.of(parameters), ADVICE + advice));
  }

  private static void named(
      List<HookPoint> to,
      Feature feature,
      String name,
      String type,
      String method,
      String advice,
      String... parameters) {
    to.add(new HookPoint(name, feature, type, method, List.of(parameters), ADVICE + advice));
  }
}
