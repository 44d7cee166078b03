// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** All spans of a trace in a strip, drawn; dragging over it chooses the time the waterfall shows. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { View } from "../lib/ruler";
import { ownerOf, type Tree } from "../lib/tree";
import type { Store } from "../store";

const HEIGHT = 44;
/** A shorter drag is a click. */
const SHORTEST_DRAG_PIXELS = 4;

export function Minimap(props: { store: Store; tree: Tree; view: View | null; onView: (view: View | null) => void }) {
  const { store, tree, view, onView } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const length = tree.toNanos - tree.fromNanos;

  useEffect(() => {
    const element = canvas.current;
    if (element === null) {
      return;
    }
    const draw = () => paint(element, tree, store);
    const resized = new ResizeObserver(draw);
    resized.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", draw);
    };
  }, [tree]);

  const place = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const finish = (event: PointerEvent) => {
    const width = canvas.current?.clientWidth ?? 0;
    if (drag !== null) {
      const to = place(event);
      const [low, high] = drag.from < to ? [drag.from, to] : [to, drag.from];
      onView(
        (high - low) * width < SHORTEST_DRAG_PIXELS
          ? null
          : {
              fromNanos: tree.fromNanos + low * length,
              toNanos: tree.fromNanos + high * length,
            },
      );
    }
    setDrag(null);
  };

  const shown =
    drag !== null
      ? { from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) }
      : view !== null
        ? {
            from: (view.fromNanos - tree.fromNanos) / length,
            to: (view.toNanos - tree.fromNanos) / length,
          }
        : null;
  return (
    <div class="minimap">
      <div class="wf-name">
        <span class="hint">drag to zoom</span>
      </div>
      <div
        class="minimap-area"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: place(event), to: place(event) });
        }}
        onPointerMove={(event) => drag !== null && setDrag({ from: drag.from, to: place(event) })}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(null)}
      >
        <canvas ref={canvas} height={HEIGHT} aria-hidden="true" />
        {shown !== null && (
          <>
            <span class="shade" style={{ left: "0", width: `${shown.from * 100}%` }} />
            <span class="shade" style={{ left: `${shown.to * 100}%`, right: "0" }} />
          </>
        )}
      </div>
    </div>
  );
}

function paint(canvas: HTMLCanvasElement, tree: Tree, store: Store): void {
  const context = canvas.getContext("2d");
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  if (context === null || width === 0) {
    return;
  }
  canvas.width = width * scale;
  canvas.height = HEIGHT * scale;
  context.scale(scale, scale);
  context.clearRect(0, 0, width, HEIGHT);
  const style = getComputedStyle(document.documentElement);
  const colours = new Map<string, string>();
  const length = tree.toNanos - tree.fromNanos;
  const step = Math.min(4, (HEIGHT - 6) / tree.nodes.length);
  const thickness = Math.max(1, step * 0.7);
  tree.nodes.forEach(({ span }, i) => {
    const owner = ownerOf(span);
    let colour = colours.get(owner.name);
    if (colour === undefined) {
      colour = style.getPropertyValue(store.paletteOf(owner).variable(owner.name)).trim();
      colours.set(owner.name, colour);
    }
    const x = ((span.offsetNanos - tree.fromNanos) / length) * width;
    const wide = Math.max(1, (span.durationNanos / length) * width);
    const wait =
      span.waitNanos === null || span.durationNanos === 0 ? 0 : Math.min(1, span.waitNanos / span.durationNanos) * wide;
    const y = 3 + i * step;
    context.fillStyle = colour;
    context.globalAlpha = 0.35;
    context.fillRect(x, y, wait, thickness);
    context.globalAlpha = 1;
    context.fillRect(x + wait, y, Math.max(1, wide - wait), thickness);
  });
}
