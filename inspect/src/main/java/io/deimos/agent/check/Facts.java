// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes the facts of one moment from the {@link Source}s. For one thread. */
public final class Facts {
  /** How many facts of one type there are at most. */
  static final int MAX_OF_TYPE = 1000;

  private final Map<Class<?>, List<Object>> byType = new LinkedHashMap<>();
  private final Past past;
  private final Scan scan;
  private final Settings settings;
  private int leftOut;

  Facts(Past past, Scan scan, Settings settings) {
    this.past = past;
    this.scan = scan;
    this.settings = settings;
  }

  /** Adds a fact: an immutable record, which rules ask for by its type. */
  public void add(Object fact) {
    List<Object> all = byType.computeIfAbsent(fact.getClass(), type -> new ArrayList<>());
    if (all.size() < MAX_OF_TYPE) {
      all.add(fact);
    } else {
      leftOut++;
    }
  }

  /** Says how many things there was no room for. */
  public void leaveOut(int more) {
    leftOut += more;
  }

  /** The noted numbers of a name; an empty series if there are none. */
  public Series past(String name, String subject) {
    return past.series(name, subject);
  }

  /** The subjects of which numbers of that name are noted. */
  public List<String> subjects(String name) {
    return past.subjects(name);
  }

  /** Bounds a look through much. */
  public Scan scan() {
    return scan;
  }

  public Settings settings() {
    return settings;
  }

  int leftOut() {
    return leftOut;
  }

  Evidence evidence() {
    return new Evidence(settings, byType);
  }
}
