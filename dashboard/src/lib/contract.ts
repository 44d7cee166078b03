// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the page reads from the agent's `/api`. Durations are nanoseconds unless the name says otherwise;
 * counters are cumulative since the JVM started. Values of these types come from `decode.ts` only.
 */

export interface Histogram {
  readonly count: number;
  readonly sumNanos: number;
  /** One entry more than there are bounds: the last one counts what lies above them all. */
  readonly buckets: readonly number[];
}

export interface MessageStats {
  readonly className: string;
  readonly processed: number;
  readonly failed: number;
  readonly processing: Histogram;
  readonly wait: Histogram;
}

export interface ActorStats {
  readonly className: string;
  readonly system: string;
  readonly live: number;
  readonly started: number;
  readonly stopped: number;
  readonly restarted: number;
  readonly failed: number;
  readonly messages: readonly MessageStats[];
}

export interface FailureStats {
  readonly actorClass: string;
  readonly errorType: string;
  readonly count: number;
}

export interface AskStats {
  readonly className: string;
  readonly count: number;
  readonly timeouts: number;
  readonly duration: Histogram;
}

export interface RecorderStats {
  readonly messages: number;
  readonly spansRecorded: number;
  readonly spansExported: number;
  readonly spansDropped: number;
  readonly tracesKept: number;
  /** Traces that the guard ended. */
  readonly tracesCut: number;
  /** Failures inside Deimos. */
  readonly faults: number;
  /** What is counted together as `other`, about: classes of actors, and pairs of actor and message class. */
  readonly folded: { readonly actorClasses: number; readonly messagePairs: number };
  readonly export: string;
  readonly store: StoreStats;
  readonly tail: TailStats;
}

/** What the page's store was given and does not hold. */
export interface StoreStats {
  /** Of new traces, that are admitted now. */
  readonly admittedShare: number;
  readonly spansKept: number;
  readonly spansNotKept: number;
  readonly errorsNotKept: number;
  readonly spansTruncated: number;
  /** Ordinary traces beyond the limit, and their spans. */
  readonly tracesLetGo: number;
  readonly spansLetGo: number;
  /** Traces with trouble of which only the way to the trouble is left, and the spans they lost. */
  readonly tracesThinned: number;
  readonly spansThinned: number;
  readonly tracesEvicted: number;
  /** Those among them with trouble. */
  readonly troubleEvicted: number;
  readonly spansEvicted: number;
  /** For how long traces with trouble stay whole now. */
  readonly troubleWholeNanos: number;
  /** The limits, as set. */
  readonly tracesPerSecond: number;
  readonly roomForSpans: number;
}

/** What tail sampling decided, by reason. */
export interface TailStats {
  readonly spansHeld: number;
  readonly spansKept: Counts;
  readonly spansLetGo: Counts;
}

export type Counts = Readonly<Record<string, number>>;

/** One line of `/api/settings`. */
export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly default: string;
  /** What a value has to be, in words. */
  readonly values: string;
  /** All the values there are; empty if they are many. */
  readonly choices: readonly string[];
  readonly does: string;
  readonly costs: string;
  readonly source: string;
  readonly mayChange: boolean;
  /** Whether it was set on the page, by itself or by a preset. */
  readonly changedHere: boolean;
  /** The preset that its value comes from; empty if from none. */
  readonly preset: string;
  /** In how many milliseconds it goes back by itself; null for never. */
  readonly leftMillis: number | null;
}

/** What a preset makes of a setting. */
export interface PresetSetting {
  readonly key: string;
  readonly now: string;
  /** What it would be if the preset began now. */
  readonly then: string;
}

/** Settings that are changed together. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly does: string;
  readonly costs: string;
  /** How long it holds if nobody says; null for until it is ended. */
  readonly forMillis: number | null;
  readonly settings: readonly PresetSetting[];
  /** Why it cannot begin now; empty if it can. */
  readonly refused: string;
}

/** What was changed on the page and holds: a preset, or a setting with its value. */
export interface PageChange {
  readonly id: string;
  readonly preset: string;
  readonly key: string;
  readonly value: string;
  readonly sinceMillis: number;
  readonly leftMillis: number | null;
  readonly by: string;
}

/** What somebody did to the settings. */
export interface SettingsEntry {
  readonly atMillis: number;
  readonly by: string;
  readonly what: string;
  readonly settings: readonly { readonly key: string; readonly from: string; readonly to: string }[];
  readonly leftOut: number;
}

/** One answer of `/api/settings`. */
export interface Settings {
  /** Whether this page may change them; `token`: not without the token, or another one. */
  readonly control: "off" | "token" | "on";
  readonly settings: readonly Setting[];
  readonly presets: readonly Preset[];
  /** A later one lies over an earlier one. */
  readonly changes: readonly PageChange[];
  /** The latest first. */
  readonly history: readonly SettingsEntry[];
}

export interface HookReport {
  readonly state: "pending" | "ok" | "missing";
  readonly ok: number;
  readonly total: number;
  readonly missing: readonly string[];
}

/** One answer of `/api/state`. */
export interface State {
  readonly service: string;
  readonly systems: readonly string[];
  readonly version: string;
  readonly pekkoVersion: string;
  readonly jdk: string;
  readonly startedAtMillis: number;
  readonly nowMillis: number;
  /** Whether a profile is being made. */
  readonly profiling: boolean;
  readonly recorder: RecorderStats;
  readonly hooks: HookReport;
  readonly problems: readonly string[];
  /** Those that hold now, the strongest last. */
  readonly presets: readonly PageChange[];
  readonly totals: {
    readonly actorsLive: number;
    /** Without those that Pekko suppresses, and does not log. */
    readonly deadLetters: number;
    readonly deadLettersSuppressed: number;
    readonly unhandled: number;
    readonly dropped: number;
    /** Messages in processing for longer than the threshold now. */
    readonly stuckNow: number;
    /** Of all actors, also of classes that are not among the rows. */
    readonly classes: number;
    readonly failed: number;
    /** How many rows of failures there would be, and how many exceptions. */
    readonly failures: number;
    readonly errorTypes: number;
    readonly processing: Histogram;
    readonly wait: Histogram;
  };
  readonly boundsSeconds: readonly number[];
  readonly actors: readonly ActorStats[];
  readonly failures: readonly FailureStats[];
  readonly asks: readonly AskStats[];
  readonly remote: readonly PeerStats[];
}

/** One stream with one peer in one direction, since the start of its actor system. */
export interface PeerStats {
  readonly system: string;
  readonly peer: string;
  readonly direction: "in" | "out";
  readonly stream: string;
  readonly connected: boolean;
  readonly messages: number;
  readonly bytes: number;
  readonly flushes: number;
  /** 0 while the transport's clocks are off, as the next one. */
  readonly flushNanos: number;
  readonly codecNanos: number;
  /** Messages that wait to be sent, or bytes that wait to be decoded. */
  readonly queued: number;
  readonly dropped: number;
  readonly reconnects: number;
}

/** One line of `/api/traces`. */
export interface TraceSummary {
  readonly traceId: string;
  readonly name: string;
  readonly startEpochMillis: number;
  readonly durationNanos: number;
  readonly spans: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Spans with a dead letter or a stuck actor in them. */
  readonly incidents: number;
  readonly complete: boolean;
  /** Whether only what shows its trouble is left, to save room. */
  readonly reduced: boolean;
  /** Neither complete nor quiet. */
  readonly running: boolean;
  readonly actorClasses: readonly string[];
  /** Of how many processes its spans are. */
  readonly nodes: number;
}

export type AttributeValue = string | number | boolean | readonly unknown[] | object | null;
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface SpanEvent {
  readonly name: string;
  readonly offsetNanos: number;
  readonly attributes: Attributes;
}

export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
}

export interface Span {
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: string;
  readonly scope: string;
  /** The id of the process that sent it; empty for the one that answered. */
  readonly node: string;
  /** From the trace's start. */
  readonly offsetNanos: number;
  readonly durationNanos: number;
  /** The first part of the duration, spent in the mailbox; null where there is no mailbox. */
  readonly waitNanos: number | null;
  readonly status: "UNSET" | "OK" | "ERROR";
  readonly statusMessage: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
}

/** One answer of `/api/traces/{traceId}`. */
export interface Trace {
  readonly traceId: string;
  /** As the list has it; empty if the server does not say. */
  readonly name: string;
  readonly complete: boolean;
  readonly reduced: boolean;
  readonly running: boolean;
  readonly startEpochMillis: number;
  readonly durationNanos: number;
  /** Processes whose times are corrected, since their clock is not the page's. */
  readonly clocks: readonly { readonly node: string; readonly offsetNanos: number }[];
  readonly spans: readonly Span[];
}

/** Why a trace is not here, in the server's words. */
export interface Absent {
  readonly absent: string;
}

/** One answer of `/api/history`: what the charts show of the time before the page was opened. */
export interface Past {
  readonly seconds: readonly number[];
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
}

/** One example of what went wrong. */
export interface TroubleExample {
  readonly atMillis: number | null;
  /** What happened, as a sentence. */
  readonly story: string;
  readonly actorPath: string | null;
  readonly senderPath: string | null;
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly stack: string | null;
  /** What the actor had processed before, newest first; empty if that is not kept. */
  readonly before: readonly Received[];
}

/** Things of one kind that went wrong. */
export interface TroubleGroup {
  readonly id: string;
  /** The process in which it happened; empty for the page's own. */
  readonly node: string;
  readonly kind: string;
  readonly actorClass: string | null;
  readonly messageClass: string | null;
  readonly why: string | null;
  readonly count: number;
  readonly firstMillis: number | null;
  readonly lastMillis: number | null;
  readonly latest: TroubleExample | null;
}

/** One answer of `/api/v1/trouble`. */
export interface TroubleList {
  readonly total: number;
  readonly stuckNow: number;
  /** How many groups had to make room for others. */
  readonly groupsLetGo: number;
  /** Of each kind, how often. */
  readonly kinds: Counts;
  readonly groups: readonly TroubleGroup[];
}

/** One living actor, as lists have it. What is not known is null. */
export interface ActorLine {
  readonly id: number;
  readonly path: string;
  readonly className: string;
  /** One of Pekko's own. */
  readonly pekko: boolean;
  /** The group of paths that it belongs to; null for none. */
  readonly group: string | null;
  readonly mailbox: number | null;
  readonly children: number | null;
  readonly ratePerSecond: number;
  /** In [0, 1]. */
  readonly busyShare: number;
  readonly waitP99Nanos: number | null;
  readonly messages: number;
  readonly failures: number;
  readonly restarts: number;
  readonly madeAtMillis: number;
}

/** What stands behind the class `other`. */
export interface OtherClasses {
  readonly classes: number;
  /** Those with the most living actors. */
  readonly most: readonly { readonly className: string; readonly living: number }[];
}

/** One answer of `/api/v1/actors`: a part of a list. */
export interface ActorsPage {
  readonly nowMillis: number;
  readonly total: number;
  readonly living: number;
  readonly offset: number;
  readonly known: {
    /** The share of messages that have records, which rates and waits are made of; null if not known. */
    readonly recordedShare: number | null;
    /** Into how many mailboxes somebody has looked. */
    readonly mailboxes: number;
    /** Messages that were left out to save time. */
    readonly leftOut: number;
  };
  /** Of which classes they are, if they are those that are counted together; else null. */
  readonly other: OtherClasses | null;
  /** What was not looked at, a sentence each. */
  readonly notLookedAt: readonly string[];
  readonly actors: readonly ActorLine[];
}

/** A message that an actor has processed. */
export interface Received {
  readonly startEpochMillis: number;
  readonly className: string;
  readonly senderPath: string | null;
  /** Whether an actor sent it, if only one that has stopped. */
  readonly byActor: boolean;
  readonly waitNanos: number | null;
  readonly processingNanos: number;
  readonly failed: boolean;
  readonly traceId: string;
  readonly spanId: string;
}

/** Another actor that an actor writes to, or is written to by. */
export interface Peer {
  readonly id: number;
  readonly path: string | null;
  readonly className: string;
  readonly messages: number;
  readonly failures: number;
}

/** One answer of `/api/v1/actors/…`. */
export interface ActorSetting {
  readonly key: string;
  readonly value: string;
  readonly source: string;
}

export interface OneActor {
  readonly nowMillis: number;
  readonly line: ActorLine;
  readonly alive: boolean;
  /** In words. */
  readonly now: string;
  readonly dispatcher: string;
  readonly mailboxType: string;
  readonly mailboxNow: number | null;
  readonly childrenNow: number | null;
  readonly stashed: number | null;
  /** What is recorded of it, and who says so. */
  readonly settings: readonly ActorSetting[];
  readonly log: { readonly messages: number; readonly sinceMillis: number | null };
  readonly received: readonly Received[];
  readonly senders: readonly Peer[];
  readonly receivers: readonly Peer[];
}
