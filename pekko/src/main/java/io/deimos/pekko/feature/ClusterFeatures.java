// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.NumberFields;
import java.util.List;

/** Downing, distributed data, and heartbeats. */
final class ClusterFeatures {
  /** The decisions of the split-brain resolver. */
  static final Feature DOWNING =
      Feature.named("DOWNING")
          .usedWith("org.apache.pekko.cluster.sbr.DowningStrategy")
          .needs(Need.METRICS)
          .in("org.apache.pekko.cluster.sbr.DowningStrategy")
          .method("nodesToDown")
          .takes("org.apache.pekko.cluster.sbr.DowningStrategy$Decision")
          .weave("ClusterAdvice$Decided")
          .build();

  static final Feature DISTRIBUTED_DATA =
      Feature.named("DISTRIBUTED_DATA")
          .usedWith("org.apache.pekko.cluster.ddata.ReadWriteAggregator")
          .needs(Need.METRICS)
          .in("org.apache.pekko.cluster.ddata.ReadWriteAggregator")
          .fields(NumberFields.class)
          .constructor()
          .weave("ClusterAdvice$Operation")
          .in("org.apache.pekko.cluster.ddata.ReadAggregator")
          .method("reply")
          .takes("boolean")
          .weave("ClusterAdvice$Read")
          .in("org.apache.pekko.cluster.ddata.WriteAggregator")
          .method("reply")
          .takes("boolean")
          .weave("ClusterAdvice$Written")
          .build();

  /** How regularly the other nodes of a cluster are heard of. */
  static final Feature HEARTBEAT =
      Feature.named("HEARTBEAT")
          .usedWith("org.apache.pekko.cluster.sbr.DowningStrategy")
          .usedWith("org.apache.pekko.remote.PhiAccrualFailureDetector")
          .needs(Need.METRICS)
          .in("org.apache.pekko.remote.PhiAccrualFailureDetector")
          .fields(NumberFields.class)
          .method("heartbeat")
          .weave("ClusterAdvice$Heartbeat")
          .build();

  static final List<Feature> ALL = List.of(DOWNING, DISTRIBUTED_DATA, HEARTBEAT);

  private ClusterFeatures() {}
}
