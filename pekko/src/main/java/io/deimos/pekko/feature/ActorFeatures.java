// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.woven.CellFields;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.EnvelopeFields;
import io.deimos.recorder.woven.RefFields;
import java.util.List;

/** Messages and the life of actors. */
final class ActorFeatures {
  /** Spans and metrics of messages, and the life of actors. Without it nothing is woven. */
  static final Feature ACTORS =
      Feature.named("ACTORS")
          .usedWith("org.apache.pekko.actor.ActorCell")
          .in("org.apache.pekko.actor.ActorRef")
          .fields(RefFields.class)
          .in("org.apache.pekko.dispatch.MonitorableThreadFactory$PekkoForkJoinWorkerThread")
          .fields(ThreadFields.class)
          .in("org.apache.pekko.dispatch.Envelope")
          .fields(EnvelopeFields.class)
          .constructor()
          .takes("java.lang.Object", "org.apache.pekko.actor.ActorRef")
          .weave("SendAdvice")
          .in("org.apache.pekko.actor.ActorCell")
          .fields(CellFields.class)
          .constructor()
          .takes(
              "org.apache.pekko.actor.ActorSystemImpl",
              "org.apache.pekko.actor.InternalActorRef",
              "org.apache.pekko.actor.Props",
              "org.apache.pekko.dispatch.MessageDispatcher",
              "org.apache.pekko.actor.InternalActorRef")
          .weave("CellAdvice$Created")
          .method("invoke")
          .takes("org.apache.pekko.dispatch.Envelope")
          .weave("InvokeAdvice")
          .method("systemInvoke")
          .takes("org.apache.pekko.dispatch.sysmsg.SystemMessage")
          .weave("SystemInvokeAdvice")
          .method("create")
          .takes("scala.Option")
          .weave("CellAdvice$Started")
          .in("org.apache.pekko.actor.dungeon.FaultHandling")
          .method("handleInvokeFailure")
          .takes("scala.collection.immutable.Iterable", "java.lang.Throwable")
          .weave("CellAdvice$Failed")
          .method("finishRecreate")
          .takes("java.lang.Throwable")
          .weave("CellAdvice$Restarted")
          .method("finishTerminate")
          .weave("CellAdvice$Stopped")
          .in("org.apache.pekko.dispatch.Mailbox")
          .method("run")
          .weave("MailboxAdvice")
          .in("org.apache.pekko.actor.ActorSystemImpl")
          .method("start")
          .weave("SystemAdvice")
          .build();

  static final Feature CREATION =
      Feature.named("CREATION")
          .usedWith("org.apache.pekko.dispatch.sysmsg.Create")
          .needs(Need.TRACING)
          .in("org.apache.pekko.dispatch.sysmsg.Create")
          .fields(ContextFields.class)
          .constructor()
          .takes("scala.Option")
          .weave("CallbackAdvice$Register")
          .in("org.apache.pekko.dispatch.sysmsg.Supervise")
          .fields(ContextFields.class)
          .constructor()
          .takes("org.apache.pekko.actor.ActorRef", "boolean")
          .weave("CallbackAdvice$Register")
          .build();

  static final Feature TYPED =
      Feature.named("TYPED")
          .usedWith("org.apache.pekko.actor.typed.internal.adapter.ActorAdapter")
          .in("org.apache.pekko.actor.typed.internal.adapter.ActorAdapter")
          .method("handleMessage")
          .takes("java.lang.Object")
          .weave("UnwrapAdvice$Argument")
          .in("org.apache.pekko.actor.typed.internal.TimerSchedulerImpl")
          .method("interceptTimerMsg")
          .takes(
              "org.slf4j.Logger",
              "org.apache.pekko.actor.typed.internal.TimerSchedulerImpl$TimerMsg")
          .called("typed.TimerSchedulerImpl.interceptTimerMsg")
          .weave("UnwrapAdvice$Returned")
          .in("org.apache.pekko.actor.typed.Behavior$")
          .method("interpretMessage")
          .takes(
              "org.apache.pekko.actor.typed.Behavior",
              "org.apache.pekko.actor.typed.TypedActorContext",
              "java.lang.Object")
          .weave("TypedAdvice$Failed")
          .in("org.apache.pekko.actor.typed.internal.RestartSupervisor")
          .method("restartCompleted")
          .takes("org.apache.pekko.actor.typed.TypedActorContext")
          .weave("TypedAdvice$Restarted")
          .build();

  static final List<Feature> ALL = List.of(ACTORS, CREATION, TYPED);

  private ActorFeatures() {}
}
