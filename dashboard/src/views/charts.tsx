// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The last fifteen minutes: messages a second, processing time, time in the mailbox. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Chart } from "../lib/history";
import { duration, NOTHING, rate, roundDuration } from "../lib/format";
import type { Store } from "../store";

type Values = readonly (number | null)[];

interface Line {
  readonly label: string;
  readonly colour: string;
  readonly values: Values;
  readonly filled: boolean;
}

const SYNC = uPlot.sync("charts");
const HEIGHT = 128;

export function Charts({ store }: { store: Store }) {
  const chart = store.history.chartColumns();
  return (
    <div class="charts">
      <ChartPanel
        title="Messages / s"
        chart={chart}
        lines={[{ label: "messages", colour: "--line-a", values: chart.rate, filled: true }]}
        format={(value) => rate(value)}
      />
      <ChartPanel
        title="Processing time"
        chart={chart}
        lines={[
          { label: "p99", colour: "--line-b", values: chart.processingP99, filled: false },
          { label: "p50", colour: "--line-a", values: chart.processingP50, filled: false },
        ]}
        format={duration}
        logarithmic
      />
      <ChartPanel
        title="Time in the mailbox"
        chart={chart}
        lines={[
          { label: "p99", colour: "--line-b", values: chart.waitP99, filled: false },
          { label: "p50", colour: "--line-a", values: chart.waitP50, filled: false },
        ]}
        format={duration}
        logarithmic
      />
    </div>
  );
}

function ChartPanel(props: {
  title: string;
  chart: Chart;
  lines: readonly Line[];
  format: (value: number) => string;
  /** Times lie decades apart; on a linear axis the median would lie on the floor. */
  logarithmic?: boolean;
}) {
  const { chart, lines, format } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);

  useEffect(() => {
    const element = host.current;
    if (element === null) {
      return;
    }
    const made = new uPlot(
      options(element.clientWidth, lines, format, props.logarithmic === true),
      [[], ...lines.map(() => [])],
      element,
    );
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const recolour = () => made.redraw(false, true);
    scheme.addEventListener("change", recolour);
    return () => {
      scheme.removeEventListener("change", recolour);
      resized.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, []);

  const newest = `${chart.seconds[0] ?? 0} ${chart.seconds.at(-1) ?? 0}`;
  useEffect(() => {
    const data = [chart.seconds, ...lines.map((line) => line.values)];
    plot.current?.setData(data as unknown as uPlot.AlignedData, true);
  }, [newest]);

  const current = lines.map((line) => line.values.at(-1) ?? null);
  return (
    <section class="panel chart" aria-label={props.title}>
      <div class="panel-head">
        <h2>
          {props.title}
          {props.logarithmic === true && <span class="scale-note"> log scale</span>}
        </h2>
        <div class="legend">
          {lines.map((line, i) => (
            <span key={line.label} class="legend-entry">
              <span class={`legend-line ${line.colour.slice(2)}`} aria-hidden="true" />
              {line.label} <b>{current[i] === null || current[i] === undefined ? NOTHING : format(current[i])}</b>
            </span>
          ))}
        </div>
      </div>
      <div class="plot" ref={host} />
    </section>
  );
}

function options(
  width: number,
  lines: readonly Line[],
  format: (value: number) => string,
  logarithmic: boolean,
): uPlot.Options {
  const axis = { stroke: () => css("--dim"), font: "11px system-ui, sans-serif", ticks: { show: false } };
  const grid = { stroke: () => css("--grid"), width: 1 };
  return {
    width,
    height: HEIGHT,
    padding: [8, 22, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: SYNC.key }, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: true, range: (_, min, max) => lastMinutes(min, max) },
      y: logarithmic
        ? { distr: 3, log: 10, range: (_, min, max) => decades(min, max) }
        : { range: (_, __, max) => [0, max > 0 ? max * 1.12 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        space: 70,
        grid: { show: false },
        values: (_, splits) => splits.map(clock),
      },
      {
        ...axis,
        size: 58,
        space: 30,
        grid,
        ...(logarithmic ? { splits: (_: uPlot, __: number, min: number, max: number) => powersOfTen(min, max) } : {}),
        filter: (_, splits) => splits,
        values: (_, splits) => splits.map((v) => (v === 0 ? "0" : logarithmic ? axisDuration(v) : format(v))),
      },
    ],
    series: [
      {},
      ...lines.map((line): uPlot.Series => ({
        label: line.label,
        stroke: () => css(line.colour),
        ...(line.filled ? { fill: () => css(`${line.colour}-fill`) } : {}),
        width: 1.5,
        // A value between two gaps is a dot; a line has none.
        points: { size: 4, filter: lonely, fill: () => css(line.colour) },
      })),
    ],
    plugins: [
      readout(
        lines.map((line) => line.label),
        format,
      ),
    ],
  };
}

/** There is no room for `1 min 40 s` beside an axis. */
function axisDuration(nanos: number): string {
  return nanos >= 60e9 ? `${nanos / 1e9} s` : roundDuration(nanos);
}

/** The figures under the cursor, as text at its side. */
function readout(labels: readonly string[], format: (value: number) => string): uPlot.Plugin {
  const box = document.createElement("div");
  box.className = "readout";
  box.hidden = true;
  return {
    hooks: {
      init: (plot) => {
        plot.over.append(box);
      },
      setCursor: (plot) => {
        const { idx, left } = plot.cursor;
        const second = idx === null || idx === undefined ? undefined : plot.data[0][idx];
        if (idx === null || idx === undefined || second === undefined || left === undefined || left < 0) {
          box.hidden = true;
          return;
        }
        const parts = labels.map((label, i) => {
          const value = plot.data[i + 1]?.[idx];
          return `${label} ${value === null || value === undefined ? NOTHING : format(value)}`;
        });
        box.textContent = [clock(second), ...parts].join("   ");
        box.hidden = false;
        box.classList.toggle("at-left", left > plot.over.clientWidth / 2);
      },
    },
  };
}

/** The places of values that stand alone, and would not be seen as a line. */
function lonely(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const alone: number[] = [];
  values.forEach((value, i) => {
    if (value != null && values[i - 1] == null && values[i + 1] == null) {
      alone.push(i);
    }
  });
  return alone;
}

/** From one minute, with room for what is to come, up to fifteen. */
function lastMinutes(min: number | null, max: number | null): [number, number] {
  const newest = max ?? Date.now() / 1000;
  return [newest - Math.min(900, Math.max(60, newest - (min ?? newest))), newest];
}

/** Whole powers of ten around the values; never empty, also when there are none. */
function decades(min: number | null, max: number | null): [number, number] {
  const low = Math.floor(Math.log10(Math.max(1, min ?? 1000)));
  const high = Math.ceil(Math.log10(Math.max(1, max ?? 1e6)) + 0.02);
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

function powersOfTen(min: number, max: number): number[] {
  const low = Math.round(Math.log10(min));
  const high = Math.round(Math.log10(max));
  const step = high - low > 4 ? 2 : 1;
  const splits: number[] = [];
  for (let power = low; power <= high; power += step) {
    splits.push(10 ** power);
  }
  return splits;
}

function clock(second: number): string {
  const date = new Date(second * 1000);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
}

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
