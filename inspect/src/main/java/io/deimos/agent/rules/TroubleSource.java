// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.TroubleGroup;

/** Gives each group of {@link Trouble}. */
public final class TroubleSource implements Source {
  private static final String NAME = "trouble";

  private final Observer observer;

  public TroubleSource(Observer observer) {
    this.observer = observer;
  }

  @Override
  public void note(Past.Notes notes) {
    for (TroubleGroup group : observer.trouble()) {
      notes.count(NAME, group.id(), group.count());
    }
  }

  @Override
  public void look(Facts facts) {
    for (TroubleGroup group : observer.trouble()) {
      facts.add(new Trouble(group, facts.past(NAME, group.id())));
    }
  }
}
