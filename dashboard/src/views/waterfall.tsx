// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The spans of a trace as a tree beside their times. Only the rows in view are in the document. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { callOf } from "../lib/calls";
import { duration, innermost, plural, roundDuration, scopeName } from "../lib/format";
import { ticks, type View } from "../lib/ruler";
import { type Node, ownerOf, type Tree, visibleNodes } from "../lib/tree";
import { scrollToShow, visibleRange } from "../lib/virtual";
import type { Store } from "../store";
import { Minimap } from "./minimap";
import { Swatch } from "./parts";

const ROW_HEIGHT = 26;
const INDENT = 14;
/** Deeper spans are no further to the right, so that their names have room; a number says how deep they are. */
const DEEPEST_INDENT = 8;

export function Waterfall(props: {
  store: Store;
  tree: Tree;
  selected: Node | null;
  onSelect: (spanId: string | null) => void;
}) {
  const { store, tree, selected, onSelect } = props;
  const whole: View = { fromNanos: tree.fromNanos, toNanos: tree.toNanos };
  const [zoom, setZoom] = useState<View | null>(null);
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const [hover, setHover] = useState<{ node: Node; x: number; y: number } | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const view = zoom ?? whole;
  const rows = useMemo(() => visibleNodes(tree, collapsed), [tree, collapsed]);
  const range = visibleRange(scroll.top, scroll.height, ROW_HEIGHT, rows.length);
  const selectedRow = selected === null ? -1 : rows.indexOf(selected);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    const measure = () => setScroll({ top: element.scrollTop, height: element.clientHeight });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    measure();
    return () => resized.disconnect();
  }, []);

  useEffect(() => {
    // A chosen span that is folded away is unfolded, and scrolled to where it can be seen.
    const element = scroller.current;
    if (selected === null || element === null) {
      return;
    }
    if (selectedRow < 0) {
      const open = new Set(collapsed);
      for (let above = selected.parent; above !== null; above = above.parent) {
        open.delete(above.index);
      }
      setCollapsed(open);
    } else {
      element.scrollTop = scrollToShow(selectedRow, element.scrollTop, element.clientHeight, ROW_HEIGHT);
    }
  }, [selected, selectedRow]);

  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);

  const fold = (node: Node, folded: boolean) => {
    const next = new Set(collapsed);
    if (folded) {
      next.add(node.index);
    } else {
      next.delete(node.index);
    }
    setCollapsed(next);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const go = (row: number) => {
      const node = rows[Math.max(0, Math.min(rows.length - 1, row))];
      onSelect(node?.span.spanId ?? null);
    };
    switch (event.key) {
      case "ArrowDown":
      case "j":
        go(selectedRow + 1);
        break;
      case "ArrowUp":
      case "k":
        go(selectedRow - 1);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(rows.length - 1);
        break;
      case "ArrowLeft":
        if (selected !== null && selected.children.length > 0 && !collapsed.has(selected.index)) {
          fold(selected, true);
        } else if (selected?.parent !== null && selected !== null) {
          onSelect(selected.parent.span.spanId);
        }
        break;
      case "ArrowRight":
        if (selected !== null) {
          fold(selected, false);
        }
        break;
      case "z":
        if (selected !== null) {
          setZoom(around(selected, whole));
        }
        break;
      case "0":
        setZoom(null);
        break;
      case "Escape":
        if (zoom !== null) {
          setZoom(null);
        } else if (selected !== null) {
          onSelect(null);
        } else {
          location.hash = store.back;
        }
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  if (rows.length === 0) {
    return <div class="panel waterfall" />;
  }
  return (
    <div class="panel waterfall">
      <Minimap store={store} tree={tree} view={zoom} onView={setZoom} />
      <Ruler view={view} from={tree.fromNanos} zoomed={zoom !== null} onReset={() => setZoom(null)} />
      <div
        class="wf-scroll"
        ref={scroller}
        tabIndex={0}
        role="tree"
        aria-label={`Spans of the trace, ${plural(rows.length, "row")}`}
        aria-activedescendant={selectedRow >= 0 ? `row-${selected?.index ?? 0}` : undefined}
        onKeyDown={onKey}
        onScroll={(event) => {
          setHover(null);
          setScroll({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight });
        }}
        onPointerLeave={() => setHover(null)}
      >
        <div class="wf-rows" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
          <Grid view={view} from={tree.fromNanos} />
          {rows.slice(range.from, range.to).map((node, i) => (
            <Row
              key={node.index}
              store={store}
              node={node}
              view={view}
              top={(range.from + i) * ROW_HEIGHT}
              collapsed={collapsed.has(node.index)}
              selected={node === selected}
              onSelect={() => onSelect(node === selected ? null : node.span.spanId)}
              onFold={(folded) => fold(node, folded)}
              onHover={(x, y) => setHover({ node, x, y })}
            />
          ))}
        </div>
      </div>
      {hover !== null && hover.node !== selected && <Tooltip node={hover.node} x={hover.x} y={hover.y} />}
    </div>
  );
}

function Row(props: {
  store: Store;
  node: Node;
  view: View;
  top: number;
  collapsed: boolean;
  selected: boolean;
  onSelect: () => void;
  onFold: (folded: boolean) => void;
  onHover: (x: number, y: number) => void;
}) {
  const { node, collapsed } = props;
  const { span } = node;
  const owner = ownerOf(span);
  const call = callOf(span);
  const failed = span.status === "ERROR";
  const hides = collapsed && node.errors > (failed ? 1 : 0);
  return (
    <div
      id={`row-${node.index}`}
      class={`wf-row ${props.selected ? "selected" : ""} ${failed ? "error" : ""}`}
      role="treeitem"
      aria-level={node.depth + 1}
      aria-selected={props.selected}
      aria-expanded={node.children.length > 0 ? !collapsed : undefined}
      style={
        {
          transform: `translateY(${props.top}px)`,
          "--c": props.store.paletteOf(owner).of(owner.name),
        } as Record<string, string>
      }
      onClick={props.onSelect}
      onPointerMove={(event) => event.pointerType === "mouse" && props.onHover(event.clientX, event.clientY)}
    >
      <div class="wf-name" style={{ paddingLeft: `${8 + Math.min(node.depth, DEEPEST_INDENT) * INDENT}px` }}>
        {node.depth > 0 && (
          <span
            class="guides"
            aria-hidden="true"
            style={{ width: `${Math.min(node.depth, DEEPEST_INDENT) * INDENT}px` }}
          />
        )}
        {node.children.length > 0 ? (
          <button
            type="button"
            class="disclose"
            tabIndex={-1}
            aria-label={collapsed ? "Unfold" : "Fold"}
            onClick={(event) => {
              event.stopPropagation();
              props.onFold(!collapsed);
            }}
          >
            <span class={`chevron ${collapsed ? "" : "open"}`} aria-hidden="true" />
          </button>
        ) : (
          <span class="leaf" />
        )}
        <Swatch colour={props.store.paletteOf(owner).of(owner.name)} />
        {node.depth > DEEPEST_INDENT && <span class="deep">{node.depth}</span>}
        <span class="wf-label">{span.name || "unnamed"}</span>
        {call !== null && (
          <>
            <span class={`wf-call ${call.kind} ${call.failed ? "bad" : ""}`}>{call.mark}</span>
            {call.what !== "" && (
              <span class="wf-what" title={call.what}>
                {call.what}
              </span>
            )}
          </>
        )}
        <NodeMark store={props.store} span={span} />
        {(failed || hides) && (
          <span class="wf-error" title={failed ? span.statusMessage || "error" : "errors below"}>
            !
          </span>
        )}
        {node.orphan && <span class="orphan">parent not in store</span>}
        <span class="wf-owner">
          {owner.actor ? innermost(owner.name) : scopeName(owner.name)}
          {collapsed && node.descendants > 0 ? ` +${node.descendants}` : ""}
        </span>
      </div>
      <div class="wf-time">
        <Bar node={node} view={props.view} />
      </div>
    </div>
  );
}

/** The process of a span, in its colour; only where there are several. */
function NodeMark({ store, span }: { store: Store; span: Node["span"] }) {
  const name = store.nodeOf(span);
  return name === "" ? null : (
    <span class="node-mark" style={{ borderColor: store.nodeColours.of(name) }} title={`process ${name}`}>
      {name}
    </span>
  );
}

function Bar({ node, view }: { node: Node; view: View }) {
  const { span } = node;
  const length = view.toNanos - view.fromNanos;
  const left = (span.offsetNanos - view.fromNanos) / length;
  const width = span.durationNanos / length;
  const right = left + width;
  if (right < 0 || left > 1) {
    return <span class={`outside ${left > 1 ? "after" : ""}`}>{left > 1 ? "›" : "‹"}</span>;
  }
  const wait = span.waitNanos === null ? 0 : Math.min(span.waitNanos, span.durationNanos);
  const labelStyle: Record<string, string> =
    right < 0.86
      ? { left: `calc(${percent(right)} + 6px)` }
      : left > 0.14
        ? { right: `calc(${percent(1 - left)} + 6px)` }
        : { right: "6px" };
  return (
    <>
      <span class="bar" style={{ left: percent(left), width: percent(width) }}>
        {wait > 0 && <span class="bar-wait" style={{ width: percent(wait / span.durationNanos) }} />}
        <span class="bar-work" />
      </span>
      {span.events.map((event, i) => {
        const exception = event.name === "exception";
        const at = (event.offsetNanos - view.fromNanos) / length;
        // Waiting and message are the ends of the hatched part; a mark there would say nothing new.
        const drawn = event.name !== "waiting" && event.name !== "message" && at >= 0 && at <= 1;
        return drawn ? (
          <span key={i} class={`bar-event ${exception ? "bad" : ""}`} style={{ left: percent(at) }} />
        ) : null;
      })}
      <span class={`bar-label ${right >= 0.86 && left <= 0.14 ? "inside" : ""}`} style={labelStyle}>
        {duration(span.durationNanos)}
      </span>
    </>
  );
}

function Ruler(props: { view: View; from: number; zoomed: boolean; onReset: () => void }) {
  const { view } = props;
  return (
    <div class="wf-ruler">
      <div class="wf-name">
        <span class="ruler-title">Span</span>
        {props.zoomed && (
          <button type="button" class="text-button" onClick={props.onReset}>
            show all
          </button>
        )}
      </div>
      <div class="wf-time">
        {rulerTicks(view, props.from).map((tick) => (
          <span key={tick.at} class={`tick ${tick.at > 0.93 ? "last" : ""}`} style={{ left: percent(tick.at) }}>
            {tick.label}
          </span>
        ))}
      </div>
    </div>
  );
}

function Grid({ view, from }: { view: View; from: number }) {
  return (
    <div class="wf-grid" aria-hidden="true">
      {rulerTicks(view, from).map((tick) => (
        <span key={tick.at} style={{ left: percent(tick.at) }} />
      ))}
    </div>
  );
}

function rulerTicks(view: View, from: number): readonly { at: number; label: string }[] {
  const length = view.toNanos - view.fromNanos;
  return ticks(view.fromNanos - from, view.toNanos - from, 6).map((nanos) => ({
    at: (nanos + from - view.fromNanos) / length,
    label: nanos === 0 ? "0" : roundDuration(nanos),
  }));
}

function Tooltip({ node, x, y }: { node: Node; x: number; y: number }) {
  const { span } = node;
  const owner = ownerOf(span);
  const right = x > innerWidth - 320;
  const below = y > innerHeight - 200;
  const wait = span.waitNanos;
  return (
    <div
      class="tooltip"
      role="tooltip"
      style={{
        ...(right ? { right: `${innerWidth - x + 14}px` } : { left: `${x + 14}px` }),
        ...(below ? { bottom: `${innerHeight - y + 10}px` } : { top: `${y + 14}px` }),
      }}
    >
      <p class="tooltip-title">{span.name || "unnamed"}</p>
      <p class="tooltip-owner">{owner.actor ? owner.name : scopeName(owner.name)}</p>
      <dl>
        <dt>from</dt>
        <dd>+{duration(span.offsetNanos)}</dd>
        {wait !== null && (
          <>
            <dt>in mailbox</dt>
            <dd>{duration(wait)}</dd>
            <dt>processing</dt>
            <dd>{duration(Math.max(0, span.durationNanos - wait))}</dd>
          </>
        )}
        <dt>in all</dt>
        <dd>{duration(span.durationNanos)}</dd>
        {span.status === "ERROR" && (
          <>
            <dt>error</dt>
            <dd class="bad">{span.statusMessage || "no message"}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

function around(node: Node, whole: View): View {
  const { offsetNanos, durationNanos } = node.span;
  const margin = Math.max(durationNanos * 0.15, 100);
  return {
    fromNanos: Math.max(whole.fromNanos, offsetNanos - margin),
    toNanos: Math.min(whole.toNanos, offsetNanos + durationNanos + margin),
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
