// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The profile by message class: what `/api/v1/profile` answers, what of it the address shows, and how it is drawn. */
import { answer } from "./answers";
import type { Profile, ProfileRow, ProfileTree } from "./contract";
import { duration, plural } from "./format";

/** The kind of place in which a sample was found. */
export type ProfileKind = ProfileRow["kind"];

/** The figures of the flame graph, and the order of the table. */
export type ProfileTime = "cpu" | "wait" | "lock" | "io" | "sleep" | "park" | "allocation";

/** The parts of a message's time, in the order in which they are shown. */
export const PARTS = ["cpu", "lock", "io", "sleep", "park", "gc", "rest"] as const;

/** The shown part: of how long, and of which samples the flame graph is; empty for all messages. */
export interface ProfileChoice {
  readonly seconds: number;
  readonly kind: ProfileKind;
  readonly actorClass: string;
  readonly messageClass: string;
  /** The id of the only span that is asked for; empty for all. */
  readonly span: string;
  readonly time: ProfileTime;
}

export const PROFILE_HASH = "#/profile";
const SECONDS = 60;
const KINDS: readonly ProfileKind[] = ["message", "pekko", "unrecorded", "dispatcher", "other"];
export const TIMES: readonly ProfileTime[] = ["cpu", "wait", "lock", "io", "sleep", "park", "allocation"];
const WHOLE: ProfileChoice = {
  seconds: SECONDS,
  kind: "message",
  actorClass: "",
  messageClass: "",
  span: "",
  time: "cpu",
};

export function parseProfileHash(hash: string): ProfileChoice | null {
  if (hash !== PROFILE_HASH && !hash.startsWith(PROFILE_HASH + "?")) {
    return null;
  }
  const given = new URLSearchParams(hash.slice(PROFILE_HASH.length + 1));
  const seconds = Number(given.get("seconds") ?? SECONDS);
  return {
    seconds: Number.isInteger(seconds) && seconds >= 1 && seconds <= 600 ? seconds : SECONDS,
    kind: kindOf(given.get("kind")),
    actorClass: given.get("class") ?? "",
    messageClass: given.get("message") ?? "",
    span: given.get("span") ?? "",
    time: TIMES.find((time) => time === given.get("time")) ?? "cpu",
  };
}

/** The parameters of a profile: in the page's address and in the server's alike. */
export function profileParameters(choice: Partial<ProfileChoice>): URLSearchParams {
  const { seconds, kind, actorClass, messageClass, span, time } = { ...WHOLE, ...choice };
  const parameters = new URLSearchParams();
  if (seconds !== SECONDS) {
    parameters.set("seconds", String(seconds));
  }
  if (kind !== "message") {
    parameters.set("kind", kind);
  }
  if (actorClass !== "") {
    parameters.set("class", actorClass);
  }
  if (messageClass !== "") {
    parameters.set("message", messageClass);
  }
  if (span !== "") {
    parameters.set("span", span);
  }
  if (time !== "cpu") {
    parameters.set("time", time);
  }
  return parameters;
}

export function profileHash(choice: Partial<ProfileChoice> = {}): string {
  const text = profileParameters(choice).toString();
  return text === "" ? PROFILE_HASH : `${PROFILE_HASH}?${text}`;
}

function kindOf(value: unknown): ProfileKind {
  return KINDS.find((kind) => kind === value) ?? "message";
}

/** Columns that do not fit together are no tree. */
export function readProfile(value: unknown): Profile {
  const profile = answer("/api/v1/profile", value);
  const { parent, frame, total, self } = profile.tree;
  const fits =
    [frame, total, self].every((column) => column.length === parent.length) &&
    parent.every((of, node) => (node === 0 ? of === -1 : of >= 0 && of < node));
  return fits ? profile : { ...profile, tree: { ...profile.tree, parent: [], frame: [], total: [], self: [] } };
}

/** How long the messages of a row were in a part of their time. */
export function partOf(row: ProfileRow, part: (typeof PARTS)[number]): number {
  return row[`${part}Nanos`] ?? 0;
}

/** So much of what a flame graph adds up. */
export function amount(time: ProfileTime, of: number): string {
  return time === "cpu" ? plural(of, "sample") : time === "allocation" ? size(of) : duration(of);
}

/** As `1.4 MiB`. */
export function size(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const number = bytes / 1024 ** power;
  return `${number.toFixed(power === 0 || number >= 10 ? 0 : 1)} ${units[power]}`;
}

/** The reason of a wait, with classes as one reads them: neither addresses nor files are changed. */
export function causeName(time: string, on: string): string {
  return time === "lock" || time === "park" ? on.replace(/\b(?:[\w$]+\.)+(?=[\w$])/g, "").replaceAll("$", ".") : on;
}

/** One box of a flame graph; places are shares of the whole width. */
export interface FlameBox {
  readonly node: number;
  readonly depth: number;
  readonly left: number;
  readonly width: number;
}

/** The children of each node, those with the most samples first. */
export function childrenOf(of: ProfileTree): readonly (readonly number[])[] {
  const children: number[][] = of.parent.map(() => []);
  of.parent.forEach((parent, node) => {
    if (node > 0) {
      children[parent]?.push(node);
    }
  });
  for (const some of children) {
    some.sort((a, b) => (of.total[b] ?? 0) - (of.total[a] ?? 0) || name(of, a).localeCompare(name(of, b)));
  }
  return children;
}

function name(of: ProfileTree, node: number): string {
  return of.frames[of.frame[node] ?? -1] ?? "";
}

/**
 * Where the boxes are. The chosen node has the whole width, and so have those above it; what is narrower than the
 * least share is left out.
 */
export function layout(of: ProfileTree, chosen: number, least: number): readonly FlameBox[] {
  if (of.parent.length === 0 || (of.total[chosen] ?? 0) === 0) {
    return [];
  }
  const boxes: FlameBox[] = [];
  const above: number[] = [];
  for (let at = of.parent[chosen] ?? -1; at >= 0; at = of.parent[at] ?? -1) {
    above.unshift(at);
  }
  above.forEach((node, depth) => boxes.push({ node, depth, left: 0, width: 1 }));
  const children = childrenOf(of);
  const whole = of.total[chosen] ?? 1;
  const open: FlameBox[] = [{ node: chosen, depth: above.length, left: 0, width: 1 }];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    boxes.push(box);
    let left = box.left;
    for (const child of children[box.node] ?? []) {
      const width = (of.total[child] ?? 0) / whole;
      if (width >= least) {
        open.push({ node: child, depth: box.depth + 1, left, width });
      }
      left += width;
    }
  }
  return boxes;
}

const CAUSES = /^(lock of|parked for|notification by) /;

/** A frame as it is read: the class without its package, and the method; or the reason of a wait. */
export function frameName(frame: string): string {
  if (frame.includes(" ")) {
    return causeName(CAUSES.test(frame) ? "lock" : "", frame);
  }
  const parts = frame.split(".");
  return parts.length <= 2 ? frame : parts.slice(-2).join(".");
}

const LIBRARIES = /^(java|javax|jdk|sun|scala|kotlin|org\.apache\.pekko|akka|io\.deimos|io\.opentelemetry)\b/;

/** Whether a frame is of the JDK, of Scala, of Pekko or ours, and not the application's. */
export function isLibrary(frame: string): boolean {
  return LIBRARIES.test(frame);
}
