// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Answers what polls ask again and again from one stream, so that a tab has one connection. The first time a poll asks
 * something, it is asked in the ordinary way; the stream has it from the second time on. Where there is no stream, all
 * is asked in the ordinary way. Knows no browser.
 */
import { type Asker, isAskedBy, type Timers } from "./poll";

/** How long requests are gathered before the stream begins anew with all of them. */
const GATHER_MILLIS = 30;
/** How long after the end of a stream the next one begins. */
const AGAIN_MILLIS = 1000;
/** How long nobody has to wait for an answer until it is no longer asked for, beyond its own interval. */
const LEFT_MILLIS = 3000;
/** How long there is no stream after one failed. */
const PAUSE_MILLIS = 30_000;
/** At most so many requests; others are asked in the ordinary way. */
const MAX_FEEDS = 16;

export interface LiveAnswer {
  readonly status: number;
  readonly value: unknown;
}

export interface LiveOptions {
  /** Opens a stream of these requests and gives the data of its events; ends when the stream does. */
  readonly open: (requests: readonly string[], signal: AbortSignal) => AsyncIterable<string>;
  readonly timers: Timers;
}

interface Feed {
  readonly path: string;
  readonly everyMillis: number;
  answer: LiveAnswer | null;
  /** Counts the answers to all requests, so that one can be told from the next. */
  version: number;
  lastWaitMillis: number;
  /** Are called when there is an answer, or no stream any more. */
  readonly waiting: Set<() => void>;
}

export class Live {
  private readonly feeds = new Map<string, Feed>();
  private versions = 0;
  private stream: AbortController | null = null;
  private gathering: unknown = null;
  private brokenUntilMillis = 0;

  constructor(private readonly options: LiveOptions) {}

  /**
   * The next answer to a poll; null if it is to be asked in the ordinary way.
   *
   * @param path address and query, from the page's own place
   */
  async ask(path: string, signal: AbortSignal): Promise<LiveAnswer | null> {
    const asker = isAskedBy(signal);
    const now = this.options.timers.now();
    if (asker === null || now < this.brokenUntilMillis || !asker.asksAgain(path)) {
      return null;
    }
    const feed = this.feeds.get(path) ?? this.begin(path, asker);
    if (feed === null) {
      return null;
    }
    feed.lastWaitMillis = now;
    if (feed.answer === null || asker.hasSeen(path, feed.version)) {
      await this.next(feed, signal);
    }
    const { answer } = feed;
    if (answer === null) {
      return null;
    }
    asker.sees(path, feed.version);
    return answer;
  }

  /** Ends the stream; who waits asks in the ordinary way. */
  private close(): void {
    this.options.timers.clear(this.gathering);
    this.gathering = null;
    this.stream?.abort();
    this.stream = null;
    const feeds = [...this.feeds.values()];
    this.feeds.clear();
    for (const feed of feeds) {
      feed.answer = null;
      this.tell(feed);
    }
  }

  private begin(path: string, asker: Asker): Feed | null {
    if (this.feeds.size >= MAX_FEEDS) {
      return null;
    }
    const feed: Feed = {
      path,
      everyMillis: asker.intervalMillis,
      answer: null,
      version: 0,
      lastWaitMillis: this.options.timers.now(),
      waiting: new Set(),
    };
    this.feeds.set(path, feed);
    this.gather(GATHER_MILLIS);
    return feed;
  }

  private gather(millis: number): void {
    this.gathering ??= this.options.timers.set(() => {
      this.gathering = null;
      this.reopen();
    }, millis);
  }

  private next(feed: Feed, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = () => {
        signal.removeEventListener("abort", left);
        resolve();
      };
      const left = () => {
        feed.waiting.delete(waiting);
        reject(signal.reason instanceof Error ? signal.reason : new Error("given up"));
      };
      signal.addEventListener("abort", left, { once: true });
      feed.waiting.add(waiting);
    });
  }

  private reopen(): void {
    this.stream?.abort();
    this.stream = null;
    if (this.feeds.size > 0) {
      const stream = new AbortController();
      this.stream = stream;
      void this.follow(stream, [...this.feeds.values()]);
    }
  }

  private async follow(stream: AbortController, asked: readonly Feed[]): Promise<void> {
    let some = false;
    try {
      const requests = asked.map(({ everyMillis, path }) => `${everyMillis},${path}`);
      for await (const data of this.options.open(requests, stream.signal)) {
        if (this.stream !== stream) {
          return;
        }
        some = true;
        this.take(asked, data);
        this.tidy();
      }
    } catch {
      some = false;
    }
    if (this.stream !== stream) {
      return; // another has taken its place
    }
    if (some) {
      this.stream = null;
      this.gather(AGAIN_MILLIS); // its time was over, or the server has no room for it now
    } else {
      this.brokenUntilMillis = this.options.timers.now() + PAUSE_MILLIS;
      this.close();
    }
  }

  private take(asked: readonly Feed[], data: string): void {
    const { ask, ...answer } = JSON.parse(data) as LiveAnswer & { readonly ask: number };
    const feed = asked[ask];
    if (feed === undefined) {
      throw new Error("an answer to no request");
    }
    feed.answer = answer;
    feed.version = ++this.versions;
    if (feed.waiting.size > 0) {
      feed.lastWaitMillis = this.options.timers.now();
    }
    this.tell(feed);
  }

  /** Requests that nobody waits for any more are no longer asked. */
  private tidy(): void {
    const now = this.options.timers.now();
    const { size } = this.feeds;
    for (const [path, { waiting, lastWaitMillis, everyMillis }] of this.feeds) {
      if (waiting.size === 0 && now - lastWaitMillis > everyMillis + LEFT_MILLIS) {
        this.feeds.delete(path);
      }
    }
    if (this.feeds.size < size) {
      this.reopen();
    }
  }

  private tell(feed: Feed): void {
    const waiting = [...feed.waiting];
    feed.waiting.clear();
    waiting.forEach((one) => one());
  }
}
