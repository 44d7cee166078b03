// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The findings of the rules, the worst first: what is wrong and where, since when, how sure, its cost, the next step. */
import { fetchCheck } from "../api";
import { CHECK_HASH, checkHash, gaps, isAbout, keyOf, SEVERITIES, tally } from "../lib/check";
import { CLUSTER_HASH } from "../lib/cluster";
import type { Check, Finding } from "../lib/contract";
import { innermost, plural, timeOfDay, uptime } from "../lib/format";
import { placeOf } from "../lib/places";
import { actorHash, actorsHash, parseHash, threadsHash } from "../lib/route";
import { whereHash } from "../lib/where";
import type { Store } from "../store";
import { HeldMark, useHeld } from "./held";
import { ClassName, Empty, Filter, Panel, Swatch } from "./parts";
import { usePolled } from "./polled";

const REFRESH_MILLIS = 3000;
const TILE_MILLIS = 5000;

const SURE: Readonly<Record<Finding["sure"], string>> = {
  certain: "It was seen.",
  likely: "Little else would look like it.",
  possible: "It is one of several explanations.",
};

export function CheckView({ store, query }: { store: Store; query: string }) {
  const { value, failure } = usePolled(fetchCheck, REFRESH_MILLIS);
  const check = value !== null && !("absent" in value) ? value : null;
  const found = (check?.findings ?? []).filter((one) => isAbout(one, query));
  const held = useHeld(found, keyOf, { subject: query });

  return (
    <Panel
      title="Check"
      id="check"
      class="check-view"
      note={check === null ? "" : tally(check.findings).join(", ")}
      tools={
        <>
          <HeldMark held={held} word="newer" />
          <Filter
            id="check-filter"
            placeholder="Find  /"
            label="Find findings"
            query={query}
            go={(change) => store.replaceRoute(checkHash(change.query))}
          />
        </>
      }
    >
      {value === null ? (
        <Empty title="Asking what is wrong …">{failure ?? ""}</Empty>
      ) : check === null ? (
        <Empty title="Nothing is checked here">{"absent" in value ? value.absent : ""}</Empty>
      ) : held.rows.length === 0 ? (
        <Empty title={check.findings.length === 0 ? "Nothing found" : "Nothing matches"}>
          {check.findings.length === 0
            ? `${plural(check.rules, "rule")} looked at this process and the last ${uptime(check.knownMillis)} of it.`
            : "Each word has to be in the rule, the place, or what is said of it."}
        </Empty>
      ) : (
        <div class="findings" {...held.box}>
          {SEVERITIES.map(([severity, words]) => (
            <Group
              key={severity}
              store={store}
              severity={severity}
              words={words}
              check={check}
              findings={held.rows.filter((one) => one.severity === severity)}
            />
          ))}
        </div>
      )}
      {check !== null && <Gaps check={check} found={check.findings.length > 0} />}
    </Panel>
  );
}

interface GroupProps {
  readonly store: Store;
  readonly severity: Finding["severity"];
  readonly words: string;
  readonly check: Check;
  readonly findings: readonly Finding[];
}

function Group({ store, severity, words, check, findings }: GroupProps) {
  return findings.length === 0 ? null : (
    <section aria-labelledby={`check-${severity}`}>
      <h3 id={`check-${severity}`} class={`findings-head ${severity}`}>
        {words} <span class="dim">{findings.length}</span>
      </h3>
      <ul>
        {findings.map((one) => (
          <Row key={keyOf(one)} store={store} finding={one} nowMillis={check.nowMillis} />
        ))}
      </ul>
    </section>
  );
}

function Row({ store, finding, nowMillis }: { store: Store; finding: Finding; nowMillis: number }) {
  const { severity, sure, sinceMillis, says, costs, advice, rule } = finding;
  return (
    <li class={`finding ${severity}`}>
      <p class="finding-says">{says}</p>
      <p class="finding-facts">
        <Places store={store} finding={finding} />
        {sinceMillis !== null && (
          <span>
            <span class="dim">since</span> {timeOfDay(sinceMillis)}
            <span class="dim">, {uptime(nowMillis - sinceMillis)}</span>
          </span>
        )}
        <span title={SURE[sure]}>
          <span class="dim">it is</span> {sure}
        </span>
        <span class="dim">{rule}</span>
      </p>
      <dl class="finding-next">
        <dt>Costs</dt>
        <dd>{costs}</dd>
        <dt>Do</dt>
        <dd>
          {advice} <Evidence finding={finding} />
        </dd>
      </dl>
    </li>
  );
}

/** The part of this page that shows it. */
function Evidence({ finding: { evidence } }: { finding: Finding }) {
  if (evidence === null || !evidence.startsWith("#/")) {
    return null;
  }
  return (
    <a class="link finding-evidence" href={evidence}>
      See {placeOf(parseHash(evidence).view)?.name ?? "it"}
    </a>
  );
}

function Places({ store, finding: { where } }: { store: Store; finding: Finding }) {
  const { actorPath, actorClass, messageClass, line, dispatcher, peer } = where;
  return (
    <>
      {actorClass !== null && (
        <a href={actorsHash({ className: actorClass })} title="Its living actors">
          <Swatch colour={store.colours.of(actorClass)} />
          <ClassName name={actorClass} />
        </a>
      )}
      {actorPath !== null && (
        <a class="link" href={actorHash(actorPath)}>
          {actorPath.replace(/^\w+:\/\//, "")}
        </a>
      )}
      {messageClass !== null && (
        <span>
          <span class="dim">message</span>{" "}
          <a class="link" href={whereHash(`message:${messageClass}`)} title={messageClass}>
            {innermost(messageClass)}
          </a>
        </span>
      )}
      {line !== null && <code>{line}</code>}
      {dispatcher !== null && (
        <span>
          <span class="dim">on</span>{" "}
          <a class="link" href={threadsHash({ query: dispatcher, all: true, open: "" })}>
            {dispatcher}
          </a>
        </span>
      )}
      {peer !== null && (
        <span>
          <span class="dim">to</span>{" "}
          <a class="link" href={CLUSTER_HASH}>
            {peer}
          </a>
        </span>
      )}
    </>
  );
}

/** Nothing is left out silently. */
function Gaps({ check, found }: { check: Check; found: boolean }) {
  const said = [...(found ? [`${plural(check.rules, "rule")} looked at this process.`] : []), ...gaps(check)];
  return said.length === 0 ? null : <p class="findings-gaps">{said.join(" ")}</p>;
}

/** The findings in one figure, on the overview; nothing where no rules look. */
export function CheckTile() {
  const { value } = usePolled(fetchCheck, TILE_MILLIS);
  if (value !== null && "absent" in value) {
    return null;
  }
  const findings = value?.findings ?? [];
  const bad = findings.filter(({ severity }) => severity !== "advice").length;
  const level = findings.some(({ severity }) => severity === "critical") ? "bad" : bad > 0 ? "odd" : "";
  return (
    <div
      class={`tile ${level}`}
      id="tile-check"
      title={findings.length === 0 ? "No rule has found anything wrong" : findings.map(({ says }) => says).join("\n")}
    >
      <dt>Check</dt>
      <dd class="tile-value">
        <a href={CHECK_HASH}>{value === null ? "…" : findings.length}</a>
      </dd>
      <dd class="tile-note">
        {value === null ? "asking" : findings.length === 0 ? "nothing found" : tally(findings)[0]}
      </dd>
    </div>
  );
}
