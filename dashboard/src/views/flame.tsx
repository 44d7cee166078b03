// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A flame graph that hangs from its root: who called whom downwards, the share of samples sideways. */
import { useMemo, useRef, useState } from "preact/hooks";
import { count, innermost } from "../lib/format";
import type { ProfileTree } from "../lib/contract";
import { amount, childrenOf, frameName, isLibrary, layout, type ProfileTime } from "../lib/profile";
import type { Store } from "../store";

const LEAST_SHARE = 0.001;
const ROW_PIXELS = 20;

interface FlameProps {
  readonly store: Store;
  readonly tree: ProfileTree;
  /** Whether the two uppermost levels are an actor class and a message class. */
  readonly byMessage: boolean;
  readonly time: ProfileTime;
}

/** A node by its frames, which stay as they are when its number changes with the next answer. */
function pathOf(tree: ProfileTree, node: number): readonly string[] {
  const path: string[] = [];
  for (let at = node; at > 0; at = tree.parent[at] ?? 0) {
    path.unshift(tree.frames[tree.frame[at] ?? -1] ?? "");
  }
  return path;
}

function find(tree: ProfileTree, children: ReturnType<typeof childrenOf>, path: readonly string[]): number {
  let at = 0;
  for (const frame of path) {
    const next = children[at]?.find((child) => tree.frames[tree.frame[child] ?? -1] === frame);
    if (next === undefined) {
      return at;
    }
    at = next;
  }
  return at;
}

export function Flame({ store, tree, byMessage, time }: FlameProps) {
  const [zoomed, setZoomed] = useState<readonly string[]>([]);
  const [focused, setFocused] = useState<readonly string[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const children = useMemo(() => childrenOf(tree), [tree]);
  const chosen = find(tree, children, zoomed);
  const boxes = useMemo(() => layout(tree, chosen, LEAST_SHARE), [tree, chosen]);
  const focus = find(tree, children, focused);
  const depth = boxes.reduce((most, one) => Math.max(most, one.depth), 0);
  const whole = tree.total[0] ?? 0;

  const actorClassOf = (node: number) => (byMessage ? (pathOf(tree, node)[0] ?? null) : null);
  const label = (node: number, level: number) => {
    const frame = tree.frames[tree.frame[node] ?? -1] ?? "all";
    return byMessage && level <= 2 ? innermost(frame) : frameName(frame);
  };
  const move = (to: number | undefined) => {
    if (to !== undefined) {
      setFocused(pathOf(tree, to));
      box.current?.querySelector<HTMLElement>(`[data-node="${to}"]`)?.focus();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const siblings = children[tree.parent[focus] ?? -1] ?? [];
    const at = siblings.indexOf(focus);
    const moves: Record<string, () => void> = {
      ArrowUp: () => move(focus === 0 ? undefined : tree.parent[focus]),
      ArrowDown: () => move(children[focus]?.find((child) => boxes.some((one) => one.node === child))),
      ArrowLeft: () => move(siblings[at - 1]),
      ArrowRight: () => move(siblings.slice(at + 1).find((node) => boxes.some((one) => one.node === node))),
      Escape: () => setZoomed([]),
    };
    const go = moves[event.key];
    if (go !== undefined) {
      event.preventDefault();
      go();
    }
  };
  const text = (node: number) => {
    const samples = tree.total[node] ?? 0;
    const frame = node === 0 ? "all" : (tree.frames[tree.frame[node] ?? -1] ?? "");
    const self = tree.self[node] ?? 0;
    const inItself = time === "cpu" ? `${count(self)} of them` : `${amount(time, self)} of it`;
    return `${frame}: ${share(samples / whole)}, ${amount(time, samples)}, ${inItself} in itself`;
  };

  return (
    <div class="flame">
      <p class="flame-said dim" role="status">
        {text(focus)}
      </p>
      <div
        ref={box}
        class="flame-boxes"
        role="tree"
        aria-label="Flame graph"
        style={{ height: `${(depth + 1) * ROW_PIXELS}px` }}
        onKeyDown={onKeyDown}
      >
        {boxes.map(({ node, depth: level, left, width }) => {
          const frame = tree.frames[tree.frame[node] ?? -1] ?? "";
          const actorClass = actorClassOf(node);
          const library = level > (byMessage ? 2 : 0) && isLibrary(frame);
          return (
            <button
              key={node}
              type="button"
              role="treeitem"
              aria-level={level + 1}
              data-node={node}
              tabIndex={node === focus ? 0 : -1}
              class={`flame-box ${library ? "is-library" : ""} ${node === 0 ? "is-root" : ""}`}
              style={
                {
                  left: `${left * 100}%`,
                  width: `${width * 100}%`,
                  top: `${level * ROW_PIXELS}px`,
                  "--c": actorClass === null ? "var(--accent)" : store.colours.of(actorClass),
                } as Record<string, string>
              }
              title={text(node)}
              onFocus={() => setFocused(pathOf(tree, node))}
              onMouseEnter={() => setFocused(pathOf(tree, node))}
              onClick={() => setZoomed(pathOf(tree, node))}
            >
              {width > 0.02 && label(node, level)}
            </button>
          );
        })}
      </div>
      {tree.nodesLeftOut > 0 && (
        <p class="dim flame-note">
          {count(tree.nodesLeftOut)} frames with the least are left out; a download has them all.
        </p>
      )}
    </div>
  );
}

export function share(of: number): string {
  return `${(100 * of).toFixed(of < 0.0995 ? 1 : 0)} %`;
}
