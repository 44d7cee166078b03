// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The rows of a long list that are worth having in the document. */
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

/** Browsers draw no element that is much higher; a longer list is scrolled through faster than it is. */
const MAX_PIXELS = 8_000_000;

/** How high a list is drawn. */
export function listHeight(rows: number, rowHeight: number): number {
  return Math.min(MAX_PIXELS, rows * rowHeight);
}

/** The first row in view of a list that may be longer than it is drawn. */
export function firstRow(scrollTop: number, viewportHeight: number, rowHeight: number, rows: number): number {
  const height = listHeight(rows, rowHeight);
  const way = height - viewportHeight;
  if (way <= 0) {
    return 0;
  }
  const last = Math.max(0, rows - viewportHeight / rowHeight);
  return Math.floor(Math.min(1, Math.max(0, scrollTop / way)) * last);
}
