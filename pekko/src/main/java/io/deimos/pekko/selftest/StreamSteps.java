// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

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
    steps.firesUnmade("ContextPropagationImpl.suspendContext", stage::suspendContext);
    steps.firesUnmade("ContextPropagationImpl.resumeContext", stage::resumeContext);
    steps.firesUnmade("ContextPropagationImpl.currentContext", stage::currentContext);
    steps.firesUnmade(
        "ContextPropagationImpl.resumeContext(Object)", () -> stage.resumeContext(null));
    steps.firesUnmade("GraphStageLogic.<init>", () -> new GraphStageLogic(0, 1) {});
    callbacks(steps);
    interpreter(steps);
    Buffer<String> buffer = Buffer$.MODULE$.apply(1, 1);
    steps.firesUnmade("FixedSizeBuffer$FixedSizeBuffer.enqueue", () -> buffer.enqueue("self-test"));
    steps.firesUnmade("FixedSizeBuffer$FixedSizeBuffer.dequeue", buffer::dequeue);
  }

  /** A call to a stage from outside before it has started. */
  private static void callbacks(Steps steps) {
    String stage = "org.apache.pekko.stream.stage.";
    String event = "ConcurrentAsyncCallbackState$Event";
    steps.firesUnmade(
        event + ".<init>",
        () ->
            load(stage + event)
                .getConstructor(Object.class, Promise.class)
                .newInstance("self-test", null));
    String callback = "GraphStageLogic$ConcurrentAsyncCallback";
    steps.firesUnmade(callback + ".onStart", () -> call(starting(load(stage + callback))));
  }

  /** The lambda in {@code onStart}, whose name and static nature are the compiler's choice. */
  private static Method starting(Class<?> callback) throws NoSuchMethodException {
    for (Method method : callback.getDeclaredMethods()) {
      String name = method.getName();
      if (name.contains("onStart")
          && name.contains("anonfun")
          && !name.endsWith("$adapted")
          && method.getParameterCount() > 0) {
        return method;
      }
    }
    throw new NoSuchMethodException(callback + ".onStart");
  }

  private static void interpreter(Steps steps) {
    Class<?> interpreter = GraphInterpreter.class;
    Class<?> connection = GraphInterpreter.Connection.class;
    steps.firesUnmade(
        "GraphInterpreter.chasePush", () -> call(interpreter, "chasePush", connection));
    steps.firesUnmade(
        "GraphInterpreter.processPush", () -> call(interpreter, "processPush", connection));
    steps.firesUnmade(
        "GraphInterpreter.chasePull", () -> call(interpreter, "chasePull", connection));
    steps.firesUnmade(
        "GraphInterpreter.processPull", () -> call(interpreter, "processPull", connection));
    steps.firesUnmade(
        "GraphInterpreter.runAsyncInput",
        () -> Unmade.of(GraphInterpreter.class).runAsyncInput(null, "self-test", null, null));
    Class<?> boundary = ActorGraphInterpreter.BatchingActorInputBoundary.class;
    String name = "ActorGraphInterpreter$BatchingActorInputBoundary.";
    steps.firesUnmade(name + "onNext", () -> call(boundary, "onNext", Object.class));
    steps.firesUnmade(name + "dequeue", () -> call(boundary, "dequeue"));
  }

  static void actors(Steps steps) {
    String sink = "ActorRefBackpressureSinkStage$$anon$1";
    steps.firesUnmade(sink + ".onPush", () -> call(named(sink), "onPush"));
    steps.firesUnmade(sink + ".dequeueAndSend", () -> call(named(sink), "dequeueAndSend"));
    String source = "ActorRefBackpressureSource$$anon$1";
    steps.firesUnmade(source + ".tryPush", () -> call(named(source), "tryPush"));
  }

  static void queues(Steps steps) {
    AbstractBoundedNodeQueue<String> queue = new AbstractBoundedNodeQueue<>(1) {};
    queue.add("self-test");
    steps.firesUnmade("AbstractBoundedNodeQueue$Node.<init>", () -> {});
    steps.firesUnmade("AbstractBoundedNodeQueue.poll", queue::poll);
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
    call(type.getDeclaredMethod(name, parameters));
  }

  private static void call(Method method) throws ReflectiveOperationException {
    Class<?>[] parameters = method.getParameterTypes();
    method.setAccessible(true);
    Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = parameters[i] == Object.class ? "self-test" : Unmade.of(parameters[i]);
    }
    method.invoke(Unmade.of(method.getDeclaringClass()), arguments);
  }
}
