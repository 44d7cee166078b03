// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The observed process, its age, and whether what is shown can be trusted. */
import type { State } from "../lib/contract";
import { countdown, uptime } from "../lib/format";
import { GROUPS, type Place, placeOf } from "../lib/places";
import { SETTINGS_HASH } from "../lib/route";
import type { Store } from "../store";
import { useMedia } from "./media";
import { NodeSwitch } from "./nodes";

export function Header({ store, onHelp }: { store: Store; onHelp: () => void }) {
  const { state } = store;
  return (
    <header>
      <div class="top">
        <a class="brand" href="#/" title="Overview">
          <Moon />
          <span>Deimos</span>
        </a>
        <div class="service">
          {state !== null && <Service state={state} />}
          <NodeSwitch store={store} />
        </div>
        <div class="top-right">
          {state !== null && <PresetBadge state={state} />}
          {state !== null && <Hooks state={state} />}
          <Live store={store} />
          <button
            type="button"
            class="icon-button"
            onClick={onHelp}
            aria-label="Keys and words"
            title="Keys and words (?)"
          >
            ?
          </button>
        </div>
      </div>
      <Places store={store} />
    </header>
  );
}

/** There is room for the groups, and for the places of one of them. */
const NARROW = "(max-width: 820px)";

/** All places of the page in their groups, always in the same order; the one that is shown is marked. */
function Places({ store }: { store: Store }) {
  const narrow = useMedia(NARROW);
  const current = placeOf(store.route.view);
  const group = GROUPS.find(({ places }) => places.some((place) => place === current));
  const hashOf = (place: Place) => (place.hash === "#/" ? store.overview : place.hash);
  const links = (places: readonly Place[]) =>
    places.map((place) => (
      <a
        key={place.hash}
        href={hashOf(place)}
        aria-current={place === current ? "page" : undefined}
        title={`${place.name} (${place.key})`}
      >
        {place.name}
      </a>
    ));
  return (
    <nav class="places" aria-label="Views">
      {narrow ? (
        <>
          <div class="place-groups" role="group" aria-label="Groups of views">
            {GROUPS.map(({ name, places: [first] }) => (
              <a
                key={name}
                href={first === undefined ? "#/" : hashOf(first)}
                aria-current={name === group?.name ? "true" : undefined}
              >
                {name}
              </a>
            ))}
          </div>
          {group !== undefined && (
            <div class="place-group" role="group" aria-label={group.name}>
              {links(group.places)}
            </div>
          )}
        </>
      ) : (
        GROUPS.map(({ name, places }) => (
          <div key={name} class="place-group" role="group" aria-label={name}>
            <span class="place-group-name" aria-hidden="true">
              {name}
            </span>
            {links(places)}
          </div>
        ))
      )}
    </nav>
  );
}

function Service({ state }: { state: State }) {
  const isNamedAfterIt = state.systems.length === 1 && state.systems[0] === state.service;
  return (
    <>
      <h1>{state.service === "" ? "unnamed service" : state.service}</h1>
      <ul class="facts">
        {isNamedAfterIt ? null : (
          <li>
            <span class="fact-label">{state.systems.length === 1 ? "actor system" : "actor systems"}</span>{" "}
            {state.systems.join(", ") || "none yet"}
          </li>
        )}
        <li>
          <span class="fact-label">up</span>{" "}
          <span class="steady">{uptime(state.nowMillis - state.startedAtMillis)}</span>
        </li>
        <li>
          <span class="fact-label">Pekko</span> {state.pekkoVersion || "unknown"}
        </li>
        <li title={state.jdk}>
          <span class="fact-label">JDK</span> {state.jdk.split(/[ +]/)[0] || "unknown"}
        </li>
        <li>
          <span class="fact-label">Deimos</span> {state.version}
        </li>
        <li>
          <span class="fact-label">spans to</span> {state.recorder.export || "nowhere"}
        </li>
      </ul>
    </>
  );
}

/** The preset whose values hold now. */
function PresetBadge({ state }: { state: State }) {
  const preset = state.presets.at(-1);
  if (preset === undefined) {
    return null;
  }
  const left = preset.leftMillis;
  return (
    <a
      class={`badge ${left === null ? "" : "warn"}`}
      id="preset-badge"
      href={SETTINGS_HASH}
      title={`The settings are as the preset ${preset.preset ?? ""} has them, by ${preset.by}`}
    >
      {(preset.preset ?? "").replaceAll("-", " ")}
      {left !== null && <span class="steady"> {countdown(left)}</span>}
    </a>
  );
}

function Hooks({ state }: { state: State }) {
  const { hooks, pekkoVersion } = state;
  if (hooks.state === "pending") {
    return <span class="badge">hooks are tested at a quiet moment</span>;
  }
  if (hooks.state === "missing" || hooks.missing.length > 0) {
    return (
      <span class="badge warn" title={hooks.missing.join("\n")}>
        ⚠ {hooks.ok} of {hooks.total} hooks verified
      </span>
    );
  }
  return (
    <span class="badge ok" title="Each place where Deimos looks into Pekko was tried once and answered.">
      ✓ {hooks.ok} of {hooks.total} hooks verified<span class="wide-only"> on Pekko {pekkoVersion}</span>
    </span>
  );
}

function Live({ store }: { store: Store }) {
  const { connection, dump } = store;
  if (dump !== null) {
    return (
      <span class="badge warn" role="status" title="Nothing here changes any more.">
        dump of {new Date(dump.madeAtMillis).toLocaleString("sv-SE")}
      </span>
    );
  }
  const text = connection.kind === "live" ? "live" : connection.kind === "lost" ? "no answer" : "connecting";
  return (
    <span class={`live ${connection.kind}`} role="status">
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

function Moon() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="13" fill="#c2602f" />
      <circle cx="12" cy="12" r="3.2" fill="#86391a" />
      <circle cx="20" cy="19" r="4.4" fill="#86391a" />
      <circle cx="12.5" cy="22" r="1.9" fill="#86391a" />
    </svg>
  );
}
