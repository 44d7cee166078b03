// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Reads answers of the interface. Nothing an answer holds can break the page: a field that is missing or of the wrong
 * type becomes its empty value, and only an answer that is no object at all is refused.
 */

/** Makes a value of its type of anything. */
export type Reader<T> = (value: unknown) => T;
/** The type of what a reader reads. */
export type Of<R> = R extends Reader<infer T> ? T : never;
type Fields = Readonly<Record<string, Reader<unknown>>>;
export type Json = Readonly<Record<string, unknown>>;

export const text: Reader<string> = (value) => (typeof value === "string" ? value : "");
export const number: Reader<number> = (value) => (kindOf(value) === "number" ? (value as number) : 0);
export const flag: Reader<boolean> = (value) => value === true;
export const any: Reader<unknown> = (value) => value;

/** A value that is no text becomes the first choice; one that a newer process has more stays. */
export function oneOf<T extends string>(...[first]: readonly [T, ...T[]]): Reader<T> {
  return (value) => (typeof value === "string" ? (value as T) : first);
}

export function list<T>(of: Reader<T>): Reader<readonly T[]> {
  return (value) => listIn(value, of);
}

/** Objects made from entries keep a key like `__proto__` as any other. */
export function map<T>(of: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value) => Object.fromEntries(Object.entries(objectIn(value)).map(([key, one]) => [key, of(one)]));
}

export function object<F extends Fields>(fields: F): Reader<{ readonly [K in keyof F]: Of<F[K]> }> {
  const readers = Object.entries(fields);
  return (value) => {
    const json = objectIn(value);
    return Object.fromEntries(readers.map(([name, of]) => [name, of(json[name])])) as {
      readonly [K in keyof F]: Of<F[K]>;
    };
  };
}

/** Null for what is not known: what is missing, of another type, or an empty text. */
export function orNull<T>(of: Reader<T>): Reader<T | null> {
  const kind = kindOf(of(undefined));
  return (value) => (value !== "" && kindOf(value) === kind ? of(value) : null);
}

/** A field that is not always there. */
export function optional<T>(of: Reader<T>): Reader<T | null> {
  return (value) => (value === undefined ? null : of(value));
}

/** Milliseconds with their fraction, of nanoseconds since 1970 that are too many for a double. */
export function epochMillis(value: unknown): number {
  const digits = typeof value === "number" ? String(Math.trunc(value)) : text(value);
  if (!/^\d{1,30}$/.test(digits)) {
    return 0;
  }
  const nanos = BigInt(digits);
  return Number(nanos / 1_000_000n) + Number(nanos % 1_000_000n) / 1e6;
}

export function kindOf(value: unknown): "array" | "object" | "string" | "number" | "boolean" | "none" {
  if (Array.isArray(value)) {
    return "array";
  }
  const type = typeof value;
  if (type === "number") {
    return Number.isFinite(value) ? type : "none";
  }
  return value !== null && (type === "object" || type === "string" || type === "boolean") ? type : "none";
}

export function objectIn(value: unknown): Json {
  return kindOf(value) === "object" ? (value as Json) : {};
}

export function listIn<T>(value: unknown, of: Reader<T>): readonly T[] {
  return Array.isArray(value) ? value.map((element: unknown) => of(element)) : [];
}
