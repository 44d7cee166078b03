// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.recorder.actors.ActorTelemetry;
import java.util.List;
import java.util.Locale;

/**
 * The actors that are asked for, and their order.
 *
 * @param words each has to be part of the path or of the class
 * @param className the class, with or without its package; {@code other} for all that are counted
 *     under that name; empty for any
 * @param group the group of paths, as the settings have it; empty for any
 * @param parent the path of whose children are asked for; empty for any
 * @param pekkos whether Pekko's own actors are asked for, too
 */
public record ActorQuery(
    Sort sort,
    boolean descending,
    List<SearchTerm> words,
    String className,
    String group,
    String parent,
    boolean pekkos) {
  /** The keys to sort actors by. */
  public enum Sort {
    MAILBOX,
    PEAK,
    RATE,
    BUSY,
    WAIT,
    MESSAGES,
    FAILURES,
    RESTARTS,
    AGE;

    /** As the interface has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  boolean matches(ActorTelemetry actor) {
    if (actor.kind().isHidden() || (actor.kind().isPekkos() && !pekkos)) {
      return false;
    }
    String type = actor.className();
    if (!className.isEmpty() && !isOf(type) && !className.equals(actor.kind().className())) {
      return false;
    }
    if (!group.isEmpty() && !group.equals(actor.kind().group())) {
      return false;
    }
    if (words.isEmpty() && parent.isEmpty()) {
      return true;
    }
    String path = actor.path();
    return isChild(path) && hasWords(path, type);
  }

  private boolean isOf(String type) {
    int before = type.length() - className.length() - 1;
    return type.endsWith(className)
        && (before < 0 || type.charAt(before) == '.' || type.charAt(before) == '$');
  }

  private boolean isChild(String path) {
    return parent.isEmpty()
        || (path.length() > parent.length() + 1
            && path.startsWith(parent)
            && path.lastIndexOf('/') == parent.length());
  }

  private boolean hasWords(String path, String type) {
    for (SearchTerm word : words) {
      if (!word.isIn(path) && !word.isIn(type)) {
        return false;
      }
    }
    return true;
  }
}
