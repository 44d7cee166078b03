// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import java.util.List;

/** An actor system's event stream. */
final class EventFeatures {
  static final Feature EVENTS =
      Feature.named("EVENTS")
          .usedWith("org.apache.pekko.event.EventStream")
          .in("org.apache.pekko.event.EventStream")
          .method("publish")
          .takes("java.lang.Object")
          .weave("PublishAdvice")
          .or() // of Scala 3: the stream has a bridge to what it inherits
          .in("org.apache.pekko.event.SubchannelClassification")
          .method("publish")
          .takes("java.lang.Object")
          .weave("PublishAdvice")
          .build();

  static final List<Feature> ALL = List.of(EVENTS);

  private EventFeatures() {}
}
