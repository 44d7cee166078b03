// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Traces as OTLP writes them in JSON: to a file that other tools read, and back from theirs. */
import type { Span, Trace } from "./contract";
import { type Json, listIn, objectIn, text } from "./read";

type Attributes = Span["attributes"];

const KINDS = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const STATUSES = ["UNSET", "OK", "ERROR"];
const WAITS = ["pekko.stash.wait", "pekko.mailbox.wait"];
const ID = /^[0-9a-f]{32}$/i;
const SPAN_ID = /^[0-9a-f]{16}$/i;

/** Files with more are refused, so that the page stays smooth. */
export const MAX_BYTES = 64 << 20;
export const MAX_SPANS = 200_000;

/** A trace as an OTLP request for traces. */
export function toOtlp(trace: Trace, service: string): object {
  const scopes = new Map<string, object[]>();
  for (const span of trace.spans) {
    const spans = scopes.get(span.scope) ?? [];
    spans.push(otlpSpan(trace, span));
    scopes.set(span.scope, spans);
  }
  return {
    resourceSpans: [
      {
        resource: { attributes: otlpAttributes({ "service.name": service }) },
        scopeSpans: [...scopes].map(([name, spans]) => ({ scope: { name }, spans })),
      },
    ],
  };
}

function otlpSpan(trace: Trace, span: Span): object {
  return {
    traceId: trace.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: Math.max(0, KINDS.indexOf(span.kind)),
    startTimeUnixNano: unixNanos(trace, span.offsetNanos),
    endTimeUnixNano: unixNanos(trace, span.offsetNanos + span.durationNanos),
    attributes: otlpAttributes(span.attributes),
    events: span.events.map((event) => ({
      timeUnixNano: unixNanos(trace, event.offsetNanos),
      name: event.name,
      attributes: otlpAttributes(event.attributes),
    })),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    status: {
      code: Math.max(0, STATUSES.indexOf(span.status)),
      ...(span.statusMessage === "" ? {} : { message: span.statusMessage }),
    },
  };
}

function unixNanos(trace: Trace, offsetNanos: number): string {
  return String(nanos(trace.startEpochNanos) + BigInt(Math.round(offsetNanos)));
}

function otlpAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: unknown): object {
  if (typeof value === "boolean") {
    return { boolValue: value };
  }
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) {
    return { arrayValue: { values: value.map(otlpValue) } };
  }
  return { stringValue: typeof value === "string" ? value : JSON.stringify(value) };
}

/**
 * The traces in a file: one OTLP request as JSON, or one in each line.
 *
 * @throws Error with a sentence for the reader, if it holds none
 */
export function fromOtlp(file: string): Trace[] {
  const found = new Map<string, Found[]>();
  let spans = 0;
  for (const request of requests(file)) {
    for (const ofResource of listIn(request["resourceSpans"], objectIn)) {
      for (const ofScope of listIn(ofResource["scopeSpans"], objectIn)) {
        const scope = text(objectIn(ofScope["scope"])["name"]);
        for (const json of listIn(ofScope["spans"], objectIn)) {
          const traceId = text(json["traceId"]).toLowerCase();
          const spanId = text(json["spanId"]).toLowerCase();
          if (!ID.test(traceId) || !SPAN_ID.test(spanId)) {
            throw new Error("a span in the file has no trace id or span id of hexadecimal digits");
          }
          if (++spans > MAX_SPANS) {
            throw new Error(`the file has more than ${MAX_SPANS} spans`);
          }
          const ofTrace = found.get(traceId) ?? [];
          ofTrace.push({ json, spanId, scope, start: nanos(json["startTimeUnixNano"]) });
          found.set(traceId, ofTrace);
        }
      }
    }
  }
  if (found.size === 0) {
    throw new Error("there are no spans in the file; it has to be traces in OTLP's JSON (resourceSpans)");
  }
  return [...found].map(([traceId, ofTrace]) => trace(traceId, ofTrace));
}

interface Found {
  readonly json: Json;
  readonly spanId: string;
  readonly scope: string;
  readonly start: bigint;
}

function requests(file: string): Json[] {
  try {
    return [objectIn(JSON.parse(file))];
  } catch {
    const lines = file.split("\n").filter((line) => line.trim() !== "");
    try {
      return lines.map((line) => objectIn(JSON.parse(line)));
    } catch {
      throw new Error("the file is no JSON");
    }
  }
}

function trace(traceId: string, found: Found[]): Trace {
  const first = found.reduce((least, one) => (one.start < least ? one.start : least), found[0]?.start ?? 0n);
  const spans = found.map((one) => span(one, first)).sort((a, b) => a.offsetNanos - b.offsetNanos);
  const ids = new Set(spans.map((one) => one.spanId));
  const root = spans.find((one) => one.parentSpanId === null) ?? spans[0];
  return {
    traceId,
    name: root?.name ?? "",
    complete: spans.every((one) => one.parentSpanId === null || ids.has(one.parentSpanId)),
    reduced: false,
    running: false,
    startEpochNanos: String(first),
    durationNanos: spans.reduce((end, one) => Math.max(end, one.offsetNanos + one.durationNanos), 0),
    truncated: 0,
    clocks: [],
    spansLeftOut: 0,
    spans,
  };
}

function span({ json, spanId, scope, start }: Found, first: bigint): Span {
  const parent = text(json["parentSpanId"]).toLowerCase();
  const attributes = readAttributes(json["attributes"]);
  const durationNanos = Math.max(0, Number(nanos(json["endTimeUnixNano"]) - start));
  const wait = WAITS.map((name) => attributes[name]).find((value) => typeof value === "number");
  const status = objectIn(json["status"]);
  return {
    spanId,
    parentSpanId: SPAN_ID.test(parent) && !/^0+$/.test(parent) ? parent : null,
    name: text(json["name"]),
    kind: numbered(json["kind"], KINDS, "SPAN_KIND_"),
    scope,
    node: null,
    offsetNanos: Number(start - first),
    durationNanos,
    waitNanos: typeof wait === "number" ? Math.min(durationNanos, Math.max(0, Math.round(wait * 1e9))) : null,
    status: numbered(status["code"], STATUSES, "STATUS_CODE_"),
    statusMessage: text(status["message"]),
    attributes,
    events: listIn(json["events"], (event) => readEvent(event, first)),
    links: listIn(json["links"], (link) => ({
      traceId: text(objectIn(link)["traceId"]).toLowerCase(),
      spanId: text(objectIn(link)["spanId"]).toLowerCase(),
    })),
  };
}

function readEvent(value: unknown, first: bigint): Span["events"][number] {
  const json = objectIn(value);
  return {
    name: text(json["name"]),
    offsetNanos: Number(nanos(json["timeUnixNano"]) - first),
    attributes: readAttributes(json["attributes"]),
  };
}

/** An enumeration's value, which may be its number or its name. */
function numbered(value: unknown, names: readonly string[], prefix: string): string {
  const name = typeof value === "number" ? names[value] : text(value).replace(prefix, "");
  return name !== undefined && names.includes(name) ? name : (names[0] ?? "");
}

function nanos(value: unknown): bigint {
  const digits = typeof value === "number" ? String(Math.trunc(value)) : text(value);
  return /^\d{1,20}$/.test(digits) ? BigInt(digits) : 0n;
}

function readAttributes(value: unknown): Attributes {
  return Object.fromEntries(
    listIn(value, objectIn).map((one): [string, unknown] => [text(one["key"]), readValue(objectIn(one["value"]))]),
  );
}

function readValue(value: Json): unknown {
  if ("intValue" in value || "doubleValue" in value) {
    const number = Number(value["intValue"] ?? value["doubleValue"]);
    return Number.isSafeInteger(number) || !("intValue" in value) ? number : String(value["intValue"]);
  }
  if ("arrayValue" in value) {
    return listIn(objectIn(value["arrayValue"])["values"], (one) => readValue(objectIn(one)));
  }
  if ("kvlistValue" in value) {
    return readAttributes(objectIn(value["kvlistValue"])["values"]);
  }
  return typeof value["boolValue"] === "boolean" ? value["boolValue"] : text(value["stringValue"]);
}
