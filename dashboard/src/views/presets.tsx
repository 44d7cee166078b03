// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Settings that are changed together and go back by themselves; what is changed now, and who changed what. */
import { useEffect, useReducer, useState } from "preact/hooks";
import type { PageChange, Preset, Settings } from "../lib/contract";
import { countdown, plural, timeOfDay } from "../lib/format";
import { sentence } from "../lib/marked";
import type { Store } from "../store";
import { Marked, Panel } from "./parts";

const TICK_MILLIS = 250;

const TIMES: readonly (readonly [string, string])[] = [
  ["30s", "30 seconds"],
  ["1m", "one minute"],
  ["5m", "five minutes"],
  ["15m", "15 minutes"],
  ["1h", "one hour"],
];

/** Says how much is left, now, of a time that the settings gave; the view is drawn anew as it passes. */
export function useLeft(store: Store): (millis: number) => string {
  const [, tick] = useReducer((n: number, _: void) => n + 1, 0);
  const isTimed = store.dump === null && (store.settings?.changes ?? []).some((change) => change.leftMillis !== null);
  useEffect(() => {
    if (!isTimed) {
      return;
    }
    const timer = window.setInterval(() => tick(), TICK_MILLIS);
    return () => window.clearInterval(timer);
  }, [isTimed]);
  const passed = store.dump === null ? performance.now() - store.settingsAtMillis : 0;
  return (millis) => `${countdown(millis - passed)} left`;
}

interface Shown {
  readonly store: Store;
  readonly settings: Settings;
  readonly left: (millis: number) => string;
}

export function Presets({ store, settings, left }: Shown) {
  return settings.presets.length === 0 ? null : (
    <Panel title="Presets" id="presets" note="settings that are changed together">
      <div class="presets">
        {settings.presets.map((preset) => (
          <Card
            key={preset.name}
            store={store}
            preset={preset}
            running={settings.changes.filter((change) => change.preset === preset.name).at(-1)}
            mayChange={settings.control === "on"}
            left={left}
          />
        ))}
      </div>
    </Panel>
  );
}

function Card(props: {
  store: Store;
  preset: Preset;
  running: PageChange | undefined;
  mayChange: boolean;
  left: (millis: number) => string;
}) {
  const { store, preset, running, mayChange, left } = props;
  const [during, setDuring] = useState<string | null>(null);
  const changing = preset.settings.filter((setting) => setting.now !== setting.then);
  const refused = store.refused?.key === preset.name ? store.refused.reason : preset.refused;
  const own = TIMES.find(([time]) => millisOf(time) === preset.forMillis)?.[0] ?? "";
  return (
    <section class={`preset${running === undefined ? "" : " running"}`} id={`preset-${preset.name}`}>
      <h3>
        {preset.title}
        {running !== undefined && (
          <span class="badge warn">{running.leftMillis === null ? "holds now" : left(running.leftMillis)}</span>
        )}
      </h3>
      <p>
        <Marked text={sentence(preset.does)} />
      </p>
      <p class="dim">
        Cost: <Marked text={preset.costs} />.
      </p>
      <details>
        <summary>
          {changing.length === 0
            ? `changes none of its ${plural(preset.settings.length, "setting")} now`
            : `changes ${changing.length} of ${plural(preset.settings.length, "setting")}`}
        </summary>
        <ul class="preset-settings">
          {preset.settings.map((setting) => (
            <li key={setting.key} class={setting.now === setting.then ? "dim" : ""}>
              <code>{setting.key}</code>{" "}
              {setting.now === setting.then ? (
                `stays ${setting.now}`
              ) : (
                <>
                  {setting.now} → <strong>{setting.then}</strong>
                </>
              )}
            </li>
          ))}
        </ul>
      </details>
      {mayChange && (
        <div class="preset-tools">
          <label>
            for{" "}
            <select
              aria-label={`How long ${preset.title} holds`}
              value={during ?? own}
              onChange={(event) => setDuring(event.currentTarget.value)}
            >
              {preset.forMillis === null && <option value="">until it is ended</option>}
              {TIMES.map(([time, words]) => (
                <option key={time} value={time}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            class="toggle"
            disabled={preset.refused !== null}
            onClick={() => void store.begin(preset.name, during ?? own)}
          >
            {running === undefined ? "begin" : "begin anew"}
          </button>
          {running !== undefined && (
            <button type="button" class="toggle" onClick={() => void store.end(running.id)}>
              end now
            </button>
          )}
        </div>
      )}
      {refused !== "" && (
        <p class="refused" role="alert">
          {refused}
        </p>
      )}
    </section>
  );
}

/** The changes made here that hold. */
export function Changes({ store, settings, left }: Shown) {
  const singles = settings.changes.filter((change) => change.preset === null);
  return singles.length === 0 ? null : (
    <Panel title="Changed on this page" id="changes" note={plural(singles.length, "setting")}>
      <ul class="changes">
        {singles.map((change) => (
          <li key={change.id}>
            <code>
              {change.key}={change.value}
            </code>{" "}
            <span class="dim">
              since {timeOfDay(change.sinceMillis)} by {change.by},{" "}
              {change.leftMillis === null ? "until it is undone" : left(change.leftMillis)}
            </span>{" "}
            {settings.control === "on" && (
              <button type="button" class="text-button" onClick={() => void store.end(change.id)}>
                end now
              </button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** For how long a setting that is changed below holds. */
export function ChangesHold({ store }: { store: Store }) {
  return (
    <p class="control-note">
      <label>
        Changes below hold{" "}
        <select id="changes-hold" value={store.changesHold} onChange={(event) => store.hold(event.currentTarget.value)}>
          <option value="">until you undo it</option>
          {TIMES.map(([time, words]) => (
            <option key={time} value={time}>
              for {words}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

/** The last changes, with the names that their makers gave. */
export function WhoChanged({ settings }: { settings: Settings }) {
  return (
    <Panel title="History of changes" id="history" note="since the start, at most the last 100">
      {settings.history.length === 0 ? (
        <p class="control-note">Nobody has changed a setting since the JVM started.</p>
      ) : (
        <ol class="changes history">
          {settings.history.map((entry, i) => (
            <li key={`${entry.atMillis}-${settings.history.length - i}`}>
              <span class="dim steady">{timeOfDay(entry.atMillis)}</span> {entry.by}: {entry.what}
              {entry.settings.length > 0 && (
                <ul>
                  {entry.settings.map((one) => (
                    <li key={one.key}>
                      <code>{one.key}</code> {one.from} → <strong>{one.to}</strong>
                    </li>
                  ))}
                </ul>
              )}
              {entry.leftOut > 0 && <span class="dim"> and {plural(entry.leftOut, "more setting")}</span>}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function millisOf(time: string): number {
  const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };
  return parseInt(time, 10) * (units[time.at(-1) ?? ""] ?? 0);
}
