// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.check.CheckResult;
import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Finding;
import io.deimos.agent.http.Answer;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.source.PageSource;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/check}: what is wrong with this process, in sentences. */
final class CheckHandler {
  static final String PATH = "/api/v1/check";

  private static final Parameter<String> RULE =
      Parameter.text("rule", "Only findings of this rule.");
  private static final Parameter<String> LEAST =
      Parameter.oneOf(
          "severity", "", CheckJson.SEVERITIES, "Only findings as bad as this, or worse.");

  static final Route ROUTE =
      Route.at(
              PATH,
              "check",
              "Defects, in sentences",
              "Says what is wrong with this process, in sentences: what and where, since when, how"
                  + " sure that is, what it costs and what to do. The place to begin when nobody"
                  + " knows where to look.")
          .note(
              "Rules judge by what the page knows, and by numbers of the last ten minutes, which are"
                  + " noted every two seconds. All who ask within a second get the same findings."
                  + " At most 200 findings are told, 20 of a rule. The rules, their thresholds and"
                  + " how to accept a finding are in [check](check.md).")
          .asks(RULE, LEAST)
          .answers(CheckJson.CHECK);

  private final @Nullable Checks checks;

  CheckHandler(PageSource source) {
    this.checks = source.checks();
  }

  void answer(Call call, Answer answer) throws IOException {
    Query query = call.query();
    String rule = RULE.of(query);
    int least = CheckJson.SEVERITIES.indexOf(LEAST.of(query));
    if (checks == null || !checks.isOn()) {
      answer.error(
          404,
          checks == null
              ? "nothing is checked here: there is no application in this process"
              : "nothing is checked: deimos.check.enabled=false");
      return;
    }
    CheckResult result = checks.run(call.scan());
    List<Finding> wanted =
        result.findings().stream()
            .filter(one -> rule.isEmpty() || one.rule().equals(rule))
            .filter(one -> CheckJson.SEVERITIES.indexOf(one.severity().word()) >= least)
            .toList();
    answer.json(200, json -> CheckJson.writeTo(json, result, wanted));
  }
}
