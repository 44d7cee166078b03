// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.check.CheckResult;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Writes the answer of {@code /api/v1/check}. An unknown value is null. */
final class CheckJson {
  /** The worst last. */
  static final List<String> SEVERITIES =
      Arrays.stream(Finding.Severity.values()).map(Finding.Severity::word).toList();

  private static final Schema WHERE =
      Schema.named("FindingPlace", "The place of a finding.")
          .with("actorPath", Schema.text("An actor's path.").orNull())
          .with("actorClass", Schema.text("A class of actors.").orNull())
          .with("messageClass", Schema.text("A class of messages.").orNull())
          .with("line", Schema.text("A line of code, as a stack has it.").orNull())
          .with("dispatcher", Schema.text("A dispatcher's name.").orNull())
          .with("peer", Schema.text("The address of another node.").orNull());

  private static final Schema FINDING =
      Schema.named("Finding", "Something that is wrong.")
          .with("rule", Schema.text("The id of the rule that found it."))
          .with("severity", Schema.oneOf(SEVERITIES, "How bad it is."))
          .with(
              "sure",
              Schema.oneOf(
                  Arrays.stream(Finding.Sure.values()).map(Finding.Sure::word).toList(),
                  "How sure the rule is."))
          .with("where", WHERE)
          .with(
              "sinceMillis",
              Schema.whole("From when on it is so, or known to be so, in milliseconds since 1970.")
                  .orNull())
          .with("says", Schema.text("The state of affairs, in one sentence."))
          .with("costs", Schema.text("Its price for the application."))
          .with("advice", Schema.text("The next step."))
          .with("evidence", Schema.text("The part of the page that shows it.").orNull());

  static final Schema CHECK =
      Schema.named("Check", "The findings of this process.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("rules", Schema.whole("How many rules have judged."))
          .with(
              "knownMillis",
              Schema.whole(
                  "For how long the past is known by which they judge, up to ten minutes. Some"
                      + " rules need a minute of it."))
          .with("findings", Schema.list(FINDING, "The worst first."))
          .with("ignored", Schema.whole("Findings that deimos.check.ignore accepts."))
          .with("findingsLeftOut", Schema.whole("Findings beyond the bound."))
          .with("factsLeftOut", Schema.whole("Things to judge by for which there was no room."))
          .with("failed", Schema.whole("Rules that failed themselves; each is a finding."))
          .with("notLookedAt", Schema.NOT_LOOKED_AT);

  private CheckJson() {}

  static void writeTo(Json json, CheckResult result, List<Finding> findings) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(result.nowMillis());
    json.name("rules").value(result.rules());
    json.name("knownMillis").value(result.knownMillis());
    json.name("findings").objects(findings, CheckJson::finding);
    json.name("ignored").value(result.left().ignored());
    json.name("findingsLeftOut").value(result.left().findings());
    json.name("factsLeftOut").value(result.left().facts());
    json.name("failed").value(result.left().failed());
    json.name("notLookedAt").values(result.left().notLookedAt());
    json.endObject();
  }

  private static void finding(Json json, Finding finding) throws IOException {
    json.name("rule").value(finding.rule());
    json.name("severity").value(finding.severity().word());
    json.name("sure").value(finding.sure().word());
    where(json.name("where"), finding.where());
    json.name("sinceMillis").value(finding.since());
    json.name("says").value(finding.words().says());
    json.name("costs").value(finding.words().costs());
    json.name("advice").value(finding.words().advice());
    json.name("evidence").orNull(finding.evidence());
  }

  private static void where(Json json, Where where) throws IOException {
    json.beginObject();
    json.name("actorPath").orNull(where.actor());
    json.name("actorClass").orNull(where.actorClass());
    json.name("messageClass").orNull(where.messageClass());
    json.name("line").orNull(where.line());
    json.name("dispatcher").orNull(where.dispatcher());
    json.name("peer").orNull(where.peer());
    json.endObject();
  }
}
