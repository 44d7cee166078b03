// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import java.util.List;

/** The tasks that executors run. */
final class DispatchFeatures {
  /** The context of actors stays out of the hands of executors. */
  static final Feature DISPATCH =
      Feature.named("DISPATCH")
          .usedWith("org.apache.pekko.dispatch.ExecutorServiceDelegate")
          .needs(Need.TRACING)
          .in("org.apache.pekko.dispatch.ExecutorServiceDelegate")
          .method("execute")
          .takes("java.lang.Runnable")
          .weave("HideAdvice")
          .in("org.apache.pekko.dispatch.TaskInvocation")
          .fields(ContextFields.class)
          .constructor()
          .takes("org.apache.pekko.event.EventStream", "java.lang.Runnable", "scala.Function0")
          .weave("CallbackAdvice$Register")
          .method("run")
          .weave("CallbackAdvice$Run")
          .build();

  /** Scala's, which may be in a class loader above Pekko's, as in sbt. */
  static final Feature FUTURES =
      Feature.named("FUTURES")
          .usedWith("scala.concurrent.impl.Promise$Transformation")
          .needs(Need.TRACING)
          .ofLibrary()
          .in("scala.concurrent.impl.Promise$Transformation")
          .fields(ContextFields.class)
          .constructor()
          .takes("int", "scala.Function1", "scala.concurrent.ExecutionContext")
          .weave("CallbackAdvice$Register")
          .method("run")
          .weave("CallbackAdvice$Run")
          .build();

  /** The same in Scala 2.12. */
  static final Feature FUTURES_2_12 =
      Feature.named("FUTURES_2_12")
          .usedWith("scala.concurrent.impl.CallbackRunnable")
          .needs(Need.TRACING)
          .ofLibrary()
          .in("scala.concurrent.impl.CallbackRunnable")
          .fields(ContextFields.class)
          .constructor()
          .takes("scala.concurrent.ExecutionContext", "scala.Function1")
          .weave("CallbackAdvice$Register")
          .method("run")
          .weave("CallbackAdvice$Run")
          .build();

  static final List<Feature> ALL = List.of(DISPATCH, FUTURES, FUTURES_2_12);

  private DispatchFeatures() {}
}
