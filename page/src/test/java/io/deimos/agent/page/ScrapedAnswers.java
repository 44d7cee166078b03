// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Request;
import java.io.IOException;

/** Answers every request with the same metrics. */
public final class ScrapedAnswers {
  private final RecentScrape scrape;
  private final AnswerMemory memory;

  public ScrapedAnswers(String text, AnswerMemory memory) {
    this.memory = memory;
    this.scrape = new RecentScrape(new FixedScrape(text), System::nanoTime, memory.mostOfOne());
  }

  public Answer answer(Request request) {
    Answer answer = new Answer(request, memory);
    try {
      scrape.answer(request, answer);
    } catch (IOException e) {
      answer.error(500, e.toString());
    }
    return answer;
  }
}
