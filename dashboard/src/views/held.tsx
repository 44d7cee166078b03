// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Keeps the order of a list while the pointer or the focus is in its rows, and says what has changed since. */
import { useReducer, useRef } from "preact/hooks";
import { ahead, hold } from "../lib/held";

export interface Held<T> {
  readonly rows: readonly T[];
  /** How many rows are elsewhere, or not yet shown. */
  readonly moved: number;
  /** Takes the order of now. */
  readonly apply: () => void;
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
 *   new rows come at the end meanwhile
 */
export function useHeld<T>(
  latest: readonly T[],
  keyOf: (row: T) => string,
  options: { readonly subject: string; readonly fills?: boolean },
): Held<T> {
  const { subject, fills = false } = options;
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  const element = useRef<HTMLElement | null>(null);
  const shown = useRef<{ readonly subject: string; readonly rows: readonly T[] } | null>(null);
  const before = shown.current;
  const holds = before?.subject === subject && element.current?.matches(":hover, :focus-within") === true;
  const rows = holds ? hold(before.rows, latest, keyOf, fills) : latest;
  shown.current = { subject, rows };
  return {
    rows,
    moved: holds ? ahead(rows.map(keyOf), latest.map(keyOf)) : 0,
    apply: () => {
      shown.current = null;
      redraw();
    },
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
