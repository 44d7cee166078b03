// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import java.util.List;
import java.util.stream.Stream;

/**
 * All features, part of Pekko by part. Those of one part are in the order in which they are woven;
 * no class of Pekko is of two parts.
 */
public final class Features {
  /** Spans and metrics of messages, and the life of actors. Without it nothing is woven. */
  public static final Feature ACTORS = ActorFeatures.ACTORS;

  public static final List<Feature> ALL =
      Stream.of(
              ActorFeatures.ALL,
              DispatchFeatures.ALL,
              EventFeatures.ALL,
              AskFeatures.ALL,
              RemoteFeatures.ALL,
              TimeFeatures.ALL,
              StashFeatures.ALL,
              RouterFeatures.ALL,
              BufferFeatures.ALL,
              ShardingFeatures.ALL,
              DeliveryFeatures.ALL,
              ClassicRemotingFeatures.ALL,
              StreamFeatures.ALL,
              HttpFeatures.ALL,
              PersistenceFeatures.ALL,
              ProjectionFeatures.ALL,
              BreakerFeatures.ALL,
              ClusterFeatures.ALL,
              LoggingFeatures.ALL)
          .flatMap(List::stream)
          .toList();

  /** The class of {@link #STAGES}. */
  public static final String STAGES_TYPE = StageHookPoints.TYPE;

  /** The methods of {@code CompletableFuture}, which is the JDK's and woven apart. */
  public static final List<HookPoint> STAGES = StageHookPoints.ALL;

  private Features() {}
}
