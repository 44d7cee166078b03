// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Words for a conversation: for those who hear it, and as a sequence diagram of Mermaid. */
import type { Conversation, Lane, Message, Step } from "./conversation";
import { count, duration, plural } from "./format";

/** The text beside an arrow: how long it waited, how long it took, how often. */
export function times(message: Message): string {
  const most = message.times > 1 ? "≤ " : "";
  const parts = [
    ...(message.times > 1 ? [`× ${count(message.times)}`] : []),
    ...(message.waitNanos === null
      ? []
      : [`${message.stashed ? "stashed" : "waits"} ${most}${duration(message.waitNanos)}`]),
    ...(message.workNanos === null
      ? []
      : [`${message.kind === "answer" ? "after" : "takes"} ${most}${duration(message.workNanos)}`]),
  ];
  return parts.join(", ");
}

/** A step as a sentence. */
export function said(step: Step, lanes: readonly Lane[], node: (lane: Lane) => string): string {
  if (step.kind === "gap") {
    return `${duration(step.nanos)} without a message`;
  }
  if (step.kind === "more") {
    return `${plural(step.messages, "more message")}, ${count(step.failed)} of them failed`;
  }
  const who = (at: number) => {
    const lane = lanes[at];
    return lane === undefined ? "" : [lane.label, lane.detail, node(lane)].filter((part) => part !== "").join(" ");
  };
  const verb = { tell: "tells", ask: "asks", call: "calls", answer: "answers", work: "does", dead: "loses" }[step.kind];
  const whom = step.from === step.to ? (step.kind === "work" ? "" : " itself") : ` ${who(step.to)}`;
  const failed = step.failed === null ? "" : `, failed: ${step.failed}`;
  const facts = times(step);
  return `${duration(step.atNanos)}: ${who(step.from)} ${verb}${whom}: ${step.label}${facts === "" ? "" : `, ${facts}`}${failed}`;
}

/**
 * The text of a sequence diagram. Names are escaped: of the characters that are neither letters nor digits, those that
 * Mermaid might read as its own go as `#code;`.
 */
export function mermaid({ lanes, steps }: Conversation, node: (lane: Lane) => string): string {
  const lines = ["sequenceDiagram"];
  lanes.forEach((lane, i) => {
    const parts = [lane.label, lane.detail, node(lane)].filter((part) => part !== "").map(escaped);
    lines.push(`participant p${i} as ${parts.join("<br/>") || "unnamed"}`);
  });
  const last = Math.max(0, lanes.length - 1);
  const over = last === 0 ? "p0" : `p0,p${last}`;
  for (const step of steps) {
    if (step.kind === "gap" || step.kind === "more") {
      lines.push(`Note over ${over}: ${escaped(said(step, lanes, node))}`);
      continue;
    }
    const dotted = step.kind === "answer" ? "-" : "";
    const arrow = step.failed === null ? `${dotted}->>` : `${dotted}-x`;
    const facts = times(step);
    const words = [step.label, ...(facts === "" ? [] : [`(${facts})`]), ...(step.failed === null ? [] : [step.failed])];
    lines.push(`p${step.from}${arrow}p${step.to}: ${escaped(words.join(" "))}`);
  }
  return lines.map((line, i) => (i === 0 ? line : `  ${line}`)).join("\n") + "\n";
}

const PLAIN = /[\p{L}\p{N} _.,/()[\]'*@=?!+≤×…–-]/u;

function escaped(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return [...(flat === "" ? "unnamed" : flat)]
    .map((char) => (PLAIN.test(char) ? char : `#${char.codePointAt(0) ?? 0};`))
    .join("");
}
