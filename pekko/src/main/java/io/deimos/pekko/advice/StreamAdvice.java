// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.BodyHooks;
import io.deimos.recorder.hooks.StreamHooks;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.impl.fusing.GraphInterpreter;
import org.apache.pekko.stream.impl.fusing.SubSource;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/** Copied into streams, where elements wait and go on. */
@SuppressWarnings("unused") // copied into Pekko
final class StreamAdvice {
  private StreamAdvice() {}

  /**
   * {@code ContextPropagationImpl.suspendContext}: stages of Pekko's call it for what they keep.
   */
  static final class Suspend {
    private Suspend() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object stage) {
      StreamHooks.keep(StreamHooks.SUSPEND, (ContextFields) stage);
    }
  }

  /** {@code ContextPropagationImpl.resumeContext()}. */
  static final class Resume {
    private Resume() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object stage) {
      StreamHooks.goOn(StreamHooks.RESUME, (ContextFields) stage);
    }
  }

  /** {@code ContextPropagationImpl.currentContext}. */
  static final class Current {
    private Current() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(readOnly = false) @Nullable Object context) {
      context = StreamHooks.current();
    }
  }

  /** {@code ContextPropagationImpl.resumeContext(Object)}. */
  static final class ResumeGiven {
    private ResumeGiven() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable Object context) {
      StreamHooks.resumeGiven(context);
    }
  }

  /** {@code GraphStageLogic.<init>}. */
  static final class Made {
    private Made() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object logic, @Advice.Argument(0) int inCount) {
      StreamHooks.made((ContextFields) logic, inCount == 0);
    }
  }

  /** {@code ConcurrentAsyncCallbackState.Event.<init>}: the stage to be told has not started. */
  static final class CallbackIn {
    private CallbackIn() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object event) {
      StreamHooks.keep(StreamHooks.CALLBACK_IN, (ContextFields) event);
    }
  }

  /** The work of {@code ConcurrentAsyncCallback.onStart} for each of these. */
  static final class CallbackOut {
    private CallbackOut() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Object enter(@Advice.Argument(1) Object event) {
      return StreamHooks.tell(StreamHooks.CALLBACK_OUT, (ContextFields) event);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Object before) {
      if (before != null) {
        StreamHooks.told(before);
      }
    }
  }

  /** The same where the stage is no argument. */
  static final class CallbackOutOfThis {
    private CallbackOutOfThis() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Object enter(@Advice.Argument(0) Object event) {
      return StreamHooks.tell(StreamHooks.CALLBACK_OUT, (ContextFields) event);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Object before) {
      if (before != null) {
        StreamHooks.told(before);
      }
    }
  }

  /** {@code GraphInterpreter.chasePush}: an element is pushed, and arrives at once or later. */
  static final class Pushing {
    private Pushing() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) Object connection) {
      StreamHooks.keep(StreamHooks.PUSHING, (ContextFields) connection);
    }
  }

  /** {@code GraphInterpreter.processPush}: it arrives. */
  static final class Push {
    private Push() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) Object connection) {
      StreamHooks.arrives(StreamHooks.PUSH, (ContextFields) connection, (ContextFields) connection);
    }
  }

  /** {@code GraphInterpreter.chasePull}: one is asked for. */
  static final class Pulling {
    private Pulling() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) Object connection) {
      StreamHooks.keep(StreamHooks.PULLING, (ContextFields) connection);
    }
  }

  /** {@code GraphInterpreter.processPull}: the stage that is asked gets to know it. */
  static final class Pull {
    private Pull() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) GraphInterpreter.Connection connection) {
      GraphStageLogic asked = connection.outOwner();
      StreamHooks.arrives(
          StreamHooks.PULL,
          (ContextFields) (asked != null && asked.inCount() == 0 ? asked : connection),
          (ContextFields) (Object) connection);
    }
  }

  /** {@code GraphInterpreter.runAsyncInput}: a stage is told something from outside. */
  static final class Told {
    private Told() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable GraphStageLogic logic) {
      BodyHooks.tells();
      if (logic != null && logic.originalStage() instanceof SubSource<?> source) {
        BodyHooks.told((ContextFields) logic, source.toString());
      }
    }
  }

  /** {@code BatchingActorInputBoundary.onNext}. */
  static final class BoundaryIn {
    private BoundaryIn() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This Object boundary,
        @Advice.FieldValue("nextInputElementCursor") int next,
        @Advice.FieldValue("inputBufferElements") int count,
        @Advice.FieldValue("size") int size) {
      StreamHooks.put(StreamHooks.BOUNDARY_IN, (RefFields) boundary, next + count, size);
    }
  }

  /** {@code BatchingActorInputBoundary.dequeue}. */
  static final class BoundaryOut {
    private BoundaryOut() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This Object boundary,
        @Advice.FieldValue("nextInputElementCursor") int next,
        @Advice.FieldValue("size") int size) {
      StreamHooks.take(StreamHooks.BOUNDARY_OUT, (RefFields) boundary, next, size);
    }
  }

  /** {@code FixedSizeBuffer.enqueue}; ports that wait in one are no elements. */
  static final class BufferIn {
    private BufferIn() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This Object buffer,
        @Advice.Argument(0) @Nullable Object element,
        @Advice.FieldValue("writeIdx") long index,
        @Advice.FieldValue("capacity") int capacity) {
      if (!(element instanceof Outlet)) {
        StreamHooks.put(StreamHooks.BUFFER_IN, (RefFields) buffer, index, capacity);
      }
    }
  }

  /** {@code FixedSizeBuffer.dequeue}. */
  static final class BufferOut {
    private BufferOut() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This Object buffer,
        @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object element,
        @Advice.FieldValue("readIdx") long after,
        @Advice.FieldValue("capacity") int capacity) {
      if (!(element instanceof Outlet)) {
        StreamHooks.take(
            StreamHooks.BUFFER_OUT, (RefFields) buffer, after + capacity - 1, capacity);
      }
    }
  }

  /** {@code onPush} of the sink that sends when it is told to. */
  static final class SinkIn {
    private SinkIn() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object sink) {
      StreamHooks.append(StreamHooks.SINK_IN, (RefFields) sink);
    }
  }

  /** Its {@code dequeueAndSend}. */
  static final class SinkOut {
    private SinkOut() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object sink) {
      StreamHooks.takeFirst(StreamHooks.SINK_OUT, (RefFields) sink);
    }
  }

  /** {@code tryPush} of the source that says when it wants more. */
  static final class Source {
    private Source() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This Object source,
        @Advice.FieldValue(value = "element", typing = Assigner.Typing.DYNAMIC)
            @Nullable Object element) {
      StreamHooks.mayGive((RefFields) source, element != null);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.This Object source,
        @Advice.FieldValue(value = "element", typing = Assigner.Typing.DYNAMIC)
            @Nullable Object element) {
      StreamHooks.mayHaveGiven((RefFields) source, element != null);
    }
  }

  /** {@code AbstractBoundedNodeQueue.Node.<init>}, on the thread that offers. */
  static final class QueueIn {
    private QueueIn() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object node) {
      StreamHooks.keep(StreamHooks.QUEUE_IN, (ContextFields) node);
    }
  }

  /** {@code AbstractBoundedNodeQueue.poll}: the node that had the element is now the first. */
  static final class QueueOut {
    private QueueOut() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.FieldValue(value = "_deqDoNotCallMeDirectly", typing = Assigner.Typing.DYNAMIC)
            Object first,
        @Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object element) {
      if (element != null) {
        StreamHooks.goOn(StreamHooks.QUEUE_OUT, (ContextFields) first);
      }
    }
  }
}
