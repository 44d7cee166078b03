// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Series;
import java.util.Locale;

/** A mailbox or a stash of one actor, without a bound. */
record Backlog(Kind kind, String actor, String actorClass, Series waiting) {
  /** The place in which messages wait. */
  enum Kind {
    MAILBOX,
    STASH;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
