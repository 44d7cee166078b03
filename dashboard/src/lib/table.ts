// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Sorting and filtering of the table of actor classes. */
import type { ActorRow } from "./history";
import type { Quantile } from "./histogram";

export const COLUMNS = [
  "className",
  "live",
  "rate",
  "processingP50",
  "processingP99",
  "waitP50",
  "waitP99",
  "failed",
  "restarted",
] as const;
export type Column = (typeof COLUMNS)[number];

export interface Sorting {
  readonly column: Column;
  readonly descending: boolean;
}

const BUSIEST_FIRST: Sorting = { column: "rate", descending: true };

/** As the address has it: a column, with a minus before it to sort downwards. */
export function parseSorting(text: string): Sorting {
  const descending = text.startsWith("-");
  const column = COLUMNS.find((one) => one === (descending ? text.slice(1) : text));
  return column === undefined ? BUSIEST_FIRST : { column, descending };
}

export function sortingText(sorting: Sorting): string {
  const text = `${sorting.descending ? "-" : ""}${sorting.column}`;
  return text === "-rate" ? "" : text;
}

/** The order after a click on a column's head: names go up first, figures down; a second click turns it round. */
export function nextSorting(current: Sorting, column: Column): Sorting {
  return current.column === column
    ? { column, descending: !current.descending }
    : { column, descending: column !== "className" };
}

export function sortRows(rows: readonly ActorRow[], sorting: Sorting): readonly ActorRow[] {
  const sign = sorting.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    if (sorting.column === "className") {
      return sign * byName(a, b);
    }
    const left = figure(a, sorting.column);
    const right = figure(b, sorting.column);
    if (left === null || right === null) {
      // A figure that is not there is below every other in both directions.
      return left === right ? byName(a, b) : left === null ? 1 : -1;
    }
    return sign * (left - right) || byName(a, b);
  });
}

/** Rows whose class holds every word of the filter, whatever the case. */
export function filterRows<T extends { readonly className: string }>(rows: readonly T[], filter: string): readonly T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0
    ? rows
    : rows.filter((row) => {
        const name = row.className.toLowerCase();
        return words.every((word) => name.includes(word));
      });
}

function figure(row: ActorRow, column: Exclude<Column, "className">): number | null {
  switch (column) {
    case "live":
      return row.live;
    case "rate":
      return row.ratePerSecond;
    case "failed":
      return row.failed;
    case "restarted":
      return row.restarted;
    default:
      return nanos(row[column]);
  }
}

function nanos(quantile: Quantile | null): number | null {
  return quantile?.nanos ?? null;
}

function byName(a: ActorRow, b: ActorRow): number {
  return a.className.localeCompare(b.className) || a.system.localeCompare(b.system);
}
