// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Where;
import io.deimos.agent.messages.AskSite;
import io.deimos.agent.messages.AsksSeen;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.settings.Key;

/** A rule of this room: what they all have to say a finding. */
abstract class ActorRule implements Rule {
  private final About about;

  ActorRule(String id, String finds, String advice, Key<?>... settings) {
    about = About.of(id, finds, advice, settings);
  }

  @Override
  public final About about() {
    return about;
  }

  /**
   * A finding that was seen, and costs something now.
   *
   * @param sinceMillis 0 if it is not known
   */
  final Finding finding(Where where, long sinceMillis, String says, String costs, String evidence) {
    return new Finding(
        about.id(),
        Finding.Severity.WARNING,
        Finding.Sure.CERTAIN,
        where,
        sinceMillis == 0 ? null : sinceMillis,
        new Finding.Words(says, costs, about.advice()),
        evidence);
  }

  static String asker(AskSite site) {
    return site.asker().isEmpty() ? "a caller outside of actors" : Figures.name(site.asker());
  }

  static String asked(AskSite site) {
    return site.asked().isEmpty() ? "an actor elsewhere" : Figures.name(site.asked());
  }

  static long since(AsksSeen.Seen seen) {
    return seen.sinceEpochNanos() / 1_000_000;
  }

  static String trace(AsksSeen.Seen seen) {
    SpanRef span = seen.example();
    return "#/trace/" + span.traceHex() + '/' + span.spanHex();
  }

  static String actor(String path) {
    return "#/actor/" + path.replaceFirst("^(pekko|akka)://", "");
  }
}
