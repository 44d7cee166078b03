// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Source;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.hooks.LogHooks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each class of actors that is {@link Failing}. */
final class FailureSource implements Source {
  private static final String FAILED = "failed";
  private static final String LOGGED = "logged";
  private static final int MAX_CLASSES = 64;

  /** One of them has fired if the application logs with a library that is known. */
  private static final List<Hook> LIBRARIES =
      List.of(
          LogHooks.LOGBACK,
          LogHooks.LOG4J,
          LogHooks.LOG4J_MESSAGE,
          LogHooks.LOG4J_ASYNC,
          LogHooks.LOG4J_ASYNC_MESSAGE);

  @Override
  public void note(Past.Notes notes) {
    Map<String, Long> failed = new HashMap<>();
    for (ActorKind kind : ActorKinds.all()) {
      if (kind.failed() > 0 && !kind.isSilent() && !kind.className().equals(ActorKinds.OTHER)) {
        failed.merge(kind.className(), kind.failed(), Long::sum);
      }
    }
    failed.entrySet().stream()
        .limit(MAX_CLASSES)
        .forEach(one -> notes.count(FAILED, one.getKey(), one.getValue()));
    notes.count(
        LOGGED,
        "",
        Metric.LOG_EVENTS.tally().of("error") + Metric.LOG_EVENTS.tally().of("warning"));
  }

  @Override
  public void look(Facts facts) {
    boolean isKnown = LIBRARIES.stream().anyMatch(Hook::hasFired);
    Series logged = isKnown ? facts.past(LOGGED, "") : Series.EMPTY;
    for (String type : facts.subjects(FAILED)) {
      facts.add(new Failing(type, facts.past(FAILED, type), logged));
    }
  }
}
