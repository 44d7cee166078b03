// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.Feature;
import io.deimos.pekko.feature.Features;
import io.deimos.recorder.base.PekkoNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A library of actors that can be woven: Pekko, and Akka 2.6, from which Pekko was forked.
 * Everything declared, copied and loaded is written for Pekko, and renamed for Akka when the first
 * of Akka's classes is loaded.
 */
final class Toolkit {
  static final Toolkit PEKKO = new Toolkit("Pekko", Features.ALL);
  static final Toolkit AKKA = new Toolkit("Akka", null);

  private final String label;
  private @Nullable List<Feature> features;
  private @Nullable Map<String, List<Feature>> byType;

  private Toolkit(String label, @Nullable List<Feature> features) {
    this.label = label;
    this.features = features;
  }

  /** The one that a class belongs to. */
  static Toolkit of(Class<?> type) {
    return PekkoNames.isAkkas(type.getName()) ? AKKA : PEKKO;
  }

  /** As sentences call it. */
  String label() {
    return label;
  }

  /** Whether a class may be woven; cheap, and true for too many of Akka's. */
  boolean mayHave(String type) {
    return this == AKKA ? PekkoNames.isAkkas(type) : byType().containsKey(type);
  }

  /** A name of Pekko's as it is here. */
  String name(String pekkos) {
    return this == AKKA ? AkkaNames.text(pekkos) : pekkos;
  }

  /** All features. Libraries that either may use are woven once, as Pekko's. */
  synchronized List<Feature> features() {
    List<Feature> known = features;
    if (known == null) {
      known =
          Features.ALL.stream()
              .filter(feature -> !feature.isOfLibrary())
              .map(feature -> feature.renamed(this::name))
              .toList();
      features = known;
    }
    return known;
  }

  /** The features that do something to each class, in the order of all. */
  synchronized Map<String, List<Feature>> byType() {
    Map<String, List<Feature>> known = byType;
    if (known == null) {
      Map<String, List<Feature>> made = new HashMap<>();
      for (Feature feature : features()) {
        Set<String> types = new HashSet<>(feature.fields().keySet());
        feature.hooks().forEach(hook -> types.add(hook.type()));
        types.forEach(type -> made.computeIfAbsent(type, t -> new ArrayList<>()).add(feature));
      }
      known = Map.copyOf(made);
      byType = known;
    }
    return known;
  }

  /** One of our classes, as if it had been compiled against this library. */
  byte[] ours(byte[] compiled) {
    return this == PEKKO ? compiled : AkkaNames.classFile(compiled);
  }
}
