// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.Globs;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The messages whose content is recorded, and how. Immutable.
 *
 * @param maySee false if there should be a redactor and is none
 * @param messages patterns of their classes' names
 * @param eager patterns of those that are always rendered early
 * @param first how the early ones are
 * @param otherwise how the others are
 */
record ContentRules(
    boolean maySee,
    List<String> messages,
    List<String> eager,
    ContentRule first,
    ContentRule otherwise) {

  /** For no message. */
  static ContentRules none() {
    ContentRule unused = new ContentRule(false, 1, null);
    return new ContentRules(false, List.of(), List.of(), unused, unused);
  }

  /**
   * @param redactor the user's own, or null
   */
  static ContentRules of(
      Settings settings, @Nullable BiFunction<Object, String, @Nullable String> redactor) {
    int most = settings.get(Keys.CONTENT_MAX_LENGTH);
    return new ContentRules(
        true,
        settings.get(Keys.CONTENT_MESSAGES),
        settings.get(Keys.CONTENT_EAGER),
        new ContentRule(false, most, redactor),
        new ContentRule(settings.get(Keys.CONTENT_LATE), most, redactor));
  }

  /** How texts that are no messages are shown; null if they may not be. */
  @Nullable ContentRule texts() {
    return maySee ? first : null;
  }

  /** How the content of messages of a class is recorded; null if it is not. */
  @Nullable ContentRule of(String className) {
    if (!Globs.anyMatches(messages, className)) {
      return null;
    }
    return Globs.anyMatches(eager, className) ? first : otherwise;
  }
}
