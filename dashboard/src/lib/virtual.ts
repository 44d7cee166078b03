// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Which rows of a long list are worth having in the document. */
export interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The rows a viewport shows, with `overscan` more on each side. */
export function visibleRange(
  scrollTop: number,
  viewportHeight: number,
  rowHeight: number,
  rows: number,
  overscan = 12,
): Range {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const shown = Math.ceil(Math.max(0, viewportHeight) / rowHeight);
  const from = Math.max(0, Math.min(first, rows) - overscan);
  return { from, to: Math.min(rows, first + shown + overscan) };
}

/** Where to scroll so that a row is wholly shown; the same place when it is already. */
export function scrollToShow(row: number, scrollTop: number, viewportHeight: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) {
    return top;
  }
  return Math.max(scrollTop, top + rowHeight - viewportHeight);
}
