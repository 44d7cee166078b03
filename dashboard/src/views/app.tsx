// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The whole page: head, notices, and the view that the address names. */
import { useEffect, useReducer, useState } from "preact/hooks";
import { WHOLE_MAP } from "../lib/map";
import { PLACES } from "../lib/places";
import { ALL_TROUBLE } from "../lib/route";
import type { Store } from "../store";
import { ActorView } from "./actor";
import { Actors } from "./actors";
import { ActorList } from "./actorlist";
import { Charts } from "./charts";
import { CheckView } from "./check";
import { ClusterView } from "./cluster";
import { CompareView } from "./compare";
import { DumpTools } from "./dump";
import { GroupsView } from "./groups";
import { Header } from "./header";
import { Help } from "./help";
import { NodesPanel } from "./nodes";
import { Notices } from "./notices";
import { MapView } from "./map";
import { useMedia } from "./media";
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

/** There is room for the traces added up beside the overview's other columns. */
const WIDE = "(min-width: 2200px)";
/** And for the map and what went wrong below them. */
const HUGE = "(min-width: 3000px) and (min-height: 1500px)";

export function App({ store }: { store: Store }) {
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  useEffect(() => store.subscribe(() => redraw()), [store]);
  const [help, setHelp] = useState(false);
  useKeys(store, () => setHelp((shown) => !shown));

  const wide = useMedia(WIDE);
  const huge = useMedia(HUGE);

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
          <TraceView
            key={route.traceId}
            store={store}
            traceId={route.traceId}
            spanId={route.spanId}
            talks={route.talks === true}
          />
        ) : route.view === "compare" ? (
          <CompareView store={store} left={route.left} right={route.right} />
        ) : route.view === "actors" ? (
          <ActorList store={store} choice={route.choice} />
        ) : route.view === "actor" ? (
          <ActorView key={route.path} store={store} path={route.path} />
        ) : route.view === "check" ? (
          <CheckView store={store} query={route.query} />
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
        ) : route.view === "cluster" ? (
          <ClusterView store={store} sort={route.sort} />
        ) : route.view === "threads" ? (
          <ThreadsView store={store} choice={route.choice} />
        ) : route.view === "profile" ? (
          <ProfileView store={store} choice={route.choice} />
        ) : state === null ? (
          <Connecting store={store} reason={connection.kind === "connecting" ? connection.reason : null} />
        ) : route.view === "traces" ? (
          <div class="traces-view">
            <GroupsView store={store} differs={route.differs === true} />
            <Traces store={store} state={state} against={route.against} />
          </div>
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
                {huge && <TroubleView store={store} choice={ALL_TROUBLE} />}
              </div>
              {wide && (
                <div class="column">
                  <GroupsView store={store} />
                  {huge && <MapView store={store} choice={WHOLE_MAP} />}
                </div>
              )}
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
          The page was loaded, but its first request got no figures back: {reason}. It asks again each second.
        </Empty>
      )}
      {reason !== null && <DumpTools store={store} saves={false} />}
    </div>
  );
}

/** The field that a view looks for things with. */
const FILTERS: Readonly<Record<string, string>> = {
  traces: "trace-filter",
  actors: "actors-filter",
  check: "check-filter",
  trouble: "trouble-filter",
  map: "map-filter",
  threads: "threads-filter",
  where: "where-filter",
  system: "system-filter",
  tap: "tap-filter",
  settings: "setting-filter",
};

function listsTraces(store: Store): boolean {
  return store.route.view === "overview" || store.route.view === "traces";
}

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
      if (event.key.length === 1 && store.typing.goesOn(event)) {
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
          return listsTraces(store) ? store.pauseTraces(!store.tracesPaused) : undefined;
        case "e":
          return listsTraces(store) ? store.showErrorsOnly(!store.errorsOnly) : undefined;
        case "?":
          return toggleHelp();
      }
      const place = PLACES.find(({ key }) => key === event.key);
      if (place !== undefined) {
        const back = place.hash === "#/" || store.route.view === place.views[0];
        location.hash = back ? store.overview : place.hash;
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [store]);
}
