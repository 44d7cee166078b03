// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Keeps the order of a list while the pointer or the focus is in its rows, and says what has changed since. */
import { useReducer, useRef } from "preact/hooks";
import { ahead, hold } from "../lib/held";

/** An element that somebody is about to click in. */
export const HELD = ":hover, :focus-within";

export interface Held<T> {
  readonly rows: readonly T[];
  /** How many rows are elsewhere, or not yet shown. */
  readonly moved: number;
  /** Takes the order of now. */
  readonly apply: () => void;
  /** Whether pointer or focus is in it now. */
  readonly holds: () => boolean;
  /** For the element that has the rows. */
  readonly box: {
    readonly ref: (element: HTMLElement | null) => void;
    readonly onPointerLeave: () => void;
    readonly onFocusOut: () => void;
  };
}

/**
 * The rows to show.
 *
 * @param options `subject`: what tells this list from another one, whose order is taken at once. `fills`: whether
 *   new rows come at the end meanwhile. `holds`: whether it is to be kept, where that is not its own box's to say
 */
export function useHeld<T>(
  latest: readonly T[],
  keyOf: (row: T) => string,
  options: { readonly subject: string; readonly fills?: boolean; readonly holds?: () => boolean },
): Held<T> {
  const { subject, fills = false } = options;
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  const element = useRef<HTMLElement | null>(null);
  const shown = useRef<{ readonly subject: string; readonly rows: readonly T[] } | null>(null);
  const before = shown.current;
  const isIn = options.holds ?? (() => element.current?.matches(HELD) === true);
  const holds = before?.subject === subject && isIn();
  const rows = holds ? hold(before.rows, latest, keyOf, fills) : latest;
  shown.current = { subject, rows };
  return {
    rows,
    moved: holds ? ahead(rows.map(keyOf), latest.map(keyOf)) : 0,
    apply: () => {
      shown.current = null;
      redraw();
    },
    holds: isIn,
    box: {
      ref: (found) => {
        element.current = found;
      },
      onPointerLeave: () => redraw(),
      onFocusOut: () => redraw(),
    },
  };
}

/** Says how many rows wait, and shows them when it is clicked. */
export function HeldMark(props: { held: Held<unknown>; word: string }) {
  const { moved, apply } = props.held;
  return moved === 0 ? null : (
    <button
      type="button"
      class="text-button held-mark"
      title="The order stays while the pointer or the focus is in the list. A click takes the order of now."
      onClick={apply}
    >
      {moved} {props.word}
    </button>
  );
}
