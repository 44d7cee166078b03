// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Numbers, times and class names as a reader wants them: few digits, one unit, never ambiguous. */
import type { Quantile } from "./histogram";

export const NOTHING = "–";

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function count(n: number): string {
  return WHOLE.format(n);
}

/** A count in at most five characters, for places where the exact one stands beside it. */
export function shortCount(n: number): string {
  if (n < 10_000) {
    return WHOLE.format(n);
  }
  const [value, unit] = n < 1e6 ? [n / 1e3, "k"] : n < 1e9 ? [n / 1e6, "M"] : [n / 1e9, "G"];
  return significant(value) + unit;
}

export function rate(perSecond: number | null): string {
  if (perSecond === null) {
    return NOTHING;
  }
  if (perSecond === 0) {
    return "0";
  }
  if (perSecond < 0.1) {
    return "<0.1";
  }
  return perSecond < 100 ? perSecond.toFixed(1) : shortCount(Math.round(perSecond));
}

/** Three significant digits in the unit that fits, from nanoseconds to hours. */
export function duration(nanos: number): string {
  if (nanos < 0) {
    return "−" + duration(-nanos);
  }
  if (nanos < 999.5) {
    return `${Math.round(nanos)} ns`;
  }
  if (nanos < 999_500) {
    return `${significant(nanos / 1e3)} µs`;
  }
  if (nanos < 999_500_000) {
    return `${significant(nanos / 1e6)} ms`;
  }
  if (nanos < 60e9) {
    return `${significant(nanos / 1e9)} s`;
  }
  return uptime(nanos / 1e6);
}

/** A duration that is known to be round, without the zeros that say so: `20 ms`. */
export function roundDuration(nanos: number): string {
  return duration(nanos)
    .replace(/(\.\d*?)0+(?= )/, "$1")
    .replace(/\.(?= )/, "");
}

export function quantileText(quantile: Quantile | null): string {
  if (quantile === null) {
    return NOTHING;
  }
  return (quantile.atLeast ? "≥ " : "") + duration(quantile.nanos);
}

/** `3 d 4 h`, `2 h 05 min`, `4 min 09 s`, `12 s`. */
export function uptime(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) {
    return `${days} d ${hours % 24} h`;
  }
  if (hours > 0) {
    return `${hours} h ${two(minutes % 60)} min`;
  }
  return minutes > 0 ? `${minutes} min ${two(seconds % 60)} s` : `${seconds} s`;
}

/** The rest of a time: `4:32`, or `1:04:32` from an hour on. It is zero only when nothing is left. */
export function countdown(millis: number): string {
  const seconds = Math.ceil(Math.max(0, millis) / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Local time of day, `14:02:11` or `14:02:11.042`. */
export function timeOfDay(epochMillis: number, withMillis = false): string {
  const date = new Date(epochMillis);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return withMillis ? `${time}.${String(date.getMilliseconds()).padStart(3, "0")}` : time;
}

export interface ClassName {
  /** With its last dot; empty in the default package. */
  readonly packagePrefix: string;
  /** Nested classes by a dot, as they are written in the source. */
  readonly simple: string;
}

/** Splits a binary class name: `shop.ShoppingCart$AddItem` is `AddItem` of `ShoppingCart` in `shop.`. */
export function className(binary: string): ClassName {
  const dot = binary.lastIndexOf(".");
  const simple = binary
    .slice(dot + 1)
    .replace(/\$+$/, "")
    .replace(/\$+/g, ".");
  return { packagePrefix: binary.slice(0, dot + 1), simple: simple === "" ? binary : simple };
}

/** The last part alone: `AddItem`. */
export function innermost(binary: string): string {
  const { simple } = className(binary);
  const last = simple.slice(simple.lastIndexOf(".") + 1);
  // An anonymous or local class is a number, which says nothing without the class around it.
  return /^\d/.test(last) ? simple : last;
}

/** An instrumentation scope without what all of them share: `pekko-http-1.0`. */
export function scopeName(scope: string): string {
  return scope.replace(/^io\.(opentelemetry|deimos)\./, "") || "unnamed scope";
}

export function plural(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

function significant(value: number): string {
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return value.toFixed(digits);
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
