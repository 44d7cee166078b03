// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The findings of the rules: their address on the page, their order, and how they are told apart. */
import type { Check, Finding, FindingPlace } from "./contract";
import { plural } from "./format";

export const CHECK_HASH = "#/check";

/** The worst first, in a reader's words. */
export const SEVERITIES: readonly (readonly [Finding["severity"], string])[] = [
  ["critical", "Critical"],
  ["warning", "Warnings"],
  ["advice", "Advice"],
];

/** The words that findings are looked for by; null if the address is another view's. */
export function parseCheckHash(hash: string): string | null {
  if (hash !== CHECK_HASH && !hash.startsWith(CHECK_HASH + "?")) {
    return null;
  }
  return new URLSearchParams(hash.slice(CHECK_HASH.length + 1)).get("q") ?? "";
}

export function checkHash(query = ""): string {
  return query.trim() === "" ? CHECK_HASH : `${CHECK_HASH}?${new URLSearchParams({ q: query.trim() }).toString()}`;
}

/** One that has become worse is another one, so that it stays in its place while somebody is about to click it. */
export function keyOf({ severity, rule, where }: Finding): string {
  return [severity, rule, ...placesOf(where)].join("\n");
}

/** Whether each word is in what is said of it. */
export function isAbout({ rule, says, advice, costs, where }: Finding, query: string): boolean {
  const all = [rule, says, advice, costs, ...placesOf(where)].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

function placesOf(where: FindingPlace): readonly string[] {
  const { actorPath, actorClass, messageClass, line, dispatcher, peer } = where;
  return [actorPath, actorClass, messageClass, line, dispatcher, peer].map((one) => one ?? "");
}

/** The number of each severity, the worst first. */
export function tally(findings: readonly Finding[]): readonly string[] {
  const of = (severity: Finding["severity"]) => findings.filter((one) => one.severity === severity).length;
  const [critical, warnings, advice] = [of("critical"), of("warning"), of("advice")];
  return [
    critical === 0 ? "" : `${critical} critical`,
    warnings === 0 ? "" : plural(warnings, "warning"),
    advice === 0 ? "" : `${advice} to improve`,
  ].filter((one) => one !== "");
}

/** All that the findings do not have, a sentence each. */
export function gaps(check: Check): readonly string[] {
  const { ignored, failed, findingsLeftOut, factsLeftOut, knownMillis, notLookedAt } = check;
  return [
    ignored === 0 ? "" : `${plural(ignored, "finding")} that deimos.check.ignore accepts ${are(ignored)} not shown.`,
    failed === 0 ? "" : `${plural(failed, "rule")} failed and found nothing; each is a finding here.`,
    findingsLeftOut === 0 ? "" : `${plural(findingsLeftOut, "more finding")} ${are(findingsLeftOut)} left out.`,
    factsLeftOut === 0 ? "" : `There was no room for ${plural(factsLeftOut, "thing")} to judge by.`,
    knownMillis >= MINUTE ? "" : `Only ${Math.round(knownMillis / 1000)} s are known so far; some rules need a minute.`,
    ...notLookedAt,
  ].filter((one) => one !== "");
}

const MINUTE = 60_000;

function are(n: number): string {
  return n === 1 ? "is" : "are";
}
