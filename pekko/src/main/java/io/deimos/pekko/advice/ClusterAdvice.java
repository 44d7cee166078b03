// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.ClusterHooks;
import io.deimos.recorder.woven.NumberFields;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.cluster.ddata.ReadAggregator;
import org.apache.pekko.cluster.ddata.WriteAggregator;
import org.apache.pekko.cluster.sbr.DowningStrategy;
import org.jspecify.annotations.Nullable;
import scala.Product;

/**
 * Copied into the split-brain resolver, the failure detector, cluster sharding and distributed
 * data.
 */
@SuppressWarnings("unused") // copied into Pekko
final class ClusterAdvice {
  private ClusterAdvice() {}

  /** {@code DowningStrategy.nodesToDown}, which may call itself. */
  static final class Decided {
    private Decided() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      ClusterHooks.deciding();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.This DowningStrategy strategy,
        @Advice.Argument(0) Object decision,
        @Advice.Return scala.collection.immutable.@Nullable Set<?> nodes) {
      ClusterHooks.decided(
          strategy.members().isEmpty() ? "" : strategy.members().head().address().system(),
          decision.toString(),
          nodes == null ? -1 : nodes.size());
    }
  }

  /** {@code PhiAccrualFailureDetector.heartbeat}. */
  static final class Heartbeat {
    private Heartbeat() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This Object detector, @Advice.FieldValue("address") @Nullable String peer) {
      ClusterHooks.heartbeat((NumberFields) detector, peer);
    }
  }

  /** {@code RebalanceWorker.<init>}. */
  static final class HandOff {
    private HandOff() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object worker) {
      ClusterHooks.handOffBegun((NumberFields) worker);
    }
  }

  /** {@code ReadWriteAggregator.<init>}. */
  static final class Operation {
    private Operation() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object worker) {
      ClusterHooks.operationBegun((NumberFields) worker);
    }
  }

  /** {@code RebalanceWorker.done}. */
  static final class HandedOff {
    private HandedOff() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Actor worker, @Advice.Argument(0) boolean done) {
      ClusterHooks.handedOff(
          (NumberFields) worker,
          worker.context().system().name(),
          worker.self().path().toString(),
          done);
    }
  }

  /** {@code ReadAggregator.reply}. */
  static final class Read {
    private Read() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This ReadAggregator worker, @Advice.Argument(0) boolean done) {
      ClusterHooks.read(
          (NumberFields) (Object) worker,
          worker.context().system().name(),
          worker.self().path().toString(),
          done,
          worker.result().isDefined());
    }
  }

  /** {@code WriteAggregator.reply}; a message's second part is what is written. */
  static final class Written {
    private Written() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This WriteAggregator worker,
        @Advice.FieldValue(value = "writeMsg", typing = Assigner.Typing.DYNAMIC) Object write,
        @Advice.Argument(0) boolean timedOut) {
      ClusterHooks.written(
          (NumberFields) (Object) worker,
          worker.context().system().name(),
          worker.self().path().toString(),
          ((Product) ((Product) write).productElement(1)).productElement(0).getClass().getName(),
          worker.remaining().size() <= worker.doneWhenRemainingSize() && !worker.notEnoughNodes(),
          timedOut);
    }
  }

  /**
   * Counts that are read later: deliveries of a shard, passivations among its entities, elements of
   * a stream.
   */
  static final class Counted {
    private Counted() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object counted) {
      NumberFields fields = (NumberFields) counted;
      fields.deimos$number(fields.deimos$number() + 1);
    }
  }
}
