// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The actor system as a whole: the last hour, and each of its parts in figures. */
import { useRef, useState } from "preact/hooks";
import { fetchSystem } from "../api";
import { count, duration, NOTHING, plural, rate, shortCount, timeOfDay } from "../lib/format";
import { actorsHash } from "../lib/route";
import {
  type Area,
  areas,
  byRate,
  isOfOneSystem,
  says,
  shapeOf,
  shardPath,
  shardRates,
  shortAttribute,
  shortName,
  type Table,
} from "../lib/system";
import type { Hour, Metric, Requests, Series, System as Reading } from "../lib/contract";
import { ClassName, Empty, Panel } from "./parts";
import { usePolled } from "./polled";
import { TransportPanel } from "./transport";

const REFRESH_MILLIS = 5000;
const MINUTES = 60;
const ROWS_SHOWN = 12;
const SHARD = "pekko.cluster.sharding.shard.id";

const CHARTS: readonly {
  readonly column: Exclude<keyof Hour, "everyMillis" | "seconds">;
  readonly title: string;
  readonly format: (value: number) => string;
  readonly bad?: boolean;
}[] = [
  { column: "rate", title: "Messages a second", format: rate },
  { column: "processingP99", title: "Processing, p99", format: duration },
  { column: "waitP99", title: "In the mailbox, p99", format: duration },
  { column: "heapBytes", title: "Heap, highest", format: (bytes) => `${Math.round(bytes / 2 ** 20)} MiB` },
  { column: "actorsLive", title: "Live actors", format: shortCount },
  { column: "failures", title: "Failures", format: shortCount, bad: true },
  { column: "askTimeouts", title: "Ask time-outs", format: shortCount, bad: true },
  { column: "deadLetters", title: "Dead letters", format: shortCount, bad: true },
];

export function SystemView() {
  const { value: reading, failure } = usePolled(fetchSystem, REFRESH_MILLIS);
  const [typed, setTyped] = useState("");
  const latest = useRef<Reading | null>(null);
  const rates = useRef<ReadonlyMap<string, number>>(new Map());
  if (reading !== null && reading !== latest.current) {
    rates.current = latest.current === null ? rates.current : shardRates(latest.current, reading);
    latest.current = reading;
  }
  const wanted = typed.trim().toLowerCase();
  const found = areas(reading?.metrics.filter((metric) => matches(metric, wanted)) ?? []);
  if (reading === null) {
    return (
      <Panel title="System" id="system">
        <Empty title="Asking for the last hour …">{failure ?? ""}</Empty>
      </Panel>
    );
  }
  return (
    <div class="system-page">
      <Panel title="The last hour" id="system" note="a bar for each minute">
        <div class="hour">
          {CHARTS.map((chart) => (
            <Bars
              key={chart.column}
              title={chart.title}
              seconds={reading.hour.seconds}
              values={reading.hour[chart.column]}
              format={chart.format}
              bad={chart.bad === true}
            />
          ))}
        </div>
      </Panel>
      <div class="areas-head">
        <h2>Since the start</h2>
        <span class="dim">{found.length === 0 ? `Nothing has “${typed}” in its name.` : ""}</span>
        <input
          id="system-filter"
          type="search"
          placeholder="Find a metric  /"
          aria-label="Find a metric"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {wanted === "" && <TransportPanel streams={reading.transport} />}
      <div class="areas">
        {found.map((area) => (
          <AreaPanel key={area.title} area={area} rates={rates.current} oneSystem={isOfOneSystem(reading.metrics)} />
        ))}
        {wanted === "" && <RequestsPanel requests={reading.requests} />}
      </div>
    </div>
  );
}

function matches({ name, description, series }: Metric, wanted: string): boolean {
  return (
    wanted === "" ||
    `${name} ${name.replace(/[._]/g, " ")} ${description}`.toLowerCase().includes(wanted) ||
    series.some(({ of }) => of.some((value) => value.toLowerCase().includes(wanted)))
  );
}

/** The cost of requests to the page itself. */
function RequestsPanel({ requests }: { requests: Requests }) {
  if (requests.cpu.length === 0) {
    return null;
  }
  return (
    <Panel
      title="Requests to this page"
      id="system-requests"
      class="area"
      note={`searches may take ${Math.round(requests.searchShare * 1000) / 10} % of a core`}
    >
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              {["kind", "requests", "CPU, last minute", "CPU", "refused", "cut", "cancelled"].map((title) => (
                <th key={title} scope="col" class={title === "kind" ? "name" : ""}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {requests.cpu.map((one) => (
              <tr key={one.kind}>
                <td class="name">{one.kind}</td>
                <td>{shortCount(one.requests)}</td>
                <td>{duration(one.minuteNanos)}</td>
                <td>{duration(one.nanos)}</td>
                <td>{shortCount(one.refused)}</td>
                <td>{shortCount(one.cut)}</td>
                <td>{shortCount(one.cancelled)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table>
          <thead>
            <tr>
              {["kind", "memory", "at most", "bound", "refused"].map((title) => (
                <th key={title} scope="col" class={title === "kind" ? "name" : ""}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {requests.memory.map((one) => (
              <tr key={one.kind}>
                <td class="name">{one.kind}</td>
                <td>{kib(one.bytes)}</td>
                <td>{kib(one.maxBytes)}</td>
                <td>{kib(one.boundBytes)}</td>
                <td>{shortCount(one.refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function kib(bytes: number): string {
  return `${shortCount(Math.round(bytes / 1024))} KiB`;
}

function Bars(props: {
  title: string;
  seconds: readonly number[];
  values: readonly (number | null)[];
  format: (value: number) => string;
  bad: boolean;
}) {
  const { title, seconds, values, format } = props;
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  const last = values.at(-1) ?? null;
  const first = MINUTES - values.length;
  return (
    <figure class={`bars ${props.bad && most > 0 ? "is-bad" : ""}`}>
      <figcaption>
        <span class="dim">{title}</span> <b>{last === null ? NOTHING : format(last)}</b>
        <span class="dim bars-most">{most === 0 ? "" : `most ${format(most)}`}</span>
      </figcaption>
      {values.length === 0 ? (
        <p class="dim">The first minute is not over.</p>
      ) : (
        <svg viewBox={`0 0 ${MINUTES} 20`} preserveAspectRatio="none" role="img" aria-label={`${title}, by minute`}>
          {values.map((value, i) => {
            const height = most === 0 || value === null || value === 0 ? 0 : Math.max(0.4, (20 * value) / most);
            return (
              <g key={seconds[i]}>
                <rect class="minute" x={first + i + 0.1} y={20 - height} width={0.8} height={height} />
                <rect class="minute-hit" x={first + i} y={0} width={1} height={20}>
                  <title>
                    {timeOfDay((seconds[i] ?? 0) * 1000)}: {value === null ? NOTHING : format(value)}
                  </title>
                </rect>
              </g>
            );
          })}
        </svg>
      )}
    </figure>
  );
}

function AreaPanel({ area, ...shown }: { area: Area } & Shown) {
  return (
    <Panel title={area.title} id={`system-${area.title.toLowerCase().replace(/\W/g, "-")}`} class="area">
      {area.tables.map((table) => (
        <AreaTable key={table.attributes.join()} table={table} {...shown} />
      ))}
    </Panel>
  );
}

interface Shown {
  readonly rates: ReadonlyMap<string, number>;
  readonly oneSystem: boolean;
}

/** The highest first, by the first metric that has more than one value; shards by messages a second. */
function AreaTable({ table, rates, oneSystem }: { table: Table } & Shown) {
  const [all, setAll] = useState(false);
  const { attributes, metrics, rows } = table;
  const { columns, same } = shapeOf(table, oneSystem);
  const caption =
    same.length === 0 ? null : (
      <p class="area-same">
        {same.map((i) => (
          <span key={i} title={attributes[i]}>
            <span class="dim">{shortAttribute(attributes[i] ?? "")}</span> <Name of={rows[0]?.of[i] ?? ""} />
          </span>
        ))}
      </p>
    );
  const [only] = rows;
  if (rows.length === 1 && only !== undefined && !attributes.includes(SHARD)) {
    return (
      <>
        {caption}
        <dl class="area-figures">
          {metrics.map((metric, i) => (
            <div key={metric.name} title={`${metric.name}: ${metric.description}`}>
              <dt>{shortName(metric.name)}</dt>
              <dd class={only.cells[i]?.value === 0 ? "zero" : ""}>
                <Figure metric={metric} series={only.cells[i] ?? null} />
              </dd>
            </div>
          ))}
        </dl>
      </>
    );
  }
  const by = Math.max(
    0,
    metrics.findIndex((_, i) => new Set(rows.map((row) => row.cells[i]?.value)).size > 1),
  );
  const hasRates = attributes.includes(SHARD);
  const sorted = byRate(rows, hasRates ? rates : new Map(), by);
  const shown = all ? sorted : sorted.filter(says).slice(0, ROWS_SHOWN);
  const zeros = sorted.filter((row) => !says(row)).length;
  const most = Math.max(0, ...rows.map((row) => row.cells[by]?.value ?? 0));
  return (
    <>
      {caption}
      <div class="table-scroll">
        {shown.length > 0 && (
          <table>
            <thead>
              <tr>
                {columns.map((i) => (
                  <th key={i} scope="col" class="name" title={attributes[i]}>
                    {shortAttribute(attributes[i] ?? "")}
                  </th>
                ))}
                {hasRates && (
                  <th scope="col" title="Messages a second, between the last two readings">
                    Msg / s
                  </th>
                )}
                {metrics.map((metric) => (
                  <th key={metric.name} scope="col" title={`${metric.name}: ${metric.description}`}>
                    {shortName(metric.name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.of.join("\n")}>
                  {columns.map((i) => (
                    <td key={i} class="name" title={row.of[i]}>
                      <Value attributes={attributes} of={row.of} at={i} />
                    </td>
                  ))}
                  {hasRates && <Rate of={rates.get(row.of.join("\n"))} />}
                  {metrics.map((metric, i) => (
                    <Cell
                      key={metric.name}
                      metric={metric}
                      series={row.cells[i] ?? null}
                      share={i === by && rows.length > 1 && most > 0 ? (row.cells[i]?.value ?? 0) / most : 0}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {(sorted.length > shown.length || table.leftOut > 0) && (
        <p class="more">
          {shown.length === 0 && (
            <span class="dim">{metrics.map(({ name }) => shortName(name)).join(", ")}: 0 everywhere. </span>
          )}
          {sorted.length > shown.length && (
            <button type="button" class="text-button" onClick={() => setAll(true)}>
              {plural(sorted.length - shown.length, shown.length === 0 ? "row" : "more row")}
              {shown.length > 0 && zeros > 0
                ? `, ${zeros === sorted.length - shown.length ? "all" : zeros} of zeros`
                : ""}
            </button>
          )}
          {table.leftOut > 0 && <span class="dim"> {count(table.leftOut)} smaller ones are left out</span>}
        </p>
      )}
    </>
  );
}

/** A dotted name has its last part in view. */
function Name({ of }: { of: string }) {
  return /^[\w$-]+(\.[\w$-]+)+$/.test(of) ? <ClassName name={of} /> : <>{of === "" ? NOTHING : of}</>;
}

function Rate({ of }: { of: number | undefined }) {
  return <td class={of === undefined || of === 0 ? "zero" : ""}>{of === undefined ? NOTHING : rate(of)}</td>;
}

/** A shard leads to its entities. */
function Value({ attributes, of, at }: { attributes: readonly string[]; of: readonly string[]; at: number }) {
  const shard = attributes[at] === SHARD ? shardPath(attributes, of) : null;
  return shard === null ? (
    <Name of={of[at] ?? ""} />
  ) : (
    <a class="link" href={actorsHash({ parent: shard, sort: "-rate" })} title="Its entities, the busiest first">
      {of[at]}
    </a>
  );
}

function Cell({ metric, series, share }: { metric: Metric; series: Series | null; share: number }) {
  const style = share > 0 ? { "--share": `${share * 100}%` } : undefined;
  const zero = series === null || series.value === 0;
  return (
    <td
      class={`${zero ? "zero" : ""} ${share > 0 ? "shared" : ""}`}
      style={style}
      title={series === null ? "" : count(series.value)}
    >
      <Figure metric={metric} series={series} />
    </td>
  );
}

function Figure({ metric, series }: { metric: Metric; series: Series | null }) {
  if (series === null || (metric.kind === "histogram" && series.p99Nanos === null)) {
    return <>{NOTHING}</>;
  }
  return metric.kind === "histogram" ? (
    <>
      <span class="dim">p99</span> {duration(series.p99Nanos ?? 0)}
    </>
  ) : (
    <>{metric.unit === "By" ? kib(series.value) : shortCount(series.value)}</>
  );
}
