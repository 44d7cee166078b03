// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.LifecycleHooks;
import io.deimos.recorder.woven.CellFields;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorSystemImpl;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.Props;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Set;

/** Copied into the methods that make, start, restart and end an actor. */
@SuppressWarnings("unused") // copied into Pekko
final class CellAdvice {
  private CellAdvice() {}

  /** {@code ActorCell.<init>}. */
  static final class Created {
    private Created() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This Object cell,
        @Advice.Argument(0) ActorSystemImpl system,
        @Advice.Argument(1) InternalActorRef self,
        @Advice.Argument(2) Props props,
        @Advice.Argument(4) @Nullable InternalActorRef supervisor) {
      LifecycleHooks.systemSeen(system);
      Set<String> tags = props.deploy().tags();
      LifecycleHooks.created(
          (CellFields) cell,
          (RefFields) (Object) self,
          self.path(),
          system.name(),
          props.actorClass(),
          supervisor == null ? null : ((RefFields) (Object) supervisor).deimos$identity(),
          tags.isEmpty() ? null : tags.mkString("\n"));
    }
  }

  /** {@code ActorCell.create}. */
  static final class Started {
    private Started() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This ActorCell cell) {
      LifecycleHooks.started((CellFields) (Object) cell, cell.actor());
    }
  }

  /** {@code FaultHandling.handleInvokeFailure}. */
  static final class Failed {
    private Failed() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object cell, @Advice.Argument(1) @Nullable Throwable error) {
      LifecycleHooks.failed((CellFields) cell, error);
    }
  }

  /** {@code FaultHandling.finishRecreate}. */
  static final class Restarted {
    private Restarted() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object cell) {
      LifecycleHooks.restarted((CellFields) cell);
    }
  }

  /** {@code FaultHandling.finishTerminate}. */
  static final class Stopped {
    private Stopped() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object cell) {
      LifecycleHooks.stopped((CellFields) cell);
    }
  }
}
