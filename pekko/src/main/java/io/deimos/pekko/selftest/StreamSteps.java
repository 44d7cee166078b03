// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.base.StreamHook;
import io.deimos.recorder.hooks.StreamHooks;
import java.lang.reflect.Method;
import org.apache.pekko.dispatch.AbstractBoundedNodeQueue;
import org.apache.pekko.stream.impl.Buffer;
import org.apache.pekko.stream.impl.Buffer$;
import org.apache.pekko.stream.impl.ContextPropagation;
import org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter;
import org.apache.pekko.stream.impl.fusing.GraphInterpreter;
import org.apache.pekko.stream.stage.GraphStageLogic;
import scala.concurrent.Promise;

/**
 * The places in which streams keep elements, each by itself: no stream is started for it. Most of
 * them are called on objects that were never set up, so what comes after the hook fails, and may.
 */
final class StreamSteps {
  private static final String IMPL = "org.apache.pekko.stream.impl.";

  private StreamSteps() {}

  static void run(Steps steps) {
    ContextPropagation stage = ContextPropagation.apply();
    check(
        steps, "ContextPropagationImpl.suspendContext", StreamHook.SUSPEND, stage::suspendContext);
    check(steps, "ContextPropagationImpl.resumeContext", StreamHook.RESUME, stage::resumeContext);
    check(
        steps, "ContextPropagationImpl.currentContext", StreamHook.CURRENT, stage::currentContext);
    check(
        steps,
        "ContextPropagationImpl.resumeContext(Object)",
        StreamHook.RESUME_GIVEN,
        () -> stage.resumeContext(null));
    check(steps, "GraphStageLogic.<init>", StreamHook.LOGIC, () -> new GraphStageLogic(0, 1) {});
    callbacks(steps);
    interpreter(steps);
    Buffer<String> buffer = Buffer$.MODULE$.apply(1, 1);
    check(
        steps,
        "FixedSizeBuffer$FixedSizeBuffer.enqueue",
        StreamHook.BUFFER_IN,
        () -> buffer.enqueue("self-test"));
    check(steps, "FixedSizeBuffer$FixedSizeBuffer.dequeue", StreamHook.BUFFER_OUT, buffer::dequeue);
  }

  /** What a stage is told from outside before it has started. */
  private static void callbacks(Steps steps) {
    String stage = "org.apache.pekko.stream.stage.";
    String event = "ConcurrentAsyncCallbackState$Event";
    check(
        steps,
        event + ".<init>",
        StreamHook.CALLBACK_IN,
        () ->
            load(stage + event)
                .getConstructor(Object.class, Promise.class)
                .newInstance("self-test", null));
    String callback = "GraphStageLogic$ConcurrentAsyncCallback";
    String starting = "$anonfun$onStart$1";
    check(
        steps,
        callback + ".onStart",
        StreamHook.CALLBACK_OUT,
        () -> call(load(stage + callback), starting, load(stage + callback), load(stage + event)));
  }

  private static void interpreter(Steps steps) {
    Class<?> interpreter = GraphInterpreter.class;
    Class<?> connection = GraphInterpreter.Connection.class;
    check(
        steps,
        "GraphInterpreter.chasePush",
        StreamHook.PUSHING,
        () -> call(interpreter, "chasePush", connection));
    check(
        steps,
        "GraphInterpreter.processPush",
        StreamHook.PUSH,
        () -> call(interpreter, "processPush", connection));
    check(
        steps,
        "GraphInterpreter.chasePull",
        StreamHook.PULLING,
        () -> call(interpreter, "chasePull", connection));
    check(
        steps,
        "GraphInterpreter.processPull",
        StreamHook.PULL,
        () -> call(interpreter, "processPull", connection));
    Class<?> boundary = ActorGraphInterpreter.BatchingActorInputBoundary.class;
    String name = "ActorGraphInterpreter$BatchingActorInputBoundary.";
    check(
        steps,
        name + "onNext",
        StreamHook.BOUNDARY_IN,
        () -> call(boundary, "onNext", Object.class));
    check(steps, name + "dequeue", StreamHook.BOUNDARY_OUT, () -> call(boundary, "dequeue"));
  }

  static void actors(Steps steps) {
    String sink = "ActorRefBackpressureSinkStage$$anon$1";
    check(steps, sink + ".onPush", StreamHook.SINK_IN, () -> call(named(sink), "onPush"));
    check(
        steps,
        sink + ".dequeueAndSend",
        StreamHook.SINK_OUT,
        () -> call(named(sink), "dequeueAndSend"));
    String source = "ActorRefBackpressureSource$$anon$1";
    check(steps, source + ".tryPush", StreamHook.SOURCE, () -> call(named(source), "tryPush"));
  }

  static void queues(Steps steps) {
    AbstractBoundedNodeQueue<String> queue = new AbstractBoundedNodeQueue<>(1) {};
    queue.add("self-test");
    check(steps, "AbstractBoundedNodeQueue$Node.<init>", StreamHook.QUEUE_IN, () -> {});
    check(steps, "AbstractBoundedNodeQueue.poll", StreamHook.QUEUE_OUT, queue::poll);
  }

  private static void check(Steps steps, String name, StreamHook hook, Unmade.Call call) {
    steps.check(
        name,
        () -> {
          try {
            call.run();
          } catch (ReflectiveOperationException | RuntimeException e) {
            // The object is not whole; whether the hook has fired is all that counts.
          }
          return StreamHooks.hasFired(hook);
        });
  }

  private static Class<?> named(String name) throws ReflectiveOperationException {
    return load(IMPL + name);
  }

  private static Class<?> load(String name) throws ReflectiveOperationException {
    return Class.forName(name, false, GraphInterpreter.class.getClassLoader());
  }

  /** Calls a method, whoever may see it, on an object that was never set up. */
  private static void call(Class<?> type, String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = parameters[i] == Object.class ? "self-test" : Unmade.of(parameters[i]);
    }
    method.invoke(Unmade.of(type), arguments);
  }
}
