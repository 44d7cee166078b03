// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The living actors, one by one. The server sorts and cuts; only the rows in view are here. */
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { fetchActors } from "../api";
import type { Actor, Actors } from "../lib/contract";
import { count, duration, NOTHING, plural, rate, shortCount, uptime } from "../lib/format";
import { actorHash, actorsHash, type ActorsChoice, ancestors } from "../lib/route";
import { firstRow, listHeight } from "../lib/virtual";
import type { Store } from "../store";
import { type Held, HeldMark, useHeld } from "./held";
import { ClassName, Empty, Panel, Swatch } from "./parts";
import { usePolled } from "./polled";

const ROW_HEIGHT = 28;
const MORE_ROWS = 60;
const MAX_ROWS = 500;
const REFRESH_MILLIS = 2000;
const DELAY_MILLIS = 150;
const DEFAULT_SORT = "-mailbox";
/** Below it the page says that not all messages are in its figures. */
const NEARLY_ALL = 0.9;

interface Column {
  readonly sort: string;
  readonly label: string;
  readonly title: string;
  readonly of: (line: Actor, nowMillis: number) => string;
  readonly mark?: (line: Actor) => string;
}

const COLUMNS: readonly Column[] = [
  {
    sort: "mailbox",
    label: "Mailbox",
    title: "Messages that wait in its mailbox, as of the last look",
    of: (line) => (line.mailbox === null ? NOTHING : shortCount(line.mailbox)),
    mark: (line) => (line.mailbox === null || line.mailbox === 0 ? "zero" : line.mailbox >= 1000 ? "odd" : ""),
  },
  {
    sort: "peak",
    label: "Peak",
    title: "Messages that waited at most, at one of the looks of the last minute",
    of: (line) => (line.mailboxPeak === null ? NOTHING : shortCount(line.mailboxPeak)),
    mark: (line) =>
      line.mailboxPeak === null || line.mailboxPeak === 0 ? "zero" : line.mailboxPeak >= 1000 ? "odd" : "",
  },
  {
    sort: "rate",
    label: "Msg / s",
    title: "Messages processed a second, over the last four to eight seconds",
    of: (line) => rate(line.ratePerSecond),
    mark: (line) => ((line.ratePerSecond ?? 0) === 0 ? "zero" : ""),
  },
  {
    sort: "busy",
    label: "Busy",
    title: "The share of these seconds for which it was processing messages",
    of: ({ busyShare }) => `${((busyShare ?? 0) * 100).toFixed((busyShare ?? 0) < 0.0995 ? 1 : 0)} %`,
    mark: ({ busyShare }) => ((busyShare ?? 0) === 0 ? "zero" : (busyShare ?? 0) >= 0.9 ? "odd" : ""),
  },
  {
    sort: "wait",
    label: "Wait p99",
    title: "99 of 100 messages waited less than this in the mailbox, about; what is new weighs more",
    of: (line) => (line.waitP99Nanos === null ? NOTHING : duration(line.waitP99Nanos)),
    mark: (line) => (line.waitP99Nanos === null ? "zero" : ""),
  },
  {
    sort: "messages",
    label: "Messages",
    title: "Messages that were recorded of it",
    of: (line) => shortCount(line.messages),
    mark: (line) => (line.messages === 0 ? "zero" : ""),
  },
  {
    sort: "failures",
    label: "Failed",
    title: "Messages whose processing threw",
    of: (line) => shortCount(line.failures),
    mark: (line) => (line.failures > 0 ? "bad" : "zero"),
  },
  {
    sort: "restarts",
    label: "Restarts",
    title: "How often supervision has restarted it",
    of: (line) => shortCount(line.restarts),
    mark: (line) => (line.restarts > 0 ? "odd" : "zero"),
  },
  {
    sort: "age",
    label: "Age",
    title: "Since it was made",
    of: (line, now) => uptime(now - line.madeAtMillis),
  },
];

export function ActorList({ store, choice }: { store: Store; choice: ActorsChoice }) {
  const list = useList(choice);
  const { page } = list;
  const go = (change: Partial<ActorsChoice>) => store.replaceRoute(actorsHash({ ...choice, ...change }));
  return (
    <Panel
      title="Actors"
      id="actors-title"
      class="actor-list"
      note={page === null ? "" : `${count(page.total)} of ${plural(page.living, "living actor")}`}
      tools={
        <>
          <HeldMark held={list.held} word="moved" />
          <input
            id="actors-filter"
            type="search"
            placeholder="Find path or class  /"
            aria-label="Find actors by path or class"
            value={choice.query}
            onInput={(event) => go({ query: event.currentTarget.value })}
          />
          <button
            type="button"
            class="toggle"
            aria-pressed={choice.pekko || choice.parent !== ""}
            disabled={choice.parent !== ""}
            title="Pekko's own actors, too"
            onClick={() => go({ pekko: !choice.pekko })}
          >
            Pekko's
          </button>
        </>
      }
    >
      <Where store={store} choice={choice} />
      {list.refused !== null ? (
        <Empty title="Actors cannot be listed">{list.refused}</Empty>
      ) : page === null ? (
        <Empty title="Asking for the actors …">{list.failure ?? ""}</Empty>
      ) : (
        <>
          <Doubts page={page} />
          <Outlook page={page} />
          <Others choice={choice} page={page} />
          {page.total === 0 ? (
            <Nothing choice={choice} page={page} />
          ) : (
            <Rows
              store={store}
              choice={choice}
              page={page}
              held={list.held}
              onView={list.view}
              onSort={(sort) => go({ sort })}
            />
          )}
        </>
      )}
    </Panel>
  );
}

/** Asks for the part of the list that is in view, again and again. */
function useList(choice: ActorsChoice) {
  const wanted = useRef({ choice, offset: 0, limit: MORE_ROWS * 2 });
  const { value, refused, failure, refresh } = usePolled(async (signal) => {
    const { choice: of, offset, limit } = wanted.current;
    return { part: `${actorsHash(of)} ${offset}`, page: await fetchActors(of, offset, limit, signal) };
  }, REFRESH_MILLIS);
  const page = value?.page ?? null;
  const held = useHeld(page?.actors ?? [], ({ path }) => path, { subject: value?.part ?? "", fills: true });
  const timer = useRef(0);
  const key = actorsHash(choice);
  const refreshSoon = () => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(refresh, DELAY_MILLIS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  const first = useRef(true);
  useEffect(() => {
    wanted.current = { choice, offset: 0, limit: MORE_ROWS * 2 };
    if (!first.current) {
      refreshSoon();
    }
    first.current = false;
  }, [key]);

  /** Rows that come into view and are not here are asked for. */
  const view = (from: number, to: number) => {
    const offset = Math.max(0, from - MORE_ROWS);
    const limit = Math.min(MAX_ROWS, to - offset + MORE_ROWS);
    if (offset !== wanted.current.offset || limit !== wanted.current.limit) {
      wanted.current = { ...wanted.current, offset, limit };
      refreshSoon();
    }
  };
  return { page, held, refused, failure, view };
}

/** The filters of the list, with ways out of it and into the tree. */
function Where({ store, choice }: { store: Store; choice: ActorsChoice }) {
  const systems = store.state?.systems ?? [];
  return (
    <div class="actor-where">
      {choice.parent === "" ? (
        <span>
          <span class="dim">as tree from</span>{" "}
          {systems.map((system) => (
            <a key={system} class="crumb" href={actorsHash({ parent: `pekko://${system}/user` })}>
              {system}/user
            </a>
          ))}
          <a class="crumb" href={store.overview}>
            by class
          </a>
        </span>
      ) : (
        <nav aria-label="Supervision">
          <a class="crumb" href={actorsHash({ sort: choice.sort })}>
            all actors
          </a>
          {ancestors(choice.parent).map(({ name, path }, i) => (
            <span key={path}>
              <span class="dim">{i === 0 ? " › " : " / "}</span>
              {i === 0 ? name : <a href={actorsHash({ parent: path, sort: choice.sort })}>{name}</a>}
            </span>
          ))}
          <a class="crumb own" href={actorHash(choice.parent)}>
            this actor
          </a>
        </nav>
      )}
      {choice.className !== "" && (
        <span class="chip">
          <ClassName name={choice.className} />
          <a href={actorsHash({ ...choice, className: "" })} aria-label="Actors of all classes">
            ×
          </a>
        </span>
      )}
      {choice.group !== "" && (
        <span class="chip">
          {choice.group}
          <a href={actorsHash({ ...choice, group: "" })} aria-label="Actors of all groups">
            ×
          </a>
        </span>
      )}
    </div>
  );
}

/** The gaps of the figures. */
function Doubts({ page }: { page: Actors }) {
  const { recordedShare, mailboxes, leftOut } = page.known;
  const said: string[] = [];
  if (recordedShare === 0) {
    said.push("No message is recorded, since tracing is off: rates, busy shares, waits and failures are not known.");
  } else if (recordedShare !== null && recordedShare < NEARLY_ALL) {
    const share = Math.max(1, Math.round(recordedShare * 100));
    said.push(
      `About ${share} % of the messages were recorded. Rates, busy shares, waits and failures are of these alone.`,
    );
  }
  if (leftOut > 0) {
    said.push(`Deimos left ${plural(leftOut, "message")} out, to stay within deimos.observer.cpu.`);
  }
  if (mailboxes === 0) {
    said.push("Mailboxes are not looked into.");
  } else if (mailboxes < page.living * NEARLY_ALL) {
    said.push(`Only ${count(mailboxes)} mailboxes are looked into; of the others the length is not known.`);
  }
  said.push(...page.notLookedAt);
  return said.length === 0 ? null : <p class="actor-doubts">{said.join(" ")}</p>;
}

/** Mailboxes and stashes that grow, and when the heap is full if it goes on so. */
function Outlook({ page }: { page: Actors }) {
  const growing = (page.outlook?.growing ?? []).filter(({ kind }) => kind !== "dispatcher");
  if (growing.length === 0) {
    return null;
  }
  const heap = page.outlook?.heap;
  return (
    <p class="actor-doubts outlook">
      {growing.map(({ says }) => says).join(" ")}
      {heap && ` If it goes on so, ${heap.says}.`}
    </p>
  );
}

/** The classes that are counted together as `other`. */
function Others({ choice, page }: { choice: ActorsChoice; page: Actors }) {
  if (page.other === null) {
    return null;
  }
  const { classes, most } = page.other;
  return (
    <p class="actor-doubts others">
      These actors are of {plural(classes, "class", "classes")} beyond the first 4,096, whose counts are added up as{" "}
      <strong>other</strong>.{classes > most.length ? " The largest: " : " They are: "}
      {most.map(({ class: className, living }, i) => (
        <span key={className}>
          {i > 0 && ", "}
          <a class="link" href={actorsHash({ ...choice, className })}>
            <ClassName name={className} short />
          </a>{" "}
          ({count(living)})
        </span>
      ))}
      .
    </p>
  );
}

function Nothing({ choice, page }: { choice: ActorsChoice; page: Actors }) {
  if (choice.parent !== "" && choice.query === "" && choice.className === "") {
    return <Empty title="It has no children">Or it has stopped.</Empty>;
  }
  return (
    <Empty title={page.living === 0 ? "No actor lives" : "No actor matches"}>
      {page.living > 0 && (
        <>
          {plural(page.living, "actor")} live. Each word has to be part of the path or of the class.{" "}
          <a class="link" href={actorsHash()}>
            Show all
          </a>
        </>
      )}
    </Empty>
  );
}

function Rows(props: {
  store: Store;
  choice: ActorsChoice;
  page: Actors;
  held: Held<Actor>;
  onView: (from: number, to: number) => void;
  onSort: (sort: string) => void;
}) {
  const { store, choice, page, held, onView } = props;
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  const scrollTop = box.current?.scrollTop ?? 0;
  const viewport = box.current?.clientHeight ?? 600;
  const from = firstRow(scrollTop, viewport, ROW_HEIGHT, page.total);
  const to = Math.min(page.total, from + Math.ceil(viewport / ROW_HEIGHT) + 2);
  useLayoutEffect(() => onView(from, to), [from, to]);
  useEffect(() => {
    const onResize = () => redraw();
    addEventListener("resize", onResize);
    redraw();
    return () => removeEventListener("resize", onResize);
  }, []);
  const key = actorsHash({ ...choice, sort: "" });
  useEffect(() => box.current?.scrollTo(0, 0), [key]);

  const height = listHeight(page.total, ROW_HEIGHT);
  const above = Math.min(scrollTop - (scrollTop % ROW_HEIGHT), Math.max(0, height - (to - from) * ROW_HEIGHT));
  const numbers = Array.from({ length: to - from }, (_, i) => from + i);
  return (
    <div class="actor-scroll" ref={box} onScroll={() => redraw()} tabIndex={0} aria-label="Living actors">
      <table aria-rowcount={page.total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Actor</th>
            <th scope="col" class="name col-class">
              Class
            </th>
            {COLUMNS.map((column) => (
              <Head key={column.sort} column={column} sort={choice.sort || DEFAULT_SORT} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody {...held.box}>
          <tr class="space" style={{ height: `${above}px` }} aria-hidden="true" />
          {numbers.map((number) => (
            <Row key={number} number={number} line={held.rows[number - page.offset]} {...{ store, choice, page }} />
          ))}
          <tr
            class="space"
            style={{ height: `${Math.max(0, height - above - (to - from) * ROW_HEIGHT)}px` }}
            aria-hidden="true"
          />
        </tbody>
      </table>
    </div>
  );
}

function Head(props: { column: Column; sort: string; onSort: (sort: string) => void }) {
  const { column, sort } = props;
  const descending = sort === `-${column.sort}`;
  const sorted = descending || sort === column.sort;
  return (
    <th
      scope="col"
      class={`col-${column.sort}`}
      aria-sort={!sorted ? "none" : descending ? "descending" : "ascending"}
      onClick={() => props.onSort(descending ? column.sort : `-${column.sort}`)}
    >
      <button type="button" class={sorted ? "sorted" : ""} title={column.title}>
        {column.label}
        <span class="arrow" aria-hidden="true">
          {sorted ? (descending ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}

function Row(props: { store: Store; choice: ActorsChoice; page: Actors; number: number; line: Actor | undefined }) {
  const { line, page, choice } = props;
  if (line === undefined) {
    return (
      <tr class="actor-row" aria-rowindex={props.number + 2}>
        <th scope="row" class="dim" colSpan={COLUMNS.length + 2}>
          …
        </th>
      </tr>
    );
  }
  const names = ancestors(line.path);
  const name = names.at(-1)?.name ?? line.path;
  const before = line.path.slice(0, line.path.length - name.length).replace("pekko://", "");
  return (
    <tr class={`actor-row ${line.pekko ? "pekko" : ""}`} aria-rowindex={props.number + 2}>
      <th scope="row" title={line.path}>
        <Swatch colour={props.store.colours.of(line.class)} />
        <a href={actorHash(line.path)}>
          {choice.parent === "" && <span class="package">{before}</span>}
          <span class="simple">{name}</span>
        </a>
        {line.children !== null && line.children > 0 && (
          <a
            class="children"
            href={actorsHash({ parent: line.path, sort: choice.sort })}
            title={plural(line.children, "child", "children")}
          >
            {shortCount(line.children)} ›
          </a>
        )}
      </th>
      <td class="name col-class">
        <ClassName name={line.class} short />
      </td>
      {COLUMNS.map((column) => (
        <td key={column.sort} class={`col-${column.sort} ${column.mark?.(line) ?? ""}`}>
          {column.of(line, page.nowMillis)}
        </td>
      ))}
    </tr>
  );
}
