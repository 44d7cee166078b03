// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorTelemetry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The classes of actors that are counted together as {@code other}; one thread at a time. */
final class OtherClasses {
  /** How many classes are told by name. */
  static final int SHOWN = 20;

  private final Map<String, int[]> living = new HashMap<>();

  void add(ActorTelemetry actor) {
    living.computeIfAbsent(actor.className(), name -> new int[1])[0]++;
  }

  int count() {
    return living.size();
  }

  /** Those with the most living actors. */
  List<ActorPage.ClassCount> most() {
    return living.entrySet().stream()
        .map(entry -> new ActorPage.ClassCount(entry.getKey(), entry.getValue()[0]))
        .sorted(
            Comparator.comparingInt(ActorPage.ClassCount::living)
                .reversed()
                .thenComparing(ActorPage.ClassCount::className))
        .limit(SHOWN)
        .toList();
  }
}
