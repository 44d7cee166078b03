// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import java.util.List;

/** Messages that actors put aside. */
final class StashFeatures {
  static final Feature STASH =
      Feature.named("STASH")
          .usedWith("org.apache.pekko.actor.StashSupport")
          .needs(Need.TRACING)
          .in("org.apache.pekko.actor.StashSupport")
          .method("stash")
          .weave("StashAdvice$Stashed")
          .build();

  static final Feature TYPED_STASH =
      Feature.named("TYPED_STASH")
          .usedWith("org.apache.pekko.actor.typed.internal.StashBufferImpl")
          .needs(Need.TRACING)
          .in("org.apache.pekko.actor.typed.internal.StashBufferImpl$Node")
          .fields(ContextFields.class)
          .constructor()
          .takes("org.apache.pekko.actor.typed.internal.StashBufferImpl$Node", "java.lang.Object")
          .weave("StashAdvice$Kept")
          .in("org.apache.pekko.actor.typed.internal.StashBufferImpl")
          .method("org$apache$pekko$actor$typed$internal$StashBufferImpl$$dropHeadForUnstash")
          .weave("StashAdvice$Next")
          .method("unstash")
          .takes("org.apache.pekko.actor.typed.Behavior", "int", "scala.Function1")
          .called("StashBufferImpl.unstash(Function1)")
          .weave("StashAdvice$UnstashAll")
          .method("unstash")
          .takes("org.apache.pekko.actor.typed.Behavior", "int", "java.util.function.Function")
          .called("StashBufferImpl.unstash(Function)")
          .weave("StashAdvice$Unstash")
          .build();

  /** How much typed actors have put aside. */
  static final Feature TYPED_STASH_SIZE =
      Feature.named("TYPED_STASH_SIZE")
          .usedWith("org.apache.pekko.actor.typed.internal.StashBufferImpl")
          .needs(Need.METRICS)
          .in("org.apache.pekko.actor.typed.internal.StashBufferImpl")
          .constructor()
          .takes(
              "org.apache.pekko.actor.typed.scaladsl.ActorContext",
              "int",
              "org.apache.pekko.actor.typed.internal.StashBufferImpl$Node",
              "org.apache.pekko.actor.typed.internal.StashBufferImpl$Node")
          .weave("StashAdvice$Made")
          .build();

  static final List<Feature> ALL = List.of(STASH, TYPED_STASH, TYPED_STASH_SIZE);

  private StashFeatures() {}
}
