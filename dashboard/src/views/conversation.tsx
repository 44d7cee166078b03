// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A trace as a sequence diagram, to read, and to take along as Mermaid or SVG. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { conversation, type Lane, type Message, type Step } from "../lib/conversation";
import { save } from "../lib/files";
import { duration } from "../lib/format";
import { mermaid, said, times } from "../lib/mermaid";
import type { Node, Tree } from "../lib/tree";
import type { Store } from "../store";
import { svgFile } from "./svgfile";

const TIME_WIDTH = 76;
const HEAD_HEIGHT = 54;
const ROW_HEIGHT = 40;
const ARROW_Y = 21;
const MIN_LANE = 160;
const MAX_LANE = 300;
/** About as wide as a letter of a label, and of the smaller text below it. */
const LETTER = 6.6;
const SMALL_LETTER = 5.7;
/** So far to the right goes the arrow of a message to oneself. */
const LOOP = 26;

export function ConversationView(props: {
  store: Store;
  traceId: string;
  tree: Tree;
  selected: Node | null;
  onSelect: (spanId: string | null) => void;
}) {
  const { store, tree, selected, onSelect } = props;
  const [folds, setFolds] = useState(true);
  const talk = useMemo(() => conversation(tree, folds), [tree, folds]);
  const { lanes, steps } = talk;
  const nodeOf = (lane: Lane) => (lane.kind === "dead" || lane.kind === "others" ? "" : store.nodeOf(lane));
  const [at, setAt] = useState(-1);
  const [width, setWidth] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<SVGSVGElement>(null);
  const body = useRef<SVGSVGElement>(null);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    const resized = new ResizeObserver(() => setWidth(element.clientWidth));
    resized.observe(element);
    setWidth(element.clientWidth);
    element.focus({ preventScroll: true });
    return () => resized.disconnect();
  }, []);

  // A span that was chosen elsewhere is at its first step.
  const spanId = selected?.span.spanId ?? null;
  const chosen =
    isOf(steps[at], spanId) || (spanId === null && at >= 0) ? at : steps.findIndex((step) => isOf(step, spanId));
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && chosen >= 0) {
      const top = chosen * ROW_HEIGHT;
      const room = element.clientHeight - HEAD_HEIGHT - ROW_HEIGHT;
      if (top < element.scrollTop || top > element.scrollTop + room) {
        element.scrollTop = Math.max(0, top - room / 2);
      }
    }
  }, [chosen]);

  const choose = (index: number) => {
    const to = Math.max(0, Math.min(steps.length - 1, index));
    const step = steps[to];
    setAt(to);
    onSelect(step !== undefined && "spanId" in step ? step.spanId : null);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const to = { ArrowDown: chosen + 1, j: chosen + 1, ArrowUp: chosen - 1, k: chosen - 1, Home: 0, End: steps.length }[
      event.key
    ];
    if (to !== undefined) {
      choose(to);
    } else if (event.key === "Escape" && chosen >= 0) {
      setAt(-1);
      onSelect(null);
    } else if (event.key === "Escape") {
      location.hash = store.back;
    } else {
      return;
    }
    event.preventDefault();
  };

  const lane = Math.max(MIN_LANE, Math.min(MAX_LANE, (width - TIME_WIDTH - LOOP) / Math.max(1, lanes.length)));
  const x = (index: number) => TIME_WIDTH + lane * (index + 0.5);
  const whole = TIME_WIDTH + lane * lanes.length + LOOP;
  const height = steps.length * ROW_HEIGHT + 12;
  const svg = () => (head.current === null || body.current === null ? "" : svgFile([head.current, body.current]));
  const name = `conversation-${props.traceId}`;
  return (
    <div class="panel conversation">
      <div class="seq-tools">
        <p class="dim">From top to bottom in order, not to scale.</p>
        {(talk.isFolded || !folds) && (
          <button
            type="button"
            class="toggle"
            aria-pressed={!folds}
            title="Show equal messages one by one, instead of once with their number"
            onClick={() => {
              setAt(-1);
              setFolds(!folds);
            }}
          >
            one by one
          </button>
        )}
        <Copy word="copy Mermaid" file={`${name}.mmd`} type="text/plain" text={() => mermaid(talk, nodeOf)} />
        <Copy word="copy SVG" file={`${name}.svg`} type="image/svg+xml" text={svg} />
        <button type="button" class="toggle" onClick={() => save(`${name}.svg`, svg(), "image/svg+xml")}>
          save SVG
        </button>
      </div>
      <div
        class="seq-scroll"
        ref={scroller}
        tabIndex={0}
        role="listbox"
        aria-label={`Messages of the trace in order, ${steps.length} steps`}
        aria-activedescendant={chosen >= 0 ? `step-${chosen}` : undefined}
        onKeyDown={onKey}
      >
        <div class="seq-head" style={{ width: `${whole}px` }} role="presentation">
          <svg ref={head} width={whole} height={HEAD_HEIGHT} aria-hidden="true">
            {lanes.map((one, i) => (
              <Head key={i} store={store} lane={one} node={nodeOf(one)} x={x(i)} width={lane} />
            ))}
          </svg>
        </div>
        <svg ref={body} width={whole} height={height} role="presentation">
          {lanes.map((_, i) => (
            <line key={i} class="seq-line" x1={x(i)} x2={x(i)} y1={0} y2={height} />
          ))}
          {steps.map((step, i) => (
            <g
              key={i}
              id={`step-${i}`}
              role="option"
              aria-selected={i === chosen}
              aria-label={said(step, lanes, nodeOf)}
              class={`seq-step ${i === chosen ? "selected" : ""} ${"spanId" in step ? "" : "mute"}`}
              transform={`translate(0 ${i * ROW_HEIGHT})`}
              onClick={() => choose(i)}
            >
              <rect class="seq-hit" width={whole} height={ROW_HEIGHT} />
              {"spanId" in step ? (
                <Arrow
                  step={step}
                  x={x}
                  lane={lane}
                  colour={colourOf(store, lanes[step.kind === "answer" ? step.from : step.to])}
                />
              ) : (
                <text class="seq-between" x={TIME_WIDTH + 8} y={ARROW_Y + 4}>
                  {step.kind === "gap" ? `⋮ ${duration(step.nanos)} without a message` : said(step, lanes, nodeOf)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </div>
  );
}

function isOf(step: Step | undefined, spanId: string | null): boolean {
  return step !== undefined && "spanId" in step && step.spanId === spanId;
}

function colourOf(store: Store, lane: Lane | undefined): string {
  return lane === undefined || lane.owner.name === "" ? "var(--dim)" : store.paletteOf(lane.owner).of(lane.owner.name);
}

function Head(props: { store: Store; lane: Lane; node: string; x: number; width: number }) {
  const { store, lane, node, x, width } = props;
  const below = [lane.detail, node].filter((part) => part !== "").join(" · ");
  return (
    <g>
      <title>{node === "" ? lane.full : `${lane.full}\nprocess ${node}`}</title>
      <rect
        class={`seq-lane ${lane.kind}`}
        x={x - width / 2 + 4}
        y={5}
        width={width - 8}
        height={HEAD_HEIGHT - 10}
        rx={5}
        style={{ stroke: colourOf(store, lane) }}
      />
      {node !== "" && (
        <rect
          x={x - width / 2 + 4}
          y={HEAD_HEIGHT - 8}
          width={width - 8}
          height={3}
          style={{ fill: store.nodeColours.of(node) }}
        />
      )}
      <text class="seq-name" x={x} y={below === "" ? 31 : 24}>
        {fit(lane.label, width - 16)}
      </text>
      {below !== "" && (
        <text class="seq-detail" x={x} y={40}>
          {fit(below, width - 16, SMALL_LETTER)}
        </text>
      )}
    </g>
  );
}

function Arrow(props: { step: Message; x: (lane: number) => number; lane: number; colour: string }) {
  const { step, x, lane } = props;
  const from = x(step.from);
  const to = x(step.to);
  const self = step.from === step.to;
  const way = to < from ? -1 : 1;
  const middle = self ? from + LOOP + 6 : (from + to) / 2;
  const room = self ? lane - LOOP + 24 : Math.abs(to - from) - 16;
  const bad = step.failed !== null;
  const facts = bad ? [times(step), step.failed].filter((part) => part !== "").join(", ") : times(step);
  const colour = { stroke: bad ? "var(--bad)" : props.colour };
  return (
    <>
      <title>{[step.label, times(step), step.failed].filter((part) => part !== null && part !== "").join("\n")}</title>
      <text class="seq-time" x={TIME_WIDTH - 8} y={ARROW_Y + 4}>
        {duration(step.atNanos)}
      </text>
      {self ? (
        <path class={`seq-arrow ${step.kind}`} style={colour} d={`M${from} ${ARROW_Y - 8}h${LOOP}v16h${6 - LOOP}`} />
      ) : (
        <line class={`seq-arrow ${step.kind}`} style={colour} x1={from} x2={to - way * 6} y1={ARROW_Y} y2={ARROW_Y} />
      )}
      <path
        class="seq-tip"
        style={{ fill: colour.stroke }}
        d={tip(to, self ? -1 : way, self ? ARROW_Y + 8 : ARROW_Y)}
      />
      {bad && (
        <text class="seq-bad" x={to - (self ? -1 : way) * 16} y={(self ? ARROW_Y + 8 : ARROW_Y) + 5}>
          ×
        </text>
      )}
      <text
        class={`seq-label ${self ? "self" : ""} ${bad ? "bad" : ""}`}
        x={middle}
        y={self ? ARROW_Y - 1 : ARROW_Y - 6}
      >
        {fit(step.kind === "answer" ? `↩ ${step.label}` : step.label, room)}
      </text>
      <text class={`seq-facts ${self ? "self" : ""} ${bad ? "bad" : ""}`} x={middle} y={ARROW_Y + 13}>
        {fit(facts, room + 16, SMALL_LETTER)}
      </text>
    </>
  );
}

/** The head of an arrow that ends there. */
function tip(x: number, way: number, y: number): string {
  return `M${x} ${y}l${-way * 8} -4v8z`;
}

function fit(text: string, width: number, letter = LETTER): string {
  const most = Math.max(3, Math.floor(width / letter));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Copies a text; where the browser does not allow that, saves it. */
function Copy(props: { word: string; file: string; type: string; text: () => string }) {
  const [done, setDone] = useState("");
  const tell = (what: string) => {
    setDone(what);
    setTimeout(() => setDone(""), 1500);
  };
  const saved = () => {
    save(props.file, props.text(), props.type);
    tell("saved");
  };
  const copy = () => {
    if (navigator.clipboard === undefined) {
      saved();
    } else {
      navigator.clipboard.writeText(props.text()).then(() => tell("copied"), saved);
    }
  };
  return (
    <button type="button" class="toggle" onClick={copy}>
      <span aria-live="polite">{done === "" ? props.word : done}</span>
    </button>
  );
}
