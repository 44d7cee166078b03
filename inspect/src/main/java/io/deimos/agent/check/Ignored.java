// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import io.deimos.recorder.actors.Globs;
import java.util.List;

/**
 * The findings that a team accepts: {@code rule}, or {@code rule:/user/foo*} for an actor's path, a
 * class, a dispatcher or a peer. Immutable.
 */
record Ignored(List<String> patterns) {
  boolean has(Finding finding) {
    return patterns.stream().anyMatch(pattern -> fits(pattern, finding));
  }

  private static boolean fits(String pattern, Finding finding) {
    int colon = pattern.indexOf(':');
    if (colon < 0) {
      return pattern.equals(finding.rule());
    }
    return pattern.substring(0, colon).equals(finding.rule())
        && fits(pattern.substring(colon + 1), finding.where());
  }

  private static boolean fits(String place, Where where) {
    String actor = where.actor();
    int slashes = actor.indexOf("//");
    int path = slashes < 0 ? 0 : Math.max(0, actor.indexOf('/', slashes + 2));
    return (!actor.isEmpty() && Globs.matches(place, actor, path, actor.length()))
        || Globs.anyMatchesClass(List.of(place), where.actorClass())
        || Globs.anyMatchesClass(List.of(place), where.messageClass())
        || Globs.anyMatches(List.of(place), where.dispatcher())
        || Globs.anyMatches(List.of(place), where.peer());
  }
}
