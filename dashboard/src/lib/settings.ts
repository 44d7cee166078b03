// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The settings in sections, by what they are about. */
import type { Setting } from "./contract";
import { sentence } from "./marked";

export interface Section {
  readonly title: string;
  readonly settings: readonly Setting[];
}

/** By the word of the key after `deimos.`; the last section has all others. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ["Tracing", ["tracing", "sampling", "persistence"]],
  ["Chosen actors and messages", ["actors", "actor-classes", "messages", "filter", "content"]],
  ["Metrics", ["metrics"]],
  ["Incidents and findings", ["forensics", "stuck", "starvation", "check", "dump"]],
  ["This page", ["page", "observer", "profile"]],
  ["The whole", []],
];

export function sectionsOf(settings: readonly Setting[]): readonly Section[] {
  const rest = SECTIONS.at(-1)?.[0] ?? "";
  const titleOf = ({ key }: Setting) =>
    SECTIONS.find(([, words]) => words.includes(key.split(".")[1] ?? ""))?.[0] ?? rest;
  return SECTIONS.map(([title]) => ({ title, settings: settings.filter((one) => titleOf(one) === title) })).filter(
    (section) => section.settings.length > 0,
  );
}

/** The effect of a setting: its first sentence, and the others. */
export function shortly(does: string): { readonly first: string; readonly rest: string } {
  const whole = sentence(does);
  const end = /[.;:] (?=[A-Z`[])/.exec(whole);
  return end === null
    ? { first: whole, rest: "" }
    : { first: whole.slice(0, end.index) + ".", rest: whole.slice(end.index + 2) };
}
