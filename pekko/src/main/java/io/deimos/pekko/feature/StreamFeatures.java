// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.NumberFields;
import io.deimos.recorder.woven.RefFields;
import java.util.List;

/** Elements of streams. */
final class StreamFeatures {
  /** Elements keep their context where streams let them wait. */
  static final Feature STREAMS =
      Feature.named("STREAMS")
          .usedWith("org.apache.pekko.stream.impl.fusing.GraphInterpreter")
          .needs(Need.TRACING, Need.STREAMS)
          .in("org.apache.pekko.stream.impl.fusing.GraphInterpreter$Connection")
          .fields(ContextFields.class)
          .in("org.apache.pekko.stream.impl.ContextPropagationImpl")
          .fields(ContextFields.class)
          .method("suspendContext")
          .weave("StreamAdvice$Suspend")
          .method("resumeContext")
          .weave("StreamAdvice$Resume")
          .method("currentContext")
          .weave("StreamAdvice$Current")
          .method("resumeContext")
          .takes("java.lang.Object")
          .called("ContextPropagationImpl.resumeContext(Object)")
          .weave("StreamAdvice$ResumeGiven")
          .in("org.apache.pekko.stream.stage.GraphStageLogic")
          .fields(ContextFields.class)
          .constructor()
          .takes("int", "int")
          .weave("StreamAdvice$Made")
          .in("org.apache.pekko.stream.stage.ConcurrentAsyncCallbackState$Event")
          .fields(ContextFields.class)
          .constructor()
          .takes("java.lang.Object", "scala.concurrent.Promise")
          .weave("StreamAdvice$CallbackIn")
          .in("org.apache.pekko.stream.stage.GraphStageLogic$ConcurrentAsyncCallback")
          .lambdaIn("onStart")
          .takes(
              "org.apache.pekko.stream.stage.GraphStageLogic$ConcurrentAsyncCallback",
              "org.apache.pekko.stream.stage.ConcurrentAsyncCallbackState$Event")
          .called("GraphStageLogic$ConcurrentAsyncCallback.onStart")
          .weave("StreamAdvice$CallbackOut")
          .or() // of Scala 3: no static method
          .lambdaIn("onStart")
          .takes("org.apache.pekko.stream.stage.ConcurrentAsyncCallbackState$Event")
          .weave("StreamAdvice$CallbackOutOfThis")
          .in("org.apache.pekko.stream.impl.fusing.GraphInterpreter")
          .method("chasePush")
          .takes("org.apache.pekko.stream.impl.fusing.GraphInterpreter$Connection")
          .weave("StreamAdvice$Pushing")
          .method("processPush")
          .takes("org.apache.pekko.stream.impl.fusing.GraphInterpreter$Connection")
          .weave("StreamAdvice$Push")
          .method("chasePull")
          .takes("org.apache.pekko.stream.impl.fusing.GraphInterpreter$Connection")
          .weave("StreamAdvice$Pulling")
          .method("processPull")
          .takes("org.apache.pekko.stream.impl.fusing.GraphInterpreter$Connection")
          .weave("StreamAdvice$Pull")
          .in(
              "org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter$BatchingActorInputBoundary")
          .fields(RefFields.class)
          .method("onNext")
          .takes("java.lang.Object")
          .weave("StreamAdvice$BoundaryIn")
          .method("dequeue")
          .weave("StreamAdvice$BoundaryOut")
          .in("org.apache.pekko.stream.impl.FixedSizeBuffer$FixedSizeBuffer")
          .fields(RefFields.class)
          .method("enqueue")
          .takes("java.lang.Object")
          .weave("StreamAdvice$BufferIn")
          .method("dequeue")
          .weave("StreamAdvice$BufferOut")
          .build();

  /** The same in sources and sinks that are told when there may be more. */
  static final Feature STREAM_ACTORS =
      Feature.named("STREAM_ACTORS")
          .usedWith("org.apache.pekko.stream.impl.ActorRefBackpressureSinkStage")
          .needs(Need.TRACING, Need.STREAMS)
          .in("org.apache.pekko.stream.impl.ActorRefBackpressureSinkStage$$anon$1")
          .fields(RefFields.class)
          .method("onPush")
          .weave("StreamAdvice$SinkIn")
          .method("dequeueAndSend")
          .weave("StreamAdvice$SinkOut")
          .in("org.apache.pekko.stream.impl.ActorRefBackpressureSource$$anon$1")
          .fields(RefFields.class)
          .method("tryPush")
          .weave("StreamAdvice$Source")
          .build();

  /** The same in queues that never let who offers wait. */
  static final Feature STREAM_QUEUES =
      Feature.named("STREAM_QUEUES")
          .usedWith("org.apache.pekko.stream.impl.BoundedSourceQueueStage")
          .needs(Need.TRACING, Need.STREAMS)
          .in("org.apache.pekko.dispatch.AbstractBoundedNodeQueue$Node")
          .fields(ContextFields.class)
          .constructor()
          .weave("StreamAdvice$QueueIn")
          .in("org.apache.pekko.dispatch.AbstractBoundedNodeQueue")
          .method("poll")
          .weave("StreamAdvice$QueueOut")
          .build();

  static final Feature STREAM_ELEMENTS =
      Feature.named("STREAM_ELEMENTS")
          .usedWith("org.apache.pekko.stream.impl.fusing.GraphInterpreter")
          .needs(Need.METRICS)
          .in("org.apache.pekko.stream.impl.fusing.GraphInterpreter")
          .fields(NumberFields.class)
          .method("processPush")
          .takes("org.apache.pekko.stream.impl.fusing.GraphInterpreter$Connection")
          .called("GraphInterpreter.processPush.counted")
          .weave("ClusterAdvice$Counted")
          .method("execute")
          .takes("int")
          .weave("ElementsAdvice")
          .build();

  /** The body of an HTTP message, which comes from the network in parts. */
  static final Feature STREAM_BODIES =
      Feature.named("STREAM_BODIES")
          .usedWith("org.apache.pekko.stream.impl.fusing.SubSource")
          .needs(Need.TRACING, Need.STREAMS)
          .in("org.apache.pekko.stream.impl.fusing.GraphInterpreter")
          .method("runAsyncInput")
          .takes(
              "org.apache.pekko.stream.stage.GraphStageLogic",
              "java.lang.Object",
              "scala.concurrent.Promise",
              "scala.Function1")
          .weave("StreamAdvice$Told")
          .build();

  static final List<Feature> ALL =
      List.of(STREAMS, STREAM_ACTORS, STREAM_QUEUES, STREAM_BODIES, STREAM_ELEMENTS);

  private StreamFeatures() {}
}
