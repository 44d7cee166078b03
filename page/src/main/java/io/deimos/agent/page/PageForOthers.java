// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Reply;
import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.LocalPage;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.processes.SelfCluster;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers for this process what the page of another one asks: the same as on a page of its own.
 * Settings are changed only if this process allows that, and then by the same rules.
 */
final class PageForOthers implements LocalPage {
  private static final PageAccess READING =
      new PageAccess(PageAccessMode.OPEN, PageControl.OFF, PageAccessMode.OFF, "");

  private final PageSource source;
  private final TraceStore store;
  private @Nullable Site made;

  PageForOthers(PageSource source, TraceStore store) {
    this.source = source;
    this.store = store;
  }

  @Override
  public Reply answer(String target, boolean gzip) {
    return site().answerForOthers(target, gzip, false, false);
  }

  @Override
  public Reply answerTold(String target, boolean gzip, boolean changes) {
    if (changes && !isChangeable()) {
      return refusal();
    }
    return site().answerForOthers(target, gzip, true, changes);
  }

  private boolean isChangeable() {
    PageSettings settings = source.settings();
    return settings != null && settings.changeFromThePageJoined();
  }

  private static Reply refusal() {
    Answer refusal = new Answer(null, AnswerMemory.unlimited());
    refusal.error(
        403,
        "this process lets no other page change its settings: deimos.page.join-control=false. Use"
            + " its control file, or start it with deimos.page.join-control=true");
    return refusal.reply();
  }

  @Override
  public List<TroubleGroup> trouble() {
    return site().trouble();
  }

  @Override
  public ClusterCard cluster() {
    return SelfCluster.of(source);
  }

  private synchronized Site site() {
    Site known = made;
    if (known == null) {
      known =
          new Site(
              isChangeable() ? PageAccess.passedOn() : READING,
              Dashboard.NONE,
              source,
              store,
              null,
              null,
              source.accountant(),
              false);
      made = known;
    }
    return known;
  }
}
