// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The whole page: head, notices, and the view that the address names. */
import { useEffect, useReducer, useState } from "preact/hooks";
import { MAP_HASH } from "../lib/map";
import { PROFILE_HASH } from "../lib/profile";
import { ACTORS_HASH, SETTINGS_HASH, SYSTEM_HASH, THREADS_HASH, TROUBLE_HASH } from "../lib/route";
import { WHERE_HASH } from "../lib/where";
import type { Store } from "../store";
import { ActorView } from "./actor";
import { Actors } from "./actors";
import { ActorList } from "./actorlist";
import { Charts } from "./charts";
import { DumpTools } from "./dump";
import { Header } from "./header";
import { Help } from "./help";
import { NodesPanel } from "./nodes";
import { Notices } from "./notices";
import { MapView } from "./map";
import { Empty } from "./parts";
import { Asks, Failures } from "./problems";
import { ProfileView } from "./profile";
import { Remote } from "./remote";
import { SettingsView } from "./settings";
import { SystemView } from "./system";
import { ThreadsView } from "./threads";
import { TapView } from "./tap";
import { Tiles } from "./tiles";
import { TraceView } from "./trace";
import { Traces } from "./traces";
import { TroubleView } from "./trouble";
import { WhereView } from "./where";

export function App({ store }: { store: Store }) {
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  useEffect(() => store.subscribe(() => redraw()), [store]);
  const [help, setHelp] = useState(false);
  useKeys(store, () => setHelp((shown) => !shown));

  const { state, connection, route } = store;
  const service = state?.service ?? "";
  useEffect(() => {
    const mark = connection.kind === "lost" ? "⚠ " : "";
    document.title = `${mark}${service === "" ? "" : service + " · "}Deimos`;
  }, [service, connection.kind]);

  return (
    <div class={`page is-${connection.kind} on-${route.view}`}>
      <Header store={store} onHelp={() => setHelp(true)} />
      <Notices store={store} />
      <main>
        {route.view === "trace" ? (
          <TraceView key={route.traceId} store={store} traceId={route.traceId} spanId={route.spanId} />
        ) : route.view === "actors" ? (
          <ActorList store={store} choice={route.choice} />
        ) : route.view === "actor" ? (
          <ActorView key={route.path} store={store} path={route.path} />
        ) : route.view === "trouble" ? (
          <TroubleView store={store} choice={route.choice} />
        ) : route.view === "map" ? (
          <MapView store={store} choice={route.choice} />
        ) : route.view === "where" ? (
          <WhereView query={route.query} />
        ) : route.view === "tap" ? (
          <TapView store={store} choice={route.choice} />
        ) : route.view === "system" ? (
          <SystemView />
        ) : route.view === "threads" ? (
          <ThreadsView store={store} choice={route.choice} />
        ) : route.view === "profile" ? (
          <ProfileView store={store} choice={route.choice} />
        ) : state === null ? (
          <Connecting store={store} reason={connection.kind === "connecting" ? connection.reason : null} />
        ) : route.view === "settings" ? (
          <SettingsView store={store} state={state} />
        ) : (
          <>
            <Tiles store={store} state={state} />
            <NodesPanel store={store} />
            <Charts store={store} />
            <div class="columns">
              <div class="column">
                <Actors store={store} state={state} />
                <div class="pair">
                  <Failures state={state} />
                  <Asks store={store} state={state} />
                </div>
                <Remote state={state} />
              </div>
              <Traces store={store} state={state} />
            </div>
          </>
        )}
      </main>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

function Connecting({ store, reason }: { store: Store; reason: string | null }) {
  return (
    <div class="panel connecting-panel">
      {reason === null ? (
        <Empty title="Asking the JVM for its figures …" />
      ) : (
        <Empty title="The JVM does not answer">
          The page was loaded, but its first question got none of the figures back: {reason}. It asks again each second.
        </Empty>
      )}
      {reason !== null && <DumpTools store={store} saves={false} />}
    </div>
  );
}

/** The field that a view looks for things with. */
const FILTERS: Readonly<Record<string, string>> = {
  actors: "actors-filter",
  trouble: "trouble-filter",
  map: "map-filter",
  threads: "threads-filter",
  where: "where-filter",
  tap: "tap-filter",
};

/** Keys that work everywhere but in a text field. */
function useKeys(store: Store, toggleHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      if (target.matches("input, textarea, select")) {
        if (event.key === "Escape") {
          target.blur();
        }
        return;
      }
      const focus = (id: string) => {
        const field = document.getElementById(id);
        if (field !== null) {
          event.preventDefault();
          field.focus();
        }
      };
      switch (event.key) {
        case "/":
          return focus(FILTERS[store.route.view] ?? "actor-filter");
        case "t":
          return focus("trace-filter");
        case "p":
          return store.route.view === "overview" ? store.pauseTraces(!store.tracesPaused) : undefined;
        case "e":
          return store.route.view === "overview" ? store.showErrorsOnly(!store.errorsOnly) : undefined;
        case "s":
          location.hash = store.route.view === "settings" ? store.overview : SETTINGS_HASH;
          return;
        case "a":
          location.hash = store.route.view === "actors" ? store.overview : ACTORS_HASH;
          return;
        case "m":
          location.hash = store.route.view === "map" ? store.overview : MAP_HASH;
          return;
        case "x":
          location.hash = store.route.view === "trouble" ? store.overview : TROUBLE_HASH;
          return;
        case "w":
          location.hash = store.route.view === "where" ? store.overview : WHERE_HASH;
          return;
        case "y":
          location.hash = store.route.view === "system" ? store.overview : SYSTEM_HASH;
          return;
        case "d":
          location.hash = store.route.view === "threads" ? store.overview : THREADS_HASH;
          return;
        case "f":
          location.hash = store.route.view === "profile" ? store.overview : PROFILE_HASH;
          return;
        case "?":
          return toggleHelp();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [store]);
}
