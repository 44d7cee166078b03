// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** All settings as they are, those changed that can be; and what was not kept, since they say so. */
import { useEffect, useState } from "preact/hooks";
import type { Setting, Settings, State } from "../lib/contract";
import { count } from "../lib/format";
import { type Section, sectionsOf, shortly } from "../lib/settings";
import type { Store } from "../store";
import { DumpTools } from "./dump";
import { Empty, Marked, Panel } from "./parts";
import { Changes, ChangesHold, Presets, useLeft, WhoChanged } from "./presets";

export function SettingsView({ store, state }: { store: Store; state: State }) {
  const { settings } = store;
  const [filter, setFilter] = useState("");
  const [changeable, setChangeable] = useState(false);
  const [set, setSet] = useState(false);
  const left = useLeft(store);
  const wanted = filter.trim().toLowerCase();
  const shown = (settings?.settings ?? []).filter(
    (setting) =>
      (wanted === "" || `${setting.key} ${setting.does}`.toLowerCase().includes(wanted)) &&
      (!changeable || setting.mayChange) &&
      (!set || setting.source !== "default"),
  );
  const sections = sectionsOf(shown);
  return (
    <div class="settings-page">
      {settings !== null && <Presets store={store} settings={settings} left={left} />}
      {settings !== null && <Changes store={store} settings={settings} left={left} />}
      <Panel
        title="Settings"
        id="settings"
        class="settings"
        note={settings === null ? "" : `${shown.length} of ${settings.settings.length}`}
        tools={
          <>
            <Choice id="changeable-only" words="can change now" on={changeable} onChange={setChangeable} />
            <Choice id="set-only" words="not by default" on={set} onChange={setSet} />
            <input
              id="setting-filter"
              type="search"
              placeholder="Find  /"
              aria-label="Find settings"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
          </>
        }
      >
        {settings !== null && <Control store={store} control={settings.control} />}
        {settings?.control === "on" && <ChangesHold store={store} />}
        {settings === null ? (
          <Empty title="Asking for the settings …" />
        ) : shown.length === 0 ? (
          <Empty title="No setting matches">
            {filter === "" ? "None is as chosen above." : `None has “${filter}” in its name or in what is said of it.`}
          </Empty>
        ) : (
          <>
            {sections.length > 1 && <Index sections={sections} />}
            <div class="table-scroll">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Setting</th>
                    <th scope="col" class="name">
                      Value
                    </th>
                    <th scope="col" class="name">
                      From
                    </th>
                    <th scope="col" class="name">
                      Effect, default and cost
                    </th>
                  </tr>
                </thead>
                {sections.map((section, i) => (
                  <tbody key={section.title}>
                    <tr class="setting-section" id={`settings-${i}`}>
                      <th scope="rowgroup" colSpan={4}>
                        {section.title} <span class="dim">{section.settings.length}</span>
                      </th>
                    </tr>
                    {section.settings.map((setting) => (
                      <Row
                        key={setting.key}
                        store={store}
                        setting={setting}
                        left={left}
                        mayChange={setting.mayChange && settings.control === "on"}
                      />
                    ))}
                  </tbody>
                ))}
              </table>
            </div>
          </>
        )}
      </Panel>
      <div class="settings-rest">
        {settings !== null && <WhoChanged settings={settings} />}
        <div class="column-of-panels">
          <NotKept state={state} />
          <Panel title="Dump" id="dump">
            <DumpTools store={store} saves />
          </Panel>
        </div>
      </div>
    </div>
  );
}

function Choice(props: { id: string; words: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        id={props.id}
        checked={props.on}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />{" "}
      {props.words}
    </label>
  );
}

/** Leads to the sections. */
function Index({ sections }: { sections: readonly Section[] }) {
  return (
    <nav class="setting-index" aria-label="Sections">
      {sections.map((section, i) => (
        <button
          key={section.title}
          type="button"
          class="toggle"
          onClick={() => document.getElementById(`settings-${i}`)?.scrollIntoView()}
        >
          {section.title} <span class="dim">{section.settings.length}</span>
        </button>
      ))}
    </nav>
  );
}

/** The way out where this page may not change settings. */
function Control({ store, control }: { store: Store; control: Settings["control"] }) {
  const [typed, setTyped] = useState("");
  if (control === "on" || store.dump !== null) {
    return null;
  }
  if (store.isOfAnother && control === "off") {
    return (
      <p class="control-note" id="control-elsewhere">
        This process has joined the page of another one, which may not change its settings. Use its control file (
        <code>deimos.control.file</code>), or start it with <code>deimos.page.join-control=true</code>.
      </p>
    );
  }
  if (control === "off") {
    return (
      <p class="control-note" id="control-off">
        Settings cannot be changed here: the application was started with <code>deimos.page.control=off</code>. Use its
        control file (<code>deimos.control.file</code>), or start it with <code>deimos.page.control=token</code>.
      </p>
    );
  }
  return (
    <form
      class="control-note"
      id="control-token"
      onSubmit={(event) => {
        event.preventDefault();
        store.useToken(typed);
        setTyped("");
      }}
    >
      <p>
        To change settings here, open this page by the address that the application printed when it started:{" "}
        <code>deimos: page at …/#token=…</code>. Or paste the token from the file that the same line names:
        {store.waiting !== null && (
          <>
            {" "}
            then <b>{store.waiting.words}</b> goes on.
          </>
        )}
      </p>
      <input
        type="password"
        aria-label="Token"
        placeholder="token"
        autocomplete="off"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="text-button">
        use it
      </button>
    </form>
  );
}

function Row({
  store,
  setting,
  mayChange,
  left,
}: {
  store: Store;
  setting: Setting;
  mayChange: boolean;
  left: (millis: number) => string;
}) {
  const refused = store.refused?.key === setting.key ? store.refused.reason : null;
  const { first, rest } = shortly(setting.does);
  const word = setting.key.lastIndexOf(".") + 1;
  return (
    <tr class={`setting${setting.changedHere ? " changed" : ""}`} id={`setting-${setting.key}`}>
      <th scope="row">
        <code>
          <span class="dim">{setting.key.slice(0, word)}</span>
          <wbr />
          {setting.key.slice(word)}
        </code>
      </th>
      <td class="name setting-value">
        {mayChange ? <Change store={store} setting={setting} /> : <code>{setting.value}</code>}
        {refused !== null && (
          <p class="refused" role="alert">
            {refused}
          </p>
        )}
      </td>
      <td class="name">
        <span class={setting.source === "default" ? "" : "setting-source"}>{setting.source}</span>
        {setting.leftMillis !== null && <span class="dim block">{left(setting.leftMillis)}</span>}
        {setting.changedHere && setting.preset === null && mayChange && (
          <>
            {" "}
            <button type="button" class="text-button" onClick={() => void store.set(setting.key, "")}>
              undo
            </button>
          </>
        )}
      </td>
      <td class="name">
        <details class="said">
          <summary>
            <Marked text={first} />
          </summary>
          {rest !== "" && (
            <p>
              <Marked text={rest} />
            </p>
          )}
          <p class="dim">
            Default {setting.default}. Cost: <Marked text={setting.costs} />.
            {!setting.mayChange && " It is set at the start, not from this page."}
          </p>
        </details>
      </td>
    </tr>
  );
}

/** Typed text holds until it is sent, or Escape; the value from the server does otherwise. */
function Change({ store, setting }: { store: Store; setting: Setting }) {
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => setTyped(null), [setting.value]);
  const current = setting.value === "none" ? "" : setting.value;
  if (setting.choices.length > 0) {
    return (
      <select
        aria-label={setting.key}
        value={setting.value}
        onChange={(event) => void store.set(setting.key, event.currentTarget.value)}
      >
        {setting.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== null && typed !== current) {
          void store.set(setting.key, typed);
        }
      }}
    >
      <input
        type="text"
        aria-label={setting.key}
        title={setting.values}
        value={typed ?? current}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && setTyped(null)}
      />
      {typed !== null && typed !== current && (
        <button type="submit" class="text-button">
          set
        </button>
      )}
    </form>
  );
}

/** Nothing is lost silently: what was cut, turned away, or let go. */
function NotKept({ state }: { state: State }) {
  const { recorder } = state;
  const { store, tail } = recorder;
  const letGo = sum(tail.spansLetGo);
  const rows: readonly (readonly [string, string, number, string])[] = [
    ["spans-lost", "Spans dropped", recorder.spansDropped, "could not be kept up with, or not exported"],
    ["traces-cut", "Traces cut", recorder.tracesCut, "too old, deep or large; each goes on in a new one, with a link"],
    ["store-not-kept", "Spans this page did not take", store.spansNotKept, share(store.admittedShare)],
    ["store-errors", "… of which failed", store.errorsNotKept, "failures on spans of traces it did not take"],
    ["store-truncated", "Spans of traces too large for it", store.spansTruncated, "exported all the same"],
    ["store-evicted", "Spans given up for newer ones", store.spansEvicted, `of ${count(store.tracesEvicted)} traces`],
    ["tail-let-go", "Spans let go by tail sampling", letGo, reasons(tail.spansLetGo)],
    ["tail-kept", "Spans kept by tail sampling", sum(tail.spansKept), reasons(tail.spansKept)],
    ["tail-held", "Spans it holds now", tail.spansHeld, "their traces are not decided yet, or wait for the exporter"],
  ];
  return (
    <Panel title="Not kept" id="not-kept" class="not-kept" note="since start">
      <div class="table-scroll">
        <table>
          <tbody>
            {rows.map(([id, name, value, note]) => (
              <tr key={id} id={id}>
                <th scope="row">{name}</th>
                <td class={value === 0 ? "zero" : ""}>{count(value)}</td>
                <td class="name dim">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function share(admitted: number): string {
  return admitted >= 1
    ? "all new traces are taken now"
    : `${(admitted * 100).toFixed(1)} % of new traces are taken now`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((a, b) => a + b, 0);
}

function reasons(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, spans]) => spans > 0);
  return some.length === 0 ? "" : some.map(([reason, spans]) => `${reason} ${count(spans)}`).join(", ");
}
