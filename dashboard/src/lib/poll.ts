// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Asks for something again and again, one request at a time, and tells what came of it. Knows no browser: time and
 * the request are given, so that a test can hold both.
 */

export interface Timers {
  readonly now: () => number;
  readonly set: (action: () => void, millis: number) => unknown;
  readonly clear: (timer: unknown) => void;
}

export interface PollOptions<T> {
  readonly request: (signal: AbortSignal) => Promise<T>;
  readonly onValue: (value: T) => void;
  readonly onFailure: (reason: string, error: unknown) => void;
  readonly intervalMillis: number;
  /** An answer that takes longer counts as none. */
  readonly timeoutMillis: number;
  readonly timers: Timers;
}

/** The asker, for whoever answers: how often, and what it knows already. */
export class Asker {
  private readonly known = new Map<string, number>();

  constructor(readonly intervalMillis: number) {}

  /** Whether it has asked this before. */
  asksAgain(what: string): boolean {
    if (this.known.has(what)) {
      return true;
    }
    const [first] = this.known.keys();
    if (this.known.size >= MAX_KNOWN && first !== undefined) {
      this.known.delete(first);
    }
    this.known.set(what, NOTHING_SEEN);
    return false;
  }

  hasSeen(what: string, version: number): boolean {
    return this.known.get(what) === version;
  }

  sees(what: string, version: number): void {
    this.known.set(what, version);
  }

  /** From now on everything is asked as for the first time. */
  forget(): void {
    this.known.clear();
  }
}

const MAX_KNOWN = 8;
const NOTHING_SEEN = -1;

const ASKERS = new WeakMap<AbortSignal, Asker>();

/**
 * The poll that asks a request with this signal; null if that is no poll, or one that waits too short a time for an
 * answer.
 */
export function isAskedBy(signal: AbortSignal): Asker | null {
  return ASKERS.get(signal) ?? null;
}

export class Poll<T> {
  private readonly asker: Asker;
  private running = false;
  private timer: unknown = null;
  private current: AbortController | null = null;

  constructor(private readonly options: PollOptions<T>) {
    this.asker = new Asker(options.intervalMillis);
  }

  /** Asks at once, then each interval; does nothing when it does so already. */
  start(): void {
    if (!this.running) {
      this.running = true;
      this.asker.forget();
      void this.ask();
    }
  }

  stop(): void {
    this.running = false;
    this.cancel();
  }

  /** Asks at once and leaves what is on its way, for the subject has changed; also while it is stopped. */
  refresh(): void {
    this.cancel();
    this.asker.forget();
    void this.ask();
  }

  private cancel(): void {
    this.options.timers.clear(this.timer);
    this.timer = null;
    this.current?.abort();
    this.current = null;
  }

  private async ask(): Promise<void> {
    const { timers, intervalMillis, timeoutMillis } = this.options;
    const controller = new AbortController();
    this.current = controller;
    if (2 * intervalMillis < timeoutMillis) {
      ASKERS.set(controller.signal, this.asker);
    }
    const asked = timers.now();
    let late = false;
    const limit = timers.set(() => {
      late = true;
      controller.abort();
    }, timeoutMillis);
    try {
      const value = await this.options.request(controller.signal);
      if (this.current === controller) {
        this.options.onValue(value);
      }
    } catch (error) {
      if (this.current === controller) {
        this.options.onFailure(late ? `no answer within ${timeoutMillis / 1000} s` : reasonOf(error), error);
      }
    } finally {
      timers.clear(limit);
      if (this.current === controller) {
        this.current = null;
        if (this.running) {
          const wait = Math.max(0, intervalMillis - (timers.now() - asked));
          this.timer = timers.set(() => void this.ask(), wait);
        }
      }
    }
  }
}

/** Why something failed, in the words of who failed. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
