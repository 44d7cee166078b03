// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.ClusterHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.actor.ActorContext;
import org.apache.pekko.actor.ActorRef;
import org.jspecify.annotations.Nullable;

/** Copied into the regions of cluster sharding: what waits for a shard whose home is not known. */
@SuppressWarnings("unused") // copied into Pekko
final class ShardHomeAdvice {
  private ShardHomeAdvice() {}

  /** {@code ShardRegion.bufferMessage}. */
  static final class Waits {
    private Waits() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object region, @Advice.Argument(0) @Nullable String shard) {
      ClusterHooks.waitsForShard((RefFields) region, shard);
    }
  }

  /** {@code ShardRegion.receiveShardHome}; a region without a context is the self-test's. */
  static final class Found {
    private Found() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object region, @Advice.Argument(0) @Nullable String shard) {
      ActorContext context = ((Actor) region).context();
      ActorRef self = ((Actor) region).self();
      ClusterHooks.homeFound(
          (RefFields) region,
          shard,
          context == null ? null : context.system().name(),
          self == null ? null : self.path().name());
    }
  }

  /** {@code ShardRegion.deliverBufferedMessages}. */
  static final class Started {
    private Started() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object region, @Advice.Argument(0) @Nullable String shard) {
      ClusterHooks.shardStarted((RefFields) region, shard);
    }
  }
}
