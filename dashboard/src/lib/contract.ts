// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

// Generated from the routes of the page by ContractTest with -Ddocs.write=true.

/** The answers of the page's interface. An unknown value is null. */
import { any, flag, list, map, number, object, type Of, oneOf, optional, orNull, text } from "./read";

/** Queues that grow, as the last two minutes tell. */
export const Growing = object({
  /** Mailboxes or stashes of a class of actors, or a dispatcher's queue. */
  kind: oneOf("mailbox", "stash", "dispatcher"),
  /** The class, or the dispatcher. */
  of: text,
  /** Messages, or tasks, that wait now. */
  waiting: number,
  /** By how much they grow in a second. */
  perSecond: number,
  /** So far that may be off, with 95 % confidence. */
  errorPerSecond: number,
  /** Messages that come, where it is counted. */
  arrivesPerSecond: orNull(number),
  /** Messages that are processed, where it is counted. */
  processedPerSecond: orNull(number),
  /** Since when they grow, at most ten minutes ago. */
  sinceMillis: number,
  /** All this in a sentence. */
  says: text,
});
export type Growing = Of<typeof Growing>;

/** The outlook, if growth goes on. Needs deimos.check.enabled. */
export const Outlook = object({
  /** The fastest first, at most 20; none whose growth is within its error. */
  growing: list(Growing),
  /** Null unless something grows and collections of garbage leave more. */
  heap: orNull(object({
    /** The heap that the last collection has left. */
    liveBytes: number,
    /** Its bound. */
    maxBytes: number,
    /** By how much that rises in a second. */
    bytesPerSecond: number,
    /** So far that may be off. */
    errorPerSecond: number,
    /** When it will be full. */
    fullInSeconds: number,
    /** All this, as the end of a sentence. */
    says: text,
  })),
});
export type Outlook = Of<typeof Outlook>;

/** One living actor. */
export const Actor = object({
  /** Its number in this process; another may have it later. */
  id: number,
  /** Its path. */
  path: text,
  /** Its class; of a typed actor, that of its behaviour. */
  class: text,
  /** Its actor system. */
  system: text,
  /** Whether the class is Pekko's. */
  pekko: flag,
  /** The group that its path belongs to. */
  group: orNull(text),
  /**
   * Messages that waited when somebody last looked: each second, or less often where there are many actors; at most
   * 20,000 are looked at in one go, parents first.
   */
  mailbox: orNull(number),
  /** The most messages that waited at one of the looks of the last 60 to 90 seconds. */
  mailboxPeak: orNull(number),
  /** Children that lived then. */
  children: orNull(number),
  /** Messages a second over the last four to eight seconds. A message counts when it has been processed. */
  ratePerSecond: orNull(number),
  /** The share of these seconds for which it was processing. */
  busyShare: orNull(number),
  /**
   * 99 of 100 messages waited less in the mailbox. An estimate within a power of two, from 8 µs to 34 s; newer messages
   * weigh more.
   */
  waitP99Nanos: orNull(number),
  /** Recorded messages since it is followed. */
  messages: number,
  /** For how long it processed them in all. */
  processingNanos: number,
  /** How many of them failed. */
  failures: number,
  /** How often supervision has restarted it. */
  restarts: number,
  /** When it was made. */
  madeAtMillis: number,
});
export type Actor = Of<typeof Actor>;

/** A part of the list of living actors. */
export const Actors = object({
  /** The server's clock. */
  nowMillis: number,
  /** How many actors match. */
  total: number,
  /** How many live, Pekko's own included. */
  living: number,
  /** As asked. */
  offset: number,
  /** How much of it is known. */
  known: object({
    /** The share of the messages so far that has records. Rates, busy shares, waits and failures are of these alone. */
    recordedShare: orNull(number),
    /** How many mailboxes were looked into; 0 if deimos.metrics.gauges.enabled is off. */
    mailboxes: number,
    /** The number of actors with figures. */
    followed: number,
    /**
     * Messages of actors for which there was no room, or for which another lost its place: deimos.observer.memory is
     * used up.
     */
    letGo: number,
    /** Messages left out: to follow them would have taken more than deimos.observer.cpu. */
    leftOut: number,
  }),
  /** With class=other: the classes that are counted under that name. */
  other: orNull(object({
    /** How many of them have living actors. */
    classes: number,
    /** The 20 with the most living actors. */
    most: list(object({
      /** Its name. */
      class: text,
      /** How many of its actors live. */
      living: number,
    })),
  })),
  outlook: optional(Outlook),
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
  /** In the order that was asked for. */
  actors: list(Actor),
});
export type Actors = Of<typeof Actors>;

/** A rule for an actor. */
export const ActorSetting = object({
  /** As in deimos.actors. */
  key: text,
  /** Its value. */
  value: text,
  /** The source: the setting, the deployment, code, or a marker on the class. */
  source: text,
});
export type ActorSetting = Of<typeof ActorSetting>;

/** A message that the actor processed. */
export const Received = object({
  /** When processing began: nanoseconds since 1970, as text. */
  startEpochNanos: text,
  /** Its class. */
  class: text,
  /** The path of the actor that sent it. */
  senderPath: orNull(text),
  /** For how long it waited in the mailbox. */
  waitNanos: orNull(number),
  /** For how long it was processed. */
  processingNanos: number,
  /** Whether processing threw. */
  failed: flag,
  /** Its trace. */
  traceId: text,
  /** Its span. */
  spanId: text,
  /** The sender's number; 0 if it was no actor. */
  sender: number,
});
export type Received = Of<typeof Received>;

/** An actor that wrote to one, or to which one wrote. */
export const Peer = object({
  /** Its number; 0 for what is no actor of this process. */
  id: number,
  /** Null for what has stopped, and for what is none (id 0): an ask, a timer, a stream, another node. */
  path: orNull(text),
  /** Its class. */
  class: orNull(text),
  /** How many messages. */
  messages: number,
  /** How many of them failed. */
  failures: number,
});
export type Peer = Of<typeof Peer>;

/** One living actor, whole. */
export const OneActor = object({
  /** The server's clock. */
  nowMillis: number,
  /** Its number in this process; another may have it later. */
  id: number,
  /** Its path. */
  path: text,
  /** Its class; of a typed actor, that of its behaviour. */
  class: text,
  /** Its actor system. */
  system: text,
  /** Whether the class is Pekko's. */
  pekko: flag,
  /** The group that its path belongs to. */
  group: orNull(text),
  /**
   * Messages that waited when somebody last looked: each second, or less often where there are many actors; at most
   * 20,000 are looked at in one go, parents first.
   */
  mailbox: orNull(number),
  /** The most messages that waited at one of the looks of the last 60 to 90 seconds. */
  mailboxPeak: orNull(number),
  /** Children that lived then. */
  children: orNull(number),
  /** Messages a second over the last four to eight seconds. A message counts when it has been processed. */
  ratePerSecond: orNull(number),
  /** The share of these seconds for which it was processing. */
  busyShare: orNull(number),
  /**
   * 99 of 100 messages waited less in the mailbox. An estimate within a power of two, from 8 µs to 34 s; newer messages
   * weigh more.
   */
  waitP99Nanos: orNull(number),
  /** Recorded messages since it is followed. */
  messages: number,
  /** For how long it processed them in all. */
  processingNanos: number,
  /** How many of them failed. */
  failures: number,
  /** How often supervision has restarted it. */
  restarts: number,
  /** When it was made. */
  madeAtMillis: number,
  /** Whether it still lives. */
  alive: flag,
  /** Its present work, in words: alive, or processes shop.Charge for 3.2 s. */
  now: text,
  /** Its dispatcher in the configuration. */
  dispatcher: orNull(text),
  /** The class of its message queue. */
  mailboxType: orNull(text),
  /** Messages that wait, counted for this. */
  mailboxNow: orNull(number),
  /** Children, counted for this up to 10,000. */
  childrenNow: orNull(number),
  /** Messages in its classic stash; null for an actor without one. */
  stashed: orNull(number),
  /** The rules for it, with their sources. */
  settings: list(ActorSetting),
  /** The source of the following. */
  log: object({
    /** How many records were looked at. */
    messages: number,
    /** From when the oldest is. */
    sinceMillis: orNull(number),
  }),
  /** Its last messages, at most 50, newest first. */
  received: list(Received),
  /** The actors that wrote to it, at most 20. */
  senders: list(Peer),
  /** The actors to which it wrote, at most 20. */
  receivers: list(Peer),
});
export type OneActor = Of<typeof OneActor>;

/** A timer, a watch, a child, an ask. */
export const InsideEntry = object({
  /** Its kind; delivery is a message that at-least-once delivery sends again until it is confirmed. */
  kind: oneOf("timer", "receive_timeout", "watches", "watched_by", "child", "ask", "delivery"),
  /** The key of a timer, or the path of an actor. */
  name: orNull(text),
  /** The class of the message. */
  message: orNull(text),
  /** More, in words. */
  detail: orNull(text),
  /** The receive time-out, or for how long an ask has had no answer. */
  nanos: orNull(number),
});
export type InsideEntry = Of<typeof InsideEntry>;

/** The inside of one actor. */
export const Inside = object({
  /** The server's clock. */
  nowMillis: number,
  /**
   * Whether the actor's thread has not come to it within a second, since it processes a message; then only asks are
   * known. Ask again.
   */
  waiting: flag,
  /** The parts that were not read, a sentence each. */
  notRead: list(text),
  /**
   * Its fields, or those of the objects in its behaviour, a line each; null if deimos.content.state does not name its
   * class, or the redactor shows nothing.
   */
  state: orNull(list(text)),
  /** At most 50 of each kind. */
  entries: list(InsideEntry),
});
export type Inside = Of<typeof Inside>;

/** One time it happened. */
export const TroubleExample = object({
  /** When it happened. */
  atMillis: orNull(number),
  /** The story, as a sentence. */
  story: text,
  /** To which actor. */
  actorPath: orNull(text),
  /** The sender of the message. */
  senderPath: orNull(text),
  /** Its trace. */
  traceId: orNull(text),
  /** Its span. */
  spanId: orNull(text),
});
export type TroubleExample = Of<typeof TroubleExample>;

/** However often the same happened. */
export const TroubleGroup = object({
  /** Its id. */
  id: text,
  /** In which other process; null for who answers. */
  node: orNull(text),
  /** The kind of trouble. */
  kind: text,
  /** The class of the actors; of starvation, of the one whose message held a thread for longest. */
  actorClass: orNull(text),
  /** The class of the messages. */
  messageClass: orNull(text),
  /** The exception's class, or the reason. */
  why: orNull(text),
  /** How often it happened. */
  count: number,
  /** When it happened first. */
  firstMillis: orNull(number),
  /** When it happened last. */
  lastMillis: orNull(number),
  latest: orNull(TroubleExample),
});
export type TroubleGroup = Of<typeof TroubleGroup>;

/** Incidents in groups. */
export const Trouble = object({
  /** The server's clock. */
  nowMillis: number,
  /** How many groups match. */
  total: number,
  /** How many messages are stuck now, in all processes or in that of node. */
  stuckNow: number,
  /** How many groups had to make room for others. */
  groupsLetGo: number,
  /**
   * The count of each kind, whatever is asked for. failure, ask_timeout, dead_letter, starvation, restart, unhandled
   * and dropped are the numbers of pekko.actor.failed, pekko.ask.timed_out, pekko.message.dead_lettered without
   * suppressed, pekko.dispatcher.starvation, pekko.actor.restarted, pekko.message.unhandled and pekko.message.dropped.
   */
  kinds: map(number),
  /** The latest first; then what is only counted. */
  groups: list(TroubleGroup),
});
export type Trouble = Of<typeof Trouble>;

/** A message processed before. */
export const Before = object({
  /** When processing began: nanoseconds since 1970, as text. */
  startEpochNanos: text,
  /** Its class. */
  class: text,
  /** The path of the actor that sent it. */
  senderPath: orNull(text),
  /** For how long it waited in the mailbox. */
  waitNanos: orNull(number),
  /** For how long it was processed. */
  processingNanos: number,
  /** Whether processing threw. */
  failed: flag,
  /** Its trace. */
  traceId: text,
  /** Its span. */
  spanId: text,
});
export type Before = Of<typeof Before>;

/** One time it happened, with what led to it. */
export const WholeTroubleExample = object({
  /** When it happened. */
  atMillis: orNull(number),
  /** The story, as a sentence. */
  story: text,
  /** To which actor. */
  actorPath: orNull(text),
  /** The sender of the message. */
  senderPath: orNull(text),
  /** Its trace. */
  traceId: orNull(text),
  /** Its span. */
  spanId: orNull(text),
  /** The stack trace; of kind cluster, a line for each node with since when it has been saying what. */
  stack: orNull(text),
  /**
   * At most 20 messages that the actor had processed before, newest first, copied when the example was kept from the
   * last 4,096 of all actors. Null where none of it was recorded, where that had to make room, and where more than 20
   * examples came in a second.
   */
  before: orNull(list(Before)),
});
export type WholeTroubleExample = Of<typeof WholeTroubleExample>;

/** A group with its last examples. */
export const OneTroubleGroup = object({
  /** Its id. */
  id: text,
  /** In which other process; null for who answers. */
  node: orNull(text),
  /** The kind of trouble. */
  kind: text,
  /** The class of the actors; of starvation, of the one whose message held a thread for longest. */
  actorClass: orNull(text),
  /** The class of the messages. */
  messageClass: orNull(text),
  /** The exception's class, or the reason. */
  why: orNull(text),
  /** How often it happened. */
  count: number,
  /** When it happened first. */
  firstMillis: orNull(number),
  /** When it happened last. */
  lastMillis: orNull(number),
  /** The last five. */
  examples: list(WholeTroubleExample),
});
export type OneTroubleGroup = Of<typeof OneTroubleGroup>;

/** One message of an edge. */
export const MapSample = object({
  /** Its trace. */
  traceId: text,
  /** Its span. */
  spanId: text,
  /** When its processing began. */
  atMillis: number,
  /** For how long it waited. */
  waitNanos: orNull(number),
  /** For how long it was processed. */
  processingNanos: number,
});
export type MapSample = Of<typeof MapSample>;

/** A sender or receiver. */
export const MapNode = object({
  /** Its name in edges. */
  key: text,
  /** Its kind; outside is no actor: a thread of the application, say. */
  kind: oneOf("class", "group", "actor", "others", "ask", "timer", "stream", "node", "outside"),
  /** Its name. */
  name: text,
  /** Its class, if it has one. */
  class: orNull(text),
  /** Whether it is Pekko's own. */
  pekko: flag,
  /** How many actors live. */
  living: orNull(number),
  /** Received messages a second. */
  ratePerSecond: orNull(number),
  /** The processor time it takes, in cores. */
  busyCores: orNull(number),
  /** Received messages. */
  messages: number,
  /** How many of them failed. */
  failures: number,
  slowest: orNull(MapSample),
});
export type MapNode = Of<typeof MapNode>;

/** From whom to whom. */
export const MapEdge = object({
  /** The key of a node. */
  from: text,
  /** The key of a node. */
  to: text,
  /** How many messages. */
  messages: number,
  /** How many a second. */
  ratePerSecond: orNull(number),
  /** How many failed. */
  failures: number,
  /** How many were asks. */
  asks: number,
  /** 99 of 100 waited less in the mailbox. */
  waitP99Nanos: orNull(number),
  /** For how long they were processed in all. */
  processingNanos: number,
  /** The ten most frequent classes of messages. */
  classes: list(object({
    /** A class of messages. */
    class: text,
    /** How many. */
    messages: number,
    /** How many failed. */
    failures: number,
    /** 99 of 100 waited less. */
    waitP99Nanos: orNull(number),
  })),
  /** How many more classes there are. */
  classesLeftOut: number,
  latest: orNull(MapSample),
  failed: orNull(MapSample),
  slowest: orNull(MapSample),
});
export type MapEdge = Of<typeof MapEdge>;

/** The messages of late by sender and receiver. */
export const Map = object({
  /** The server's clock. */
  nowMillis: number,
  /** From when the messages are. */
  sinceMillis: orNull(number),
  /** For how long they are: less than was asked for if they are not kept for so long. */
  seconds: number,
  /** How many there were. */
  messages: number,
  /** Edges that match and are beyond the limit. */
  edgesLeftOut: number,
  /** Their messages. */
  messagesLeftOut: number,
  /** The share of the messages that has records; all figures are of these. */
  recordedShare: orNull(number),
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
  /** The senders and receivers. */
  nodes: list(MapNode),
  /** Those with failures first, then the busiest. */
  edges: list(MapEdge),
});
export type Map = Of<typeof Map>;

/** One message, and what became of it. */
export const WhereMatch = object({
  /**
   * Its fate. processing: a thread is at it; in_mailbox; stashed; buffered by sharding; outbound: waits to be sent to
   * another node; ask_open: an ask without an answer so far; dead_letter, ask_timeout, ask_failed, stuck, failed: as
   * the kinds of trouble; answered, processed: it went well.
   */
  fate: oneOf("processing", "in_mailbox", "stashed", "buffered", "outbound", "ask_open", "dead_letter", "ask_timeout", "ask_failed", "stuck", "failed", "answered", "processed"),
  /** That in a sentence; of an open ask with where the request is. */
  story: text,
  /** Its class. */
  messageClass: orNull(text),
  /** The receiver. */
  actorPath: orNull(text),
  /** The class of that actor. */
  actorClass: orNull(text),
  /** The sender, or the asker. A typed actor is known from the span in which it sent. */
  senderPath: orNull(text),
  /** When that was; of one that waits, since when. */
  atMillis: orNull(number),
  /** Its position where it waits, from 1. */
  place: orNull(number),
  /** For how long it has waited. */
  waitNanos: orNull(number),
  /** For how long it was processed; of an ask, since it was asked. */
  processingNanos: orNull(number),
  /** The time-out of an open ask. */
  timeoutNanos: orNull(number),
  /** Its trace. */
  traceId: orNull(text),
  /** Its span, or that in which it was sent. */
  spanId: orNull(text),
  /** Its content, for classes in deimos.content.messages, redacted as set. */
  content: orNull(text),
  /** The group of trouble that tells more. */
  troubleId: orNull(text),
  /** The process whose span this is, if another. */
  node: orNull(text),
});
export type WhereMatch = Of<typeof WhereMatch>;

/** How much was looked at. */
export const WhereLooked = object({
  /** Messages that had been processed. */
  records: number,
  /** When the first of them began. */
  sinceMillis: orNull(number),
  /** The share of the messages that has records. */
  recordedShare: orNull(number),
  /** Actors whose mailboxes and stashes were looked into. */
  actors: number,
  /** Messages that waited. */
  waiting: number,
  /** Asks without an answer. */
  asks: number,
  /** Examples of what went wrong. */
  troubles: number,
  /** Traces that match. */
  traces: number,
});
export type WhereLooked = Of<typeof WhereLooked>;

/** The fates of the messages that match. */
export const Where = object({
  /** The server's clock. */
  nowMillis: number,
  /** The query. */
  query: text,
  /** How many match. */
  total: number,
  /** How many of each fate. */
  fates: map(number),
  /** Those that can still change, then those that went wrong, then the others; in each the latest first. */
  matches: list(WhereMatch),
  looked: WhereLooked,
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
});
export type Where = Of<typeof Where>;

/** One message that was processed. */
export const TapMessage = object({
  /** Its number, from 1. */
  number: number,
  /** When its processing began. */
  atMillis: number,
  /** Its class. */
  class: text,
  /** The actor that processed it. */
  actorPath: text,
  /** The class of that actor. */
  actorClass: text,
  /** The sender; null for a typed one. */
  senderPath: orNull(text),
  /** For how long it waited. */
  waitNanos: orNull(number),
  /** For how long it was processed. */
  processingNanos: number,
  /** The class of what its processing threw. */
  error: orNull(text),
  /** Its trace. */
  traceId: text,
  /** Its span. */
  spanId: text,
  /** Its content, for classes in deimos.content.messages, redacted as set, and cut after 1,000 characters. */
  content: orNull(text),
});
export type TapMessage = Of<typeof TapMessage>;

/** A tap, and messages that it has taken. */
export const Tap = object({
  /** The server's clock. */
  nowMillis: number,
  /** Its id. */
  id: text,
  /** Whether more can come. */
  state: oneOf("open", "ended"),
  /** The reason of its end: count, time, memory, or nobody who asked for it. */
  endedBy: orNull(text),
  /** When its time is up. */
  endsMillis: number,
  /** How many messages it takes. */
  count: number,
  /** How many of each second. */
  rate: number,
  /** For how long. */
  seconds: number,
  /** How many it has taken. */
  taken: number,
  /** How many more came faster than its rate. */
  leftOut: number,
  /** The share of the messages that has records; a tap sees these alone. */
  recordedShare: orNull(number),
  /** The number of the last message, to ask for what is after. */
  last: number,
  /** Those after the one that was asked for. */
  messages: list(TapMessage),
});
export type Tap = Of<typeof Tap>;

/** Unknown things since the profile began. */
export const ProfileUnknown = object({
  /** Samples whose stack could not be read. */
  withoutStack: number,
  /** Samples for which there was no room. */
  lost: number,
  /**
   * Samples that no kept record spans, counted to the nearest one within 131 µs: at the border of two messages, or
   * among messages shorter than that, of which those are kept that a line each 131 µs meets.
   */
  nearest: number,
  /** Stacks that end early: 6 MiB are full. */
  stacksCut: number,
  /** Messages that had to go before the samples came. */
  recordsLost: number,
  /** Waits beyond deimos.profile.waits-per-second. */
  waitsLeftOut: number,
});
export type ProfileUnknown = Of<typeof ProfileUnknown>;

/** The reason of a wait. */
export const ProfileCause = object({
  /** The part that it counts to. */
  time: oneOf("lock", "io", "sleep", "park"),
  /** The lock and its holder, the address, the file or the class. */
  on: text,
  /** For how long all of them waited. */
  nanos: number,
});
export type ProfileCause = Of<typeof ProfileCause>;

/** A user of time or memory. */
export const ProfileRow = object({
  /** Whether that is a message. */
  kind: oneOf("message", "pekko", "unrecorded", "dispatcher", "other"),
  /** The class of the actor. */
  actorClass: orNull(text),
  /** The class of the message. */
  messageClass: orNull(text),
  /** The part of Pekko, for Pekko's own actors. */
  part: orNull(text),
  /** How many samples. */
  samples: number,
  /** The share of all samples. */
  share: orNull(number),
  /** The time of its messages, from start to end, in all threads. */
  wallNanos: orNull(number),
  /** Its part on a processor. */
  cpuNanos: number,
  /** Blocked by a lock. */
  lockNanos: number,
  /** Waiting for sockets and files. */
  ioNanos: number,
  /** Asleep. */
  sleepNanos: number,
  /** Parked, or waiting for a notification. */
  parkNanos: number,
  /** Held up by the collector. */
  gcNanos: number,
  /** The rest of its time. */
  restNanos: orNull(number),
  /** Bytes of new objects. */
  allocatedBytes: number,
  /** The longest first, at most five. */
  waitsFor: list(ProfileCause),
});
export type ProfileRow = Of<typeof ProfileRow>;

/** The tree of calls, in columns: an entry for each node. The two uppermost levels of messages are the actor class and the message class; the frames that call the actor are left out. */
export const ProfileTree = object({
  /** Nodes beyond the limit. */
  nodesLeftOut: number,
  /** The frames, to which the column frame points. */
  frames: list(text),
  /** The node above; -1 for the root, which is node 0. */
  parent: list(number),
  /** The method, class or message. */
  frame: list(number),
  /** As much in it and below: see time. */
  total: list(number),
  /** As much in it alone. */
  self: list(number),
});
export type ProfileTree = Of<typeof ProfileTree>;

/** Samples by class of message, and as a tree. */
export const Profile = object({
  /** The server's clock. */
  nowMillis: number,
  /** Whether there are samples. */
  state: oneOf("starting", "on"),
  /**
   * jdk.CPUTimeSample, by CPU time, where the JVM has it (JDK 25 on Linux); else jdk.ExecutionSample, of at most five
   * threads at a time that run Java code, whether or not they have a processor.
   */
  event: orNull(text),
  /** For how long there are samples: less than was asked for if the profile has not been on for so long. */
  seconds: number,
  /** How many there are. */
  samples: number,
  /** For how long the parts of the time of messages are known. */
  dividedSeconds: number,
  /** How long a wait has to be now to be seen; null if none is. */
  waitNanos: orNull(number),
  /** The share of the messages that has records; the shares of message classes are of these. */
  recordedShare: orNull(number),
  unknown: ProfileUnknown,
  /** Those with the most of what was asked for first. */
  rows: list(ProfileRow),
  tree: ProfileTree,
});
export type Profile = Of<typeof Profile>;

/** One record of a log. */
export const LogRecord = object({
  /** When it was logged. */
  atMillis: number,
  /** Its level. */
  level: oneOf("error", "warning", "info", "debug", "trace"),
  /** The logger's name. */
  logger: text,
  /**
   * Its text, as the library has formatted it. Values that it has not formatted are the names of their classes, in
   * brackets.
   */
  text: text,
  /** Class and message of what was logged along. */
  thrown: orNull(text),
  /** The path of the actor. */
  actorPath: orNull(text),
  /** Its class. */
  actorClass: orNull(text),
  /** The service that sent it as OTLP; null for this process. */
  service: orNull(text),
  /** Its trace. */
  traceId: orNull(text),
  /** Its span. */
  spanId: orNull(text),
});
export type LogRecord = Of<typeof LogRecord>;

/** The last records of logs that match, the latest first. */
export const Logs = object({
  /** The server's clock. */
  nowMillis: number,
  /** Whether records are kept: see deimos.content.logs. */
  kept: flag,
  /** How many match. */
  total: number,
  /** How many records were looked at. */
  looked: number,
  /** When the oldest of these was logged. */
  sinceMillis: orNull(number),
  /** Records that had to make room for later ones. */
  letGo: number,
  /** Records that were not kept, since more came in a second than are. */
  leftOut: number,
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
  /** At most as many as asked for. */
  records: list(LogRecord),
});
export type Logs = Of<typeof Logs>;

/** One trace of the list. */
export const TraceSummary = object({
  /** Its id. */
  traceId: text,
  /** The name of its root span, or of the earliest one. */
  name: text,
  /** When it began: nanoseconds since 1970, as text. */
  startEpochNanos: text,
  /** From the first start to the last end. */
  durationNanos: number,
  /** How many spans are kept. */
  spans: number,
  /** Spans it has had beyond them. */
  truncated: number,
  /** Whether only what shows its trouble is left, to save room. */
  reduced: flag,
  /** Spans that failed, time-outs aside. */
  errors: number,
  /** Spans that ended because time ran out. */
  timeouts: number,
  /** Spans with a dead letter or a stuck actor in them. */
  incidents: number,
  /** Whether all its spans are there. */
  complete: flag,
  /** Whether spans still come. */
  running: flag,
  /** How many processes its spans come from. */
  nodes: number,
  /** The classes of the actors in it, in order of their first message. */
  actorClasses: list(text),
});
export type TraceSummary = Of<typeof TraceSummary>;

/** The traces that match. */
export const Traces = object({
  /** Newest first. */
  traces: list(TraceSummary),
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
});
export type Traces = Of<typeof Traces>;

/** All that this process has recorded, kept or not. */
export const RecordedTraces = object({
  /** Since when. */
  sinceMillis: number,
  /** How many. */
  traces: number,
  /** In how many something went wrong. */
  trouble: number,
  /** How many have names beyond the 256 that are told apart. */
  others: number,
  /** New traces that are looked at now. */
  takenShare: number,
});
export type RecordedTraces = Of<typeof RecordedTraces>;

/** All that were recorded, kept or not, whatever the query. */
export const RecordedGroup = object({
  /** How many. */
  traces: number,
  /** In how many something went wrong. */
  trouble: number,
  /** The number of known durations. */
  measured: number,
  /** Half of these took no longer. */
  p50Nanos: number,
  /** The same of 99 of 100, about. */
  p99Nanos: number,
});
export type RecordedGroup = Of<typeof RecordedGroup>;

/** All traces of one name. */
export const TraceGroup = object({
  /** Their name. */
  name: text,
  /** How many of those kept match. */
  traces: number,
  /** In how many of these something went wrong. */
  trouble: number,
  /** Half of these took no longer. */
  p50Nanos: number,
  /** 99 of 100 of these took no longer. */
  p99Nanos: number,
  /** The longest of these. */
  maxNanos: number,
  recorded: orNull(RecordedGroup),
  /** The id of the longest. */
  slowest: text,
  /** When the last of them began. */
  lastMillis: number,
});
export type TraceGroup = Of<typeof TraceGroup>;

/** Traces added up. */
export const TraceGroups = object({
  /** The server's clock. */
  nowMillis: number,
  /** How many of those kept match. */
  traces: number,
  /** In how many of them something went wrong. */
  trouble: number,
  recorded: RecordedTraces,
  /** How many more names there are. */
  groupsLeftOut: number,
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
  /** Those with the most traces first. */
  groups: list(TraceGroup),
  /** By duration, four bins for each power of ten from 1 µs to 1000 s, from the first to the last that has any. */
  durations: list(object({
    /** The least duration in it. */
    fromNanos: number,
    /** The least beyond it. */
    toNanos: orNull(number),
    /** How many. */
    traces: number,
    /** In how many something went wrong. */
    trouble: number,
  })),
  /** By when they began, at most 60 bins of the same length. */
  times: list(object({
    /** The first moment in it. */
    fromMillis: number,
    /** The first beyond it. */
    toMillis: number,
    /** How many. */
    traces: number,
    /** In how many something went wrong. */
    trouble: number,
  })),
});
export type TraceGroups = Of<typeof TraceGroups>;

/** A value that a trace has. */
export const TraceValue = object({
  /** The name of an attribute, after resource. for one of the process; or name (of a span), event, node. */
  field: text,
  /** Its value, texts cut to 200 characters; of node the id, empty for this process. */
  value: text,
});
export type TraceValue = Of<typeof TraceValue>;

/** A value that one side has more often. */
export const TraceDifference = object({
  /** The name of an attribute, after resource. for one of the process; or name (of a span), event, node. */
  field: text,
  /** Its value, texts cut to 200 characters; of node the id, empty for this process. */
  value: text,
  /** Values that the very same traces have. */
  also: list(TraceValue),
  /** How many more of these. */
  alsoLeftOut: number,
  /** How many of those that match have it. */
  selected: number,
  /** The same as a share, in [0, 1]. */
  selectedShare: number,
  /** How many of the others have it. */
  rest: number,
  /** The same as a share, in [0, 1]. */
  restShare: number,
  /** By how much the shares differ at least; negative if the others have it more often. */
  certain: number,
  /** A trace with it, of the side that has it more often. */
  example: text,
});
export type TraceDifference = Of<typeof TraceDifference>;

/** Some traces against the others of the same name. */
export const TraceComparison = object({
  /** The name of all traces compared. */
  name: text,
  /** How many of those that match were compared. */
  selected: number,
  /** How many others were. */
  rest: number,
  /** Traces that match and have other names: not compared. */
  otherNames: number,
  /** Traces of which only their trouble is left, to save room: not compared. */
  reduced: number,
  /** Fields with more values than are told apart: some are missing. */
  fieldsCut: list(text),
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
  /** How many more values differ. */
  differencesLeftOut: number,
  /** The surest first. */
  differences: list(TraceDifference),
});
export type TraceComparison = Of<typeof TraceComparison>;

/** A message, an ask, an HTTP request, a database call and so on. */
export const Span = object({
  /** Its id. */
  spanId: text,
  /** The id of the span that it is part of. */
  parentSpanId: orNull(text),
  /** Its name. */
  name: text,
  /** The process it comes from, if not this one. */
  node: orNull(text),
  /** As OpenTelemetry has it: INTERNAL, CONSUMER and so on. */
  kind: text,
  /** The instrumentation that made it. */
  scope: text,
  /** When it began, after the trace. */
  offsetNanos: number,
  /** How long it took. */
  durationNanos: number,
  /** How long the message waited before. */
  waitNanos: orNull(number),
  /** UNSET, OK or ERROR. */
  status: text,
  /** Why it failed. */
  statusMessage: text,
  /** Attributes by name. */
  attributes: map(any),
  /** The events in it. */
  events: list(object({
    /** Its name. */
    name: text,
    /** When, after the trace's start. */
    offsetNanos: number,
    /** Attributes by name. */
    attributes: map(any),
  })),
  /** Spans it has to do with. */
  links: list(object({
    /** The other's trace. */
    traceId: text,
    /** The other. */
    spanId: text,
  })),
});
export type Span = Of<typeof Span>;

/** A trace with its spans. */
export const Trace = object({
  /** Its id. */
  traceId: text,
  /** The name of its root span, or of the earliest one. */
  name: text,
  /** Whether all its spans are there. */
  complete: flag,
  /** Whether spans still come. */
  running: flag,
  /** When it began: nanoseconds since 1970, as text. */
  startEpochNanos: text,
  /** From the first start to the last end. */
  durationNanos: number,
  /** Spans it has had beyond those that are kept. */
  truncated: number,
  /** Whether only what shows its trouble is left, to save room. */
  reduced: flag,
  /** Clocks that differ from the page's. */
  clocks: list(object({
    /** A process whose times are corrected. */
    node: text,
    /** How far its clock is ahead. */
    offsetNanos: number,
    /** That is right within this. */
    errorNanos: number,
  })),
  /** Kept spans beyond the limit. */
  spansLeftOut: number,
  /** In the order of their start. */
  spans: list(Span),
});
export type Trace = Of<typeof Trace>;

/** The place of a finding. */
export const FindingPlace = object({
  /** An actor's path. */
  actorPath: orNull(text),
  /** A class of actors. */
  actorClass: orNull(text),
  /** A class of messages. */
  messageClass: orNull(text),
  /** A line of code, as a stack has it. */
  line: orNull(text),
  /** A dispatcher's name. */
  dispatcher: orNull(text),
  /** The address of another node. */
  peer: orNull(text),
});
export type FindingPlace = Of<typeof FindingPlace>;

/** Something that is wrong. */
export const Finding = object({
  /** The id of the rule that found it. */
  rule: text,
  /** How bad it is. */
  severity: oneOf("advice", "warning", "critical"),
  /** How sure the rule is. */
  sure: oneOf("possible", "likely", "certain"),
  where: FindingPlace,
  /** From when on it is so, or known to be so, in milliseconds since 1970. */
  sinceMillis: orNull(number),
  /** The state of affairs, in one sentence. */
  says: text,
  /** Its price for the application. */
  costs: text,
  /** The next step. */
  advice: text,
  /** The part of the page that shows it. */
  evidence: orNull(text),
});
export type Finding = Of<typeof Finding>;

/** The findings of this process. */
export const Check = object({
  /** The server's clock. */
  nowMillis: number,
  /** How many rules have judged. */
  rules: number,
  /** For how long the past is known by which they judge, up to ten minutes. Some rules need a minute of it. */
  knownMillis: number,
  /** The worst first. */
  findings: list(Finding),
  /** Findings that deimos.check.ignore accepts. */
  ignored: number,
  /** Findings beyond the bound. */
  findingsLeftOut: number,
  /** Things to judge by for which there was no room. */
  factsLeftOut: number,
  /** Rules that failed themselves; each is a finding. */
  failed: number,
  /** The things that were not looked at, a sentence each; empty if all were. */
  notLookedAt: list(text),
});
export type Check = Of<typeof Check>;

/** The message that a thread processes. */
export const Work = object({
  /** The actor's number. */
  actorId: number,
  /** The actor's path. */
  actorPath: orNull(text),
  /** The actor's class. */
  actorClass: text,
  /** The message's class. */
  messageClass: text,
  /** For how long. */
  forNanos: orNull(number),
  /** Its trace. */
  traceId: orNull(text),
  /** Its span. */
  spanId: orNull(text),
});
export type Work = Of<typeof Work>;

/** A thread, and what it does. */
export const Thread = object({
  /** Its id. */
  id: number,
  /** Its name. */
  name: text,
  /** runnable, blocked, waiting, timed_waiting and so on. */
  state: text,
  work: orNull(Work),
});
export type Thread = Of<typeof Thread>;

/** A dispatcher; without a name, threads of none. */
export const Dispatcher = object({
  /** Its actor system. */
  system: orNull(text),
  /** Its name in the configuration. */
  name: orNull(text),
  /** The class of its executor. */
  executor: orNull(text),
  /** How many threads it may use. */
  parallelism: orNull(number),
  /** How many are busy. */
  active: orNull(number),
  /** How many tasks wait. */
  queued: orNull(number),
  /** How many actors it has. */
  actors: orNull(number),
  /** For how long a task has been waiting for a thread; 0 if none is. */
  waitNanos: number,
  /** Its threads that match. */
  threads: list(Thread),
});
export type Dispatcher = Of<typeof Dispatcher>;

/** The dispatchers with their threads. */
export const Threads = object({
  /** The server's clock. */
  nowMillis: number,
  /** How often tasks waited longer than deimos.starvation.threshold, since the start. */
  starvations: number,
  /** How many threads match beyond the limit. */
  threadsLeftOut: number,
  /** Each with its threads. */
  dispatchers: list(Dispatcher),
});
export type Threads = Of<typeof Threads>;

/** Where a thread is. */
export const Stack = object({
  /** The innermost first, at most 200. */
  frames: list(text),
  /** How many more there are. */
  framesLeftOut: number,
});
export type Stack = Of<typeof Stack>;

/** The last hour, an entry for each minute in each column. */
export const Hour = object({
  /** How far its points are apart. */
  everyMillis: number,
  /** When, in seconds since 1970. */
  seconds: list(number),
  rate: list(orNull(number)),
  processingP99: list(orNull(number)),
  waitP99: list(orNull(number)),
  failures: list(orNull(number)),
  askTimeouts: list(orNull(number)),
  deadLetters: list(orNull(number)),
  actorsLive: list(orNull(number)),
  heapBytes: list(orNull(number)),
});
export type Hour = Of<typeof Hour>;

/** The cost of requests of one kind. */
export const RequestCpu = object({
  /** requests, searches, streams, otlp, or links for what the page of another process asks; none counts twice. */
  kind: oneOf("requests", "searches", "streams", "otlp", "links"),
  /** How many have ended. */
  requests: number,
  /** Processor time in the last minute. */
  minuteNanos: number,
  /** Processor time since the start. */
  nanos: number,
  /** How many were refused. */
  refused: number,
  /** How many ended before all was looked at. */
  cut: number,
  /** How many ended since nobody waited for them. */
  cancelled: number,
});
export type RequestCpu = Of<typeof RequestCpu>;

/** The heap that requests take. */
export const RequestMemory = object({
  /** Answers under way, and bodies of requests on their way in. */
  kind: oneOf("answers", "bodies"),
  /** Taken now. */
  bytes: number,
  /** The most that was taken at once. */
  maxBytes: number,
  /** The bound. */
  boundBytes: number,
  /** How often there was too little. */
  refused: number,
});
export type RequestMemory = Of<typeof RequestMemory>;

/** The cost of requests to the page in this process. */
export const Requests = object({
  /** The share of one core that searches may take. */
  searchShare: number,
  /** By kind. */
  cpu: list(RequestCpu),
  /** By kind. */
  memory: list(RequestMemory),
});
export type Requests = Of<typeof Requests>;

/** One series of a metric. */
export const Series = object({
  /** The values of the attributes. */
  of: list(text),
  /** Counters since the start, gauges as read last; of durations how many. */
  value: number,
  /** The figures of durations, since the start. */
  p99Nanos: optional(orNull(number)),
});
export type Series = Of<typeof Series>;

/** One series of a metric. */
export const Metric = object({
  /** As it is exported. */
  name: text,
  /** Its unit. */
  unit: text,
  /** counter, gauge, histogram and so on. */
  kind: text,
  /** Its meaning. */
  description: text,
  /** The keys of its attributes. */
  attributes: list(text),
  /** How many series there are beyond these. */
  seriesLeftOut: number,
  /** The 50 greatest. */
  series: list(Series),
});
export type Metric = Of<typeof Metric>;

/** How something is distributed. */
export const Distribution = object({
  /** How many. */
  count: number,
  /** Null if there are none. */
  mean: orNull(number),
  /** The bound of the bucket. */
  p50: orNull(number),
  /** The bound of the bucket. */
  p99: orNull(number),
  /** The upper bounds of the buckets. */
  bounds: list(number),
  /** One more than there are bounds. */
  counts: list(number),
});
export type Distribution = Of<typeof Distribution>;

/** How one outgoing stream batches. */
export const TransportStream = object({
  /** The actor system. */
  system: text,
  /** The other's address. */
  peer: text,
  /** control, ordinary or large. */
  stream: text,
  /** How many there were. */
  batches: number,
  /** How many ended for each reason, as in deimos.remote.batch.flushed. */
  reasons: map(number),
  length: Distribution,
  bytes: Distribution,
  flushNanos: Distribution,
  /** Advice for the settings, in words. */
  advice: text,
});
export type TransportStream = Of<typeof TransportStream>;

/** The actor system as a whole. */
export const System = object({
  /** The server's clock. */
  nowMillis: number,
  hour: Hour,
  requests: Requests,
  outlook: optional(Outlook),
  /** The metrics. */
  metrics: list(Metric),
  /**
   * The 50 with the most messages, since the start; empty where the transport does not run. flushNanos counts only
   * while deimos.remote.clocks is on.
   */
  transport: list(TransportStream),
});
export type System = Of<typeof System>;

/** A process, and what is known of its clock. */
export const ClusterProcess = object({
  /** As the list of processes has it; null for a page of one. */
  id: orNull(text),
  /** Its own name. */
  service: text,
  /** Its process id. */
  pid: number,
  /** serves, page, joined or gone. */
  state: text,
  /** The addresses of its actor systems in a cluster. */
  addresses: list(text),
  /** Whether it has said anything of clusters and settings. */
  hasSaid: flag,
  /** The number of things for which there was no room. */
  leftOut: number,
  /** By how much its clock is ahead of the page's. */
  clockOffsetNanos: orNull(number),
  /** That is right within this. */
  clockErrorNanos: orNull(number),
});
export type ClusterProcess = Of<typeof ClusterProcess>;

/** A member of a cluster, as all say it that are on this page. */
export const Member = object({
  /** Its address. */
  address: text,
  /** Its process on this page. */
  process: orNull(text),
  /**
   * joining, weaklyup, up, preparingforshutdown, leaving, exiting, down …, as it says itself or, where it cannot, as
   * most of the others say.
   */
  status: text,
  /** Its data center. */
  dataCenter: text,
  /** Its roles. */
  roles: list(text),
  /** The application's, as its configuration has it. */
  version: text,
  /** The oldest has the lowest. */
  order: orNull(number),
  /** Whether it leads its data center. */
  leader: flag,
  /** Roles whose members it leads. */
  leads: list(text),
  /** The members that cannot reach it, on this page or not; none if it is well. */
  unreachableFrom: list(text),
  /** The nodes that see it in another status; after a split each side has its own. */
  seenAs: list(object({
    /** A member. */
    by: text,
    /** Its status; absent if it does not know it. */
    status: text,
  })),
});
export type Member = Of<typeof Member>;

/** A cluster. */
export const OneCluster = object({
  /** The name of its actor systems. */
  system: text,
  /** By address. */
  members: list(Member),
  /** Singletons. */
  singletons: list(object({
    /** Its manager's name. */
    name: text,
    /** Where it runs: none, one, or several if something is wrong. */
    addresses: list(text),
  })),
  /** Types of entities. */
  sharding: list(object({
    /** The type of the entities. */
    type: text,
    /** Each node's. */
    regions: list(object({
      /** The node. */
      address: text,
      /** Shards on it. */
      shards: number,
      /** Entities on it. */
      entities: number,
      /** Entities in its largest shard. */
      largest: number,
      /** Messages that wait for a shard or an entity. */
      buffered: number,
    })),
    /** The ten shards with the most messages. */
    heaviest: list(object({
      /** Its id. */
      shard: text,
      /** The node. */
      address: text,
      /** Since that node's start. */
      messages: number,
    })),
  })),
});
export type OneCluster = Of<typeof OneCluster>;

/** The messages from one node to another. */
export const NodeLink = object({
  /** The sender's address. */
  from: orNull(text),
  /** Its process. */
  fromProcess: orNull(text),
  /** The receiver's address. */
  to: text,
  /** Its process, if it is on this page. */
  toProcess: orNull(text),
  /** Messages that are serialized for it, over the last eight to sixteen seconds. */
  messagesPerSecond: orNull(number),
  /** Their bytes. */
  bytesPerSecond: orNull(number),
  /** Messages that wait to be sent. */
  queued: number,
  /** Messages that the transport has lost on this side. */
  dropped: orNull(number),
  /** Messages in a batch of the transport. */
  batchMean: orNull(number),
  /** Until a batch is written; only while deimos.remote.clocks is on. */
  flushP99Nanos: orNull(number),
  /** Between two of its heartbeats. */
  heartbeatP99Nanos: orNull(number),
  /** How far the failure detector suspects it. */
  phi: orNull(number),
  /** Messages on this way in the last 200 traces that are kept. */
  traced: number,
  /**
   * The least time from the start of the span in which one was sent, with what the sender did before, to its arrival,
   * by corrected clocks.
   */
  tracedLeastNanos: orNull(number),
  /** Half took no longer. */
  tracedP50Nanos: orNull(number),
});
export type NodeLink = Of<typeof NodeLink>;

/** A difference between processes. */
export const Difference = object({
  /** Deimos, Pekko, JDK, or a setting's key. */
  what: text,
  /** Whether it is a setting. */
  setting: flag,
  /** Each value. */
  values: list(object({
    /** Null for a setting's default. */
    value: orNull(text),
    /** Where it is so. */
    processes: list(orNull(text)),
  })),
});
export type Difference = Of<typeof Difference>;

/** The clusters that the processes of this page are in. */
export const Cluster = object({
  /** The server's clock. */
  nowMillis: number,
  /** The one that serves first. */
  processes: list(ClusterProcess),
  /** By name; views are of one cluster if they have a member in common. None without Pekko's cluster. */
  clusters: list(OneCluster),
  /** The busiest first. */
  links: list(NodeLink),
  /** Links beyond the limit. */
  linksLeftOut: number,
  /** Versions, then settings. */
  differences: list(Difference),
});
export type Cluster = Of<typeof Cluster>;

/** One setting. */
export const Setting = object({
  /** Its name. */
  key: text,
  /** Its value now. */
  value: text,
  /** Its value if nobody says. */
  default: text,
  /** Its possible values, in words. */
  values: text,
  /** All values, if they are few. */
  choices: list(text),
  /** Its effect. */
  does: text,
  /** Its cost. */
  costs: text,
  /** Where its value comes from. */
  source: text,
  /** Whether the page can change it now. */
  mayChange: flag,
  /** Whether it was changed on the page. */
  changedHere: flag,
  /** The preset that its value comes from. */
  preset: orNull(text),
  /** In how many milliseconds it ends by itself; null for never. */
  leftMillis: orNull(number),
});
export type Setting = Of<typeof Setting>;

/** A preset's value of a setting. */
export const PresetSetting = object({
  /** The setting. */
  key: text,
  /** set to this value; at most this one, so that a stricter one stays; or added to a table. */
  rule: oneOf("set", "at most", "add"),
  /** The value. */
  value: text,
  /** The setting's value now. */
  now: text,
  /** Its value if the preset began now. */
  then: text,
});
export type PresetSetting = Of<typeof PresetSetting>;

/** Settings that are changed together. */
export const Preset = object({
  /** Its name in requests. */
  name: text,
  /** Its name for people. */
  title: text,
  /** Its effect. */
  does: text,
  /** Its cost. */
  costs: text,
  /** How long it holds if nobody says; null for until it is ended. */
  forMillis: orNull(number),
  /** Its value of each setting. */
  settings: list(PresetSetting),
  /** Why it cannot begin now. */
  refused: orNull(text),
});
export type Preset = Of<typeof Preset>;

/** A change made on the page that holds. */
export const PageChange = object({
  /** Its number, to end it by. */
  id: text,
  /** The preset. */
  preset: orNull(text),
  /** The setting. */
  key: orNull(text),
  /** Its value. */
  value: orNull(text),
  /** Since when. */
  sinceMillis: number,
  /** In how many milliseconds it ends by itself; null for never. */
  leftMillis: orNull(number),
  /** The name that its maker gave. */
  by: text,
});
export type PageChange = Of<typeof PageChange>;

/** A setting whose value changed. */
export const ChangedSetting = object({
  /** The setting. */
  key: text,
  /** Its value before. */
  from: text,
  /** Its value after. */
  to: text,
});
export type ChangedSetting = Of<typeof ChangedSetting>;

/** An action of somebody. */
export const SettingsEntry = object({
  /** When. */
  atMillis: number,
  /** Who, in their own words. */
  by: text,
  /** What. */
  what: text,
  /** The settings whose values changed; it may be none. */
  settings: list(ChangedSetting),
  /** How many more there were. */
  leftOut: number,
});
export type SettingsEntry = Of<typeof SettingsEntry>;

/** The settings of this process. */
export const Settings = object({
  /** The server's clock. */
  nowMillis: number,
  /** Whether they can be changed by who asks: off for nobody, token for who sends it. */
  control: oneOf("off", "token", "on"),
  /** The settings. */
  settings: list(Setting),
  /** The presets. */
  presets: list(Preset),
  /** The changes that hold, a later one over an earlier one. */
  changes: list(PageChange),
  /**
   * The last 100 changes by anybody, the latest first. The control file is in it where it changed a value; what was
   * done here is in it whether or not a value changed.
   */
  history: list(SettingsEntry),
});
export type Settings = Of<typeof Settings>;

/** Durations in buckets, since the start. */
export const Histogram = object({
  /** How many. */
  count: number,
  /** All together. */
  sumNanos: number,
  /** How many in each bucket: one more than there are bounds, for what is longer. */
  buckets: list(number),
});
export type Histogram = Of<typeof Histogram>;

/** The messages of one class to them. */
export const MessageClass = object({
  /** The class. */
  class: text,
  /** How many were processed. */
  processed: number,
  /** How many failed. */
  failed: number,
  processing: Histogram,
  wait: Histogram,
});
export type MessageClass = Of<typeof MessageClass>;

/** The actors of one class in one actor system. */
export const ActorClass = object({
  /** The class. */
  class: text,
  /** The actor system. */
  system: text,
  /** How many live. */
  live: number,
  /** How many were started. */
  started: number,
  /** How many were stopped. */
  stopped: number,
  /** How often one was restarted. */
  restarted: number,
  /** How many messages failed. */
  failed: number,
  /** By class. */
  messages: list(MessageClass),
});
export type ActorClass = Of<typeof ActorClass>;

/** Exceptions of one class in one class of actors. */
export const Failures = object({
  /** The class of the actors. */
  actorClass: text,
  /** The class of the exception. */
  errorType: text,
  /** How many. */
  count: number,
});
export type Failures = Of<typeof Failures>;

/** Asks of one class of messages. */
export const Asks = object({
  /** The class of what is asked. */
  class: text,
  /** How many. */
  count: number,
  /** How many had no answer in time. */
  timeouts: number,
  duration: Histogram,
});
export type Asks = Of<typeof Asks>;

/** One stream with one peer in one direction, since the start. */
export const RemoteStream = object({
  /** The actor system. */
  system: text,
  /** The other's address. */
  peer: text,
  /** The direction. */
  direction: oneOf("out", "in"),
  /** control, ordinary or large. */
  stream: text,
  /** Whether there is a connection. */
  connected: flag,
  /** Messages on it. */
  messages: number,
  /** Bytes on it. */
  bytes: number,
  /** How often it was flushed. */
  flushes: number,
  /** How long that took; 0 without clocks. */
  flushNanos: number,
  /** Coding; 0 without clocks. */
  codecNanos: number,
  /** Messages to be sent, or bytes to be read. */
  queued: number,
  /** Messages that were lost. */
  dropped: number,
  /** How often it was connected again. */
  reconnects: number,
});
export type RemoteStream = Of<typeof RemoteStream>;

/** All counts of a process since it started. */
export const State = object({
  /** Its own name. */
  service: text,
  /** Its actor systems. */
  systems: list(text),
  /** The version of Deimos. */
  version: text,
  /** The version of Pekko. */
  pekkoVersion: text,
  /** Its Java. */
  jdk: text,
  /** When it was started. */
  startedAtMillis: number,
  /** The server's clock. */
  nowMillis: number,
  /** The figures of Deimos itself. */
  recorder: object({
    /** Recorded messages. */
    messages: number,
    /** Spans that were made. */
    spansRecorded: number,
    /** Spans that were exported. */
    spansExported: number,
    /** Spans that were lost. */
    spansDropped: number,
    /** Bytes that it takes, by purpose. */
    memory: map(number),
    /** The counts taken together as other, about. */
    folded: object({
      /** Classes of actors. */
      actorClasses: number,
      /** Pairs of actor and message class. */
      messagePairs: number,
    }),
    /** Traces in memory. */
    tracesKept: number,
    /** Traces that the guard ended. */
    tracesCut: number,
    /** Failures of Deimos itself. */
    faults: number,
    /** Its threads. */
    threads: number,
    /** Where spans are exported to. */
    export: text,
    /** The traces that the page's store was given, and does not hold. */
    store: object({
      /** The share of new traces it takes now. */
      admittedShare: number,
      /** Spans in memory. */
      spansKept: number,
      /** Spans that were not taken. */
      spansNotKept: number,
      /** Failed spans that were not taken. */
      errorsNotKept: number,
      /** Spans beyond the bound of their trace. */
      spansTruncated: number,
      /** Ordinary traces beyond the limit. */
      tracesLetGo: number,
      /** Their spans. */
      spansLetGo: number,
      /** Traces cut to what shows their trouble. */
      tracesThinned: number,
      /** The spans that they lost. */
      spansThinned: number,
      /** Traces with trouble that made room. */
      troubleEvicted: number,
      /** How long such traces stay whole now. */
      troubleWholeNanos: number,
      /** The limit of new traces, as set. */
      tracesPerSecond: number,
      /** The limit of spans, as set. */
      roomForSpans: number,
      /** Traces that made room for others. */
      tracesEvicted: number,
      /** Their spans. */
      spansEvicted: number,
    }),
    /** The decisions of tail sampling, by reason. */
    tail: object({
      /** Spans that wait for a decision. */
      spansHeld: number,
      /** Spans that were kept. */
      spansKept: map(number),
      /** Spans that were dropped. */
      spansLetGo: map(number),
      /** Kept spans of other instrumentations. */
      otherSpansKept: number,
      /** The dropped ones. */
      otherSpansLetGo: map(number),
    }),
  }),
  /** The self-test. */
  hooks: object({
    /** The outcome. */
    state: oneOf("pending", "ok", "missing"),
    /** Hooks that fired. */
    ok: number,
    /** All hooks. */
    total: number,
    /** Those that did not fire. */
    missing: list(text),
  }),
  /** Whether a profile is being made. */
  profiling: flag,
  /** The news for the user, in lines. */
  problems: list(text),
  /** Presets that hold now, the strongest last. */
  presets: list(PageChange),
  /** The totals of all classes, those without a row included. */
  totals: object({
    /** Actors that live. */
    actorsLive: number,
    /** Dead letters, without those Pekko suppresses. */
    deadLetters: number,
    /** Those, which Pekko does not log. */
    deadLettersSuppressed: number,
    /** Unhandled messages. */
    unhandled: number,
    /** Messages that mailboxes and queues refused. */
    dropped: number,
    /** Messages that are stuck now. */
    stuckNow: number,
    /** How many rows of actors there would be. */
    classes: number,
    /** Messages that failed. */
    failed: number,
    /** How many rows of failures there would be. */
    failures: number,
    /** How many classes of exceptions. */
    errorTypes: number,
    processing: Histogram,
    wait: Histogram,
  }),
  /** The bounds of the histograms, in seconds. */
  bounds: list(number),
  /** By class, at most 1,000. */
  actors: list(ActorClass),
  /** The most frequent first, at most 200. */
  failures: list(Failures),
  /** By class. */
  asks: list(Asks),
  /** The streams of the transport. */
  remote: list(RemoteStream),
});
export type State = Of<typeof State>;

/** The last fifteen minutes, an entry for each point. */
export const Past = object({
  /** How far its points are apart. */
  everyMillis: number,
  /** When, in seconds since 1970. */
  seconds: list(number),
  rate: list(orNull(number)),
  processingP50: list(orNull(number)),
  processingP99: list(orNull(number)),
  waitP50: list(orNull(number)),
  waitP99: list(orNull(number)),
});
export type Past = Of<typeof Past>;

/** Failures of Deimos itself. */
export const Faults = object({
  /** How many. */
  count: number,
  /** By place. */
  faults: list(object({
    /** The exception. */
    what: text,
    /** How often. */
    times: number,
    /** The first stack. */
    stack: text,
  })),
});
export type Faults = Of<typeof Faults>;

/** One process on this page. */
export const Process = object({
  /** Random in each process. */
  id: text,
  /** serves; page, which serves and is no application; joined; sends, which sends OTLP and no more; or gone. */
  state: text,
  /** Since when. */
  sinceMillis: number,
  /** Its own name. */
  service: text,
  /** Its actor systems. */
  systems: list(text),
  /** Its process id. */
  pid: number,
  /** The version of Deimos. */
  version: text,
  /** The version of Pekko. */
  pekkoVersion: text,
  /** Its Java. */
  jdk: text,
  /** Its machine's name. */
  host: text,
  /** When it was started. */
  startedAtMillis: number,
  /** When it said this last, by its own clock. */
  saidAtMillis: number,
  /** As of when, by the page's clock, its last answers are kept; 0 if none are. */
  keptAtMillis: number,
  /** Messages since it started. */
  messages: number,
  /** Actors that live. */
  actorsLive: number,
  /** Spans since it started. */
  spansRecorded: number,
  /** Spans that were lost. */
  spansDropped: number,
  /** Spans of kept traces that have come from it. */
  spansReceived: number,
  /** Spans that had to go before there was room on the way. */
  spansNotSent: number,
  /** Groups of its trouble that had no room here. */
  troubleLeftOut: number,
  /** Its heap in use. */
  heapUsedBytes: number,
  /** Its greatest heap. */
  heapMaxBytes: number,
  /** By how much its clock is ahead of the page's. */
  clockOffsetNanos: orNull(number),
  /** That is right within this. */
  clockErrorNanos: orNull(number),
});
export type Process = Of<typeof Process>;

/** The fate of the OTLP that came to this page. */
export const Otlp = object({
  /** Requests that were taken. */
  requests: number,
  /** Requests and connections that were refused. */
  refused: number,
  /** Spans in the requests that were taken. */
  spans: number,
  /**
   * Those among them that are not kept, as their senders were told: without valid ids, of more traces than the page
   * takes, or more than it keeps of one.
   */
  spansTurnedAway: number,
  /** Log records; the last ones are kept. */
  logs: number,
  /** Data points; none are kept. */
  notKept: number,
  /** The last refusal, and its reason. */
  lastRefused: orNull(text),
  /** When that was. */
  lastRefusedMillis: orNull(number),
});
export type Otlp = Of<typeof Otlp>;

/** The processes on this page. */
export const Processes = object({
  /** The server's clock. */
  nowMillis: number,
  /** The one that serves first. */
  nodes: list(Process),
  otlp: orNull(Otlp),
});
export type Processes = Of<typeof Processes>;

/** The process that serves here. */
export const About = object({
  /** deimos. */
  product: text,
  /** The version of Deimos. */
  version: text,
  /** The protocol by which processes join. */
  link: number,
  /** Its id. */
  process: text,
  /** Its process id. */
  pid: number,
  /** Its own name. */
  service: text,
  /** open or token. */
  access: text,
});
export type About = Of<typeof About>;

/** The answer of each address. */
export const ANSWERS = {
  "/api/faults": Faults,
  "/api/history": Past,
  "/api/settings": Settings,
  "/api/state": State,
  "/api/traces": Traces,
  "/api/traces/{id}": Trace,
  "/api/v1/about": About,
  "/api/v1/actors": Actors,
  "/api/v1/actors/{id}": OneActor,
  "/api/v1/check": Check,
  "/api/v1/cluster": Cluster,
  "/api/v1/inside/{id}": Inside,
  "/api/v1/logs": Logs,
  "/api/v1/map": Map,
  "/api/v1/nodes": Processes,
  "/api/v1/profile": Profile,
  "/api/v1/settings": Settings,
  "/api/v1/system": System,
  "/api/v1/tap": Tap,
  "/api/v1/tap/{id}": Tap,
  "/api/v1/threads": Threads,
  "/api/v1/threads/{id}": Stack,
  "/api/v1/traces": Traces,
  "/api/v1/traces/compare": TraceComparison,
  "/api/v1/traces/groups": TraceGroups,
  "/api/v1/traces/{id}": Trace,
  "/api/v1/trouble": Trouble,
  "/api/v1/trouble/{id}": OneTroubleGroup,
  "/api/v1/where": Where,
} as const;
