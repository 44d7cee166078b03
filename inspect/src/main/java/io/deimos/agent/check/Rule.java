// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import io.deimos.agent.settings.Key;
import java.util.List;
import java.util.function.Consumer;

/** Finds one kind of defect. A pure function of the evidence, without a state of its own. */
public interface Rule {
  /** Its description, for the documentation. */
  About about();

  /**
   * Judges.
   *
   * @param found takes each finding
   */
  void look(Evidence evidence, Consumer<Finding> found);

  default String id() {
    return about().id();
  }

  /**
   * A description.
   *
   * @param id in lower case with hyphens
   * @param finds what it finds, in one sentence
   * @param advice the way out, in one sentence
   * @param settings its thresholds
   */
  record About(String id, String finds, String advice, List<Key<?>> settings) {
    public static About of(String id, String finds, String advice, Key<?>... settings) {
      return new About(id, finds, advice, List.of(settings));
    }
  }
}
